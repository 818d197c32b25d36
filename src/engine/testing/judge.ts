import type { SagaDefinition } from '../saga/definition.js';
import { following, type Schedule } from './choices.js';
import type { Invariant } from './invariant.js';
import { PROMISES } from './invariants.js';
import { playWith } from './play.js';
import type { Played } from './played.js';
import { tell } from './story.js';
import type { Surroundings } from './world.js';

/** What was broken, with everything that a person needs to see why. */
export interface Failure {
  readonly invariant: string;
  /** How, in a sentence. */
  readonly broken: string;
  readonly schedule: Schedule;
  readonly story: string;
  /** A test that plays it again, to be pasted. */
  readonly test: string;
}

/** The first invariant that a played run broke; null: it kept them all. */
export function judge(played: Played, invariants: readonly Invariant[]): Judgement | null {
  for (const { name, broken } of invariants) {
    const how = broken(played);
    if (how !== null) return { invariant: name, broken: how };
  }
  return null;
}

export type Judgement = Pick<Failure, 'invariant' | 'broken'>;

/** What must hold: what the engine promises, and what a team adds to it. */
export function allOf(added: readonly Invariant[] = []): readonly Invariant[] {
  return [...PROMISES, ...added];
}

/**
 * Says all of a failure, once whatever is not needed for it has been left out of its schedule.
 */
export function failureOf(
  saga: SagaDefinition,
  schedule: Schedule,
  surroundings: Surroundings,
  invariants: readonly Invariant[],
): Failure {
  const attempt = (tried: Schedule): Judged => {
    const played = playWith(saga, following(tried), surroundings);
    return { played, judgement: judge(played, invariants) };
  };
  const shortest = shorten(schedule, (tried) => attempt(tried).judgement !== null);
  const { played, judgement } = attempt(shortest);
  if (judgement === null) throw new RangeError('the schedule breaks nothing');
  return {
    ...judgement,
    schedule: shortest,
    story: tell(played),
    test: testOf(saga, shortest, judgement, optionsOf(judgement, surroundings)),
  };
}

interface Judged {
  readonly played: Played;
  readonly judgement: Judgement | null;
}

/** Leaves out one thing after the other, as long as what is left still fails. */
function shorten(schedule: Schedule, fails: (tried: Schedule) => boolean): Schedule {
  for (const where of Object.keys(schedule)) {
    const { [where]: _left, ...shorter } = schedule;
    if (failsAsItIs(shorter, fails)) return shorten(shorter, fails);
  }
  return schedule;
}

/** Without one thing another may not come up in the same way; then it says nothing. */
function failsAsItIs(schedule: Schedule, fails: (tried: Schedule) => boolean): boolean {
  try {
    return fails(schedule);
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** What the test needs beside its schedule, or it would not fail: under names that a team gives. */
function optionsOf({ invariant }: Judgement, { providers }: Surroundings): readonly string[] {
  const isOurs = PROMISES.some(({ name }) => name === invariant);
  return [
    ...(isOurs ? [] : [`invariants: [${camelCase(invariant)}]`]),
    ...(providers === undefined ? [] : ['providers']),
  ];
}

function testOf(
  saga: SagaDefinition,
  schedule: Schedule,
  { invariant }: Judgement,
  options: readonly string[],
): string {
  const entries = Object.entries(schedule).map(
    ([where, option]) => `    ${JSON.stringify(where)}: ${JSON.stringify(option)},`,
  );
  const more = options.length === 0 ? '' : `, { ${options.join(', ')} }`;
  return [
    "import { play } from 'recourse/testing';",
    "import { expect, test } from 'vitest';",
    '',
    `test(${JSON.stringify(`${saga.name}: ${invariant}`)}, () => {`,
    `  const { broken } = play(${camelCase(saga.name)}V${saga.version}, {`,
    ...entries,
    `  }${more});`,
    '  expect(broken).toBe(null);',
    '});',
  ].join('\n');
}

function camelCase(words: string): string {
  const parts = words.split(/[^A-Za-z0-9]+/).filter((part) => part !== '');
  return parts
    .map((part, index) => (index === 0 ? part : part.charAt(0).toUpperCase() + part.slice(1)))
    .join('');
}
