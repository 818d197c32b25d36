import type { SagaDefinition } from '../saga/definition.js';
import { scheduleOf, type Chooser } from './choices.js';
import type { Invariant } from './invariant.js';
import { allOf, failureOf, judge, type Failure } from './judge.js';
import { numbersFrom } from './numbers-from.js';
import { playWith } from './play.js';
import type { Played } from './played.js';
import type { Surroundings } from './world.js';

/** Which random run is played, and under what conditions. */
export interface WanderOptions extends Surroundings {
  /** A whole number; the same gives the same walk. */
  readonly seed: number;
  readonly invariants?: readonly Invariant[];
}

/** One choice in so many is left to chance; most of those go otherwise than well. */
const SELDOM = 3;

/**
 * One random run with as many faults as come up: beyond what can be tried in full.
 * Throws SagaDefinitionError for a saga without a step.
 */
export function wander(
  saga: SagaDefinition,
  { seed, invariants, ...surroundings }: WanderOptions,
): { readonly failure: Failure | null; readonly played: Played } {
  const all = allOf(invariants);
  const played = playWith(saga, byChance(numbersFrom(seed)), surroundings);
  if (judge(played, all) === null) return { failure: null, played };
  return { failure: failureOf(saga, scheduleOf(played.choices), surroundings, all), played };
}

function byChance(next: () => number): Chooser {
  return (_where, options) => (next() % SELDOM === 0 ? next() % options.length : 0);
}
