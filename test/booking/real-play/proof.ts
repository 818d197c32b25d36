import type { Company } from './company.js';
import { differences } from './compare.js';
import { unplayableBecause } from './playable.js';
import type { Foretold } from './schedules.js';
import type { TripPlay } from './trip-play.js';

/** What came of playing schedules on the real servers. */
export interface Proof {
  /** Each schedule that went otherwise than was foretold, with how. */
  readonly differing: readonly string[];
  /** How many were played. */
  readonly played: number;
  /** Those that cannot be played, by the reason. */
  readonly unplayable: ReadonlyMap<string, number>;
  /** How often each fault was played, and what was left out. */
  readonly table: string;
}

/** Plays schedules in a house, and holds what came of each against what was foretold. */
export async function prove(company: Company, all: readonly Foretold[]): Promise<Proof> {
  const reasons = all.map(unplayableBecause);
  const playable = all.filter((_one, index) => reasons[index] === null);
  const unplayable = countsOf(reasons.filter((reason) => reason !== null));
  const plays = await company.play(playable);
  const differing: string[] = [];
  for (const play of plays) differing.push(...(await toldOf(company, play)));
  const table = tableOf(plays, unplayable, company);
  return { differing, played: plays.length, unplayable, table };
}

async function toldOf(company: Company, play: TripPlay): Promise<readonly string[]> {
  const found = await differences(company.house, play);
  if (found.length === 0) return [];
  const { schedule } = play.foretold;
  return [[`${play.run} ${JSON.stringify(schedule)}`, ...found].join('\n    ')];
}

function countsOf(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Map([...counts].toSorted(([, one], [, other]) => other - one));
}

function tableOf(
  plays: readonly TripPlay[],
  unplayable: ReadonlyMap<string, number>,
  { kills, disturbed }: Pick<Company, 'kills' | 'disturbed'>,
): string {
  const faults = plays.flatMap(({ foretold }) =>
    foretold.played.choices.flatMap(({ place, options, taken }) => {
      if (taken === 0 || place.form.startsWith('which is first')) return [];
      return [options[taken] ?? ''];
    }),
  );
  const rows = [...countsOf(faults)].map(
    ([name, count]) => `${String(count).padStart(6)}  ${name}`,
  );
  const left = [...unplayable].map(([why, count]) => `${String(count).padStart(6)}  ${why}`);
  return [
    `played ${plays.length} schedules on the real servers, and killed the worker ${kills} times:`,
    ...rows,
    `${String(disturbed).padStart(6)}  times played again, because the machine was too slow`,
    ...(left.length === 0 ? [] : ['not played:', ...left]),
  ].join('\n');
}
