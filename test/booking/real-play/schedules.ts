import { scheduleOf, type Schedule } from '../../../src/engine/testing/choices.js';
import { explore } from '../../../src/engine/testing/explore.js';
import { numbersFrom } from '../../../src/engine/testing/numbers-from.js';
import { play } from '../../../src/engine/testing/play-schedule.js';
import type { Played } from '../../../src/engine/testing/played.js';
import type { SagaDefinition } from '../../../src/engine/saga/definition.js';
import installation from '../../../src/recourse.config.js';

const { providers } = installation;

/** A schedule, and how the explorer says that it goes. */
export interface Foretold {
  readonly schedule: Schedule;
  readonly played: Played;
}

/** How many faults a played run has. */
export function faultsOf({ choices }: Played): number {
  return choices.filter(({ isFault, taken }) => isFault && taken > 0).length;
}

/** Every schedule of at most so many faults, in the explorer's order. */
export function everySchedule(saga: SagaDefinition, faults: number): readonly Foretold[] {
  const all: Schedule[] = [];
  const collect = {
    name: 'is collected',
    broken: ({ choices }: Played) => {
      all.push(scheduleOf(choices));
      return null;
    },
  };
  explore(saga, { faults, providers, invariants: [collect] });
  return all.map((schedule) => foretell(saga, schedule));
}

/** How the explorer says that a schedule goes. */
export function foretell(saga: SagaDefinition, schedule: Schedule): Foretold {
  return { schedule, played: play(saga, schedule, { providers }).played };
}

/**
 * So many schedules of two and three faults, drawn by a seed: half are drawn from all of two
 * faults, and half of those drawn so get a third, at any place of theirs that comes later.
 */
export function drawSchedules(
  saga: SagaDefinition,
  { seed, count }: { readonly seed: number; readonly count: number },
): readonly Foretold[] {
  const next = numbersFrom(seed);
  const pairs = everyPair(saga);
  const drawn = new Map<string, Foretold>();
  while (drawn.size < count) {
    const pair = foretell(saga, pairs[next() % pairs.length] ?? {});
    const wantsThird = drawn.size % 4 !== 0;
    const one = wantsThird ? withOneMore(saga, pair, next) : pair;
    if (one !== null) drawn.set(JSON.stringify(one.schedule), one);
  }
  return [...drawn.values()];
}

function everyPair(saga: SagaDefinition): readonly Schedule[] {
  const all: Schedule[] = [];
  const collect = {
    name: 'is collected',
    broken: (played: Played) => {
      if (faultsOf(played) === 2) all.push(scheduleOf(played.choices));
      return null;
    },
  };
  explore(saga, { faults: 2, providers, invariants: [collect] });
  return all;
}

/** The same with one fault more, behind all that went otherwise so far; null: there is no place. */
function withOneMore(
  saga: SagaDefinition,
  { schedule, played: { choices } }: Foretold,
  next: () => number,
): Foretold | null {
  const last = choices.findLastIndex(({ taken }) => taken > 0);
  const faults = choices.slice(last + 1).flatMap((choice) => {
    return choice.isFault ? choice.options.slice(1).map((option) => [choice.where, option]) : [];
  });
  const [where, option] = faults[next() % faults.length] ?? [];
  if (where === undefined || option === undefined) return null;
  return foretell(saga, { ...schedule, [where]: option });
}
