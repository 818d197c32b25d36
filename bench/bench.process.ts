import { contestantsOf, startByHandWorker, warmUp } from './contestants.process.js';
import { addLeft, footprintOf, NOTHING_LEFT, type Left } from './footprint/footprint.js';
import type { Histories, History } from './footprint/history.client.js';
import type { DatabaseLook } from './footprint/postgres.store.js';
import { lookAtStores } from './footprint/stores.process.js';
import { PART_NAMES, type House } from './house/house.process.js';
import type { Ends } from './measure/ends.client.js';
import { measureIdle } from './measure/measure.process.js';
import type { BenchOptions, Contestant } from './options.js';
import type { SelfTimes } from './profile/cpu-profile.js';
import type { Profiler } from './profile/profiler.process.js';
import { middleOf } from './result/numbers.js';
import type { Alone, Results } from './result/results.js';
import { figuresOf, ratiosOf, type Seen } from './result/summarise.js';
import { toldMeasured } from './result/told-measured.js';
import { turnsOf } from './turns.js';

/** What a run works with. */
export interface Bench {
  readonly house: House;
  readonly ends: Ends;
  readonly look: DatabaseLook;
  readonly histories: Histories;
  readonly options: BenchOptions;
  /** Null: none is wanted. */
  readonly profiler: Profiler | null;
  readonly say: (line: string) => void;
}

/** What was measured, by how many trips of each. */
export interface Measurements {
  readonly results: Omit<Results, 'machine' | 'made_on' | keyof Alone>;
  readonly tripsOf: (name: Contestant) => number;
  readonly profiles: ReadonlyMap<string, SelfTimes>;
}

/** The whole, and its two parts: what the queues cost by themselves, and all the rest. */
const COMPARED: readonly (readonly [of: Contestant, to: Contestant])[] = [
  ['a', 'b'],
  ['d', 'b'],
  ['a', 'd'],
];
const IDLE_SECONDS = 5;

/** Warms everything up, measures all in turn, and says each figure as soon as it is there. */
export async function runBench(bench: Bench): Promise<Measurements> {
  const { house, look, options, say } = bench;
  const measureOne = contestantsOf(house, bench.ends);
  const byHandWorker = await startByHandWorker(house, measureOne, options);
  say(`the worker by hand runs with ${byHandWorker.used}`);
  await warmUp(house, measureOne, options, say);
  const idle = await measureIdle(
    IDLE_SECONDS,
    PART_NAMES.map((name) => house.part(name)),
  );
  if (bench.profiler !== null) await look.forgetStatements();
  await bench.profiler?.begin();

  const seen: Seen[] = [];
  const left = new Map<Contestant, Left>();
  const histories = new Map<Contestant, History[]>();
  const turns = turnsOf(options.only, options.loads, options.rounds);
  for (const [index, { name, atOnce, round }] of turns.entries()) {
    const before = await lookAtStores(look, house.temporal.databaseFile);
    const measured = await measureOne(name, { atOnce, seconds: options.seconds });
    const after = await lookAtStores(look, house.temporal.databaseFile);
    seen.push({ name, atOnce, round, measured });
    left.set(name, addLeft(left.get(name) ?? NOTHING_LEFT, measured.trips, before, after));
    const read = await Promise.all(measured.sample.map((id) => bench.histories.of(id)));
    histories.set(name, [...(histories.get(name) ?? []), ...read]);
    say(`${index + 1}/${turns.length}  ${name} at ${atOnce}: ${toldMeasured(measured)}`);
  }

  const profiles = (await bench.profiler?.end()) ?? new Map<string, SelfTimes>();
  const footprints = [...left].map(([name, sum]) =>
    footprintOf(name, sum, usual(histories.get(name) ?? [])),
  );
  const results = {
    rounds: options.rounds,
    seconds_each: options.seconds,
    by_hand_worker: byHandWorker,
    idle_cpu_ms: idle,
    figures: figuresOf(seen),
    ratios: COMPARED.flatMap(([of, to]) => ratiosOf(seen, of, to)),
    footprints,
  };
  return { results, profiles, tripsOf: (name) => left.get(name)?.trips ?? 0 };
}

function usual(histories: readonly History[]): History {
  return {
    events: middleOf(histories.map(({ events }) => events)),
    bytes: middleOf(histories.map(({ bytes }) => bytes)),
  };
}
