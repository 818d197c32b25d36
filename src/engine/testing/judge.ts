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
  const title = `${saga.name}: ${judgement.invariant}`;
  return {
    ...judgement,
    schedule: shortest,
    story: tell(played),
    test: testOf(title, shortest, givenTo(saga, judgement, surroundings)),
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

/** What the test has to be given, under names that a team gives: or it would not fail. */
interface Given {
  readonly saga: string;
  /** Null: the promise is one of ours. */
  readonly invariant: string | null;
  readonly providers: string | null;
}

function givenTo(
  saga: SagaDefinition,
  { invariant }: Judgement,
  { providers }: Surroundings,
): Given {
  const isOurs = PROMISES.some(({ name }) => name === invariant);
  return {
    saga: `${camelCase(saga.name)}V${saga.version}`,
    invariant: isOurs ? null : camelCase(invariant),
    providers: providers === undefined ? null : 'providers',
  };
}

function testOf(title: string, schedule: Schedule, given: Given): string {
  const { saga, invariant, providers } = given;
  const entries = Object.entries(schedule).map(
    ([where, option]) => `    ${JSON.stringify(where)}: ${JSON.stringify(option)},`,
  );
  const options = [...(invariant === null ? [] : [`invariants: [${invariant}]`]), providers];
  const said = options.filter((option) => option !== null).join(', ');
  const yours = Object.values(given).filter((name) => name !== null);
  return [
    "import { play } from 'recourse/testing';",
    "import { expect, test } from 'vitest';",
    `// Import here, from where they are, what you have as ${yours.join(', ')}.`,
    '',
    `test(${JSON.stringify(title)}, () => {`,
    `  const { broken } = play(${saga}, {`,
    ...entries,
    `  }${said === '' ? '' : `, { ${said} }`});`,
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
