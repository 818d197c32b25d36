import type { SagaDefinition } from '../saga/definition.js';
import type { Ending } from '../saga/journal.js';
import { following, type Schedule } from './choices.js';
import type { Invariant } from './invariant.js';
import { allOf, judge } from './judge.js';
import { playWith } from './play.js';
import type { Played } from './played.js';
import { tell } from './story.js';
import type { Surroundings } from './world.js';

/** How one run went. */
export interface PlayResult {
  /** Null: it did not end. */
  readonly ending: Ending | null;
  /** The first invariant that it broke, and how; null: it kept them all. */
  readonly broken: string | null;
  /** What happened, for a person. */
  readonly story: string;
  readonly played: Played;
}

/**
 * Plays one run of a saga in which exactly what the schedule names goes otherwise than well.
 * Throws SagaDefinitionError for a saga without a step, and a RangeError when a place of the
 * schedule never comes up or has no such option, so that an old test does not pass by accident.
 *
 * @example play(bookTripV1, { 'hotel, attempt 1': 'refused' }).ending // 'undone'
 */
export function play(
  saga: SagaDefinition,
  schedule: Schedule = {},
  options: Surroundings & { readonly invariants?: readonly Invariant[] } = {},
): PlayResult {
  const played = playWith(saga, following(schedule), options);
  const places = new Set(played.choices.map(({ where }) => where));
  const missing = Object.keys(schedule).find((where) => !places.has(where));
  if (missing !== undefined) {
    const known = [...places].join('; ');
    throw new RangeError(`"${missing}" never comes up in this run; what does: ${known}`);
  }
  const judgement = judge(played, allOf(options.invariants));
  return {
    ending: played.run.finishedAs,
    broken: judgement === null ? null : `${judgement.invariant}: ${judgement.broken}`,
    story: tell(played),
    played,
  };
}
