import { TUNINGS } from './by-hand/tunings.js';
import type { House, PartName } from './house/house.process.js';
import { byHandTrip } from './measure/by-hand-trip.client.js';
import type { Ends } from './measure/ends.client.js';
import { engineTrip } from './measure/engine-trip.client.js';
import { measure, type Load, type Measured } from './measure/measure.process.js';
import { checkSameCalls } from './measure/same-calls.client.js';
import type { TripMaker } from './measure/trip-maker.js';
import { USUAL_LOAD, type BenchOptions, type Contestant } from './options.js';
import type { Results } from './result/results.js';
import { TRIP } from './trip.js';

/** Measures one contestant. */
export type Measure = (name: Contestant, load: Load) => Promise<Measured>;

/** Each is charged for the processes that it needs, and not for those of the other. */
const PARTS: Readonly<Record<Contestant, readonly PartName[]>> = {
  a: ['api', 'worker', 'relay', 'postgres', 'temporal', 'sandbox'],
  b: ['front by hand', 'worker by hand', 'temporal', 'sandbox'],
  c: ['front by hand', 'worker by hand', 'temporal'],
  d: ['front by hand', 'worker by hand', 'temporal', 'sandbox'],
};

/** Compilers and caches need some hundred trips until they do as they will. */
const WARM_UP_SECONDS = 5;
const TRIAL_SECONDS = 5;

/** Binds the contestants to the processes of a house. */
export function contestantsOf(house: House, ends: Ends): Measure {
  const trips: Readonly<Record<Contestant, TripMaker>> = {
    a: engineTrip(house.api, ends),
    b: byHandTrip(house.frontUrl, '/trips', TRIP),
    c: byHandTrip(house.frontUrl, '/empty', null),
    d: byHandTrip(house.frontUrl, '/trips-on-queues', TRIP),
  };
  return (name, load) =>
    measure(
      trips[name],
      load,
      PARTS[name].map((part) => house.part(part)),
    );
}

/**
 * Lets each make trips that do not count, and looks whether the engine's and those by hand are the
 * same calls. Throws when they are not.
 */
export async function warmUp(
  house: House,
  measureOne: Measure,
  { only, loads }: BenchOptions,
  say: (line: string) => void,
): Promise<void> {
  const samples: string[] = [];
  for (const name of only) {
    const load = { atOnce: most(loads), seconds: WARM_UP_SECONDS };
    const { trips, sample } = await measureOne(name, load);
    say(`${name} is warm after ${trips} trips`);
    if (name !== 'c') samples.push(...sample.slice(0, 1));
  }
  const [one, ...others] = samples;
  if (one === undefined || others.length === 0) return;
  for (const other of others) await checkSameCalls(house.sandboxUrl, one, other);
  say('all make the same calls');
}

/** Tries how the worker by hand is to be set, where that matters, and leaves the faster running. */
export async function startByHandWorker(
  house: House,
  measureOne: Measure,
  { loads, only }: BenchOptions,
): Promise<Results['by_hand_worker']> {
  const atOnce = most(loads.filter((load) => load <= USUAL_LOAD));
  const speeds: Record<string, number> = {};
  for (const [name, tuning] of only.includes('b') ? Object.entries(TUNINGS) : []) {
    await house.startByHand(tuning);
    await measureOne('b', { atOnce, seconds: WARM_UP_SECONDS });
    const { trips, seconds } = await measureOne('b', { atOnce, seconds: TRIAL_SECONDS });
    speeds[name] = trips / seconds;
  }
  const { defaults = 0, 'fewer-polls': fewer = 0 } = speeds;
  const used = fewer > defaults ? 'fewer-polls' : 'defaults';
  await house.startByHand(TUNINGS[used]);
  return { used, trips_per_second: speeds };
}

function most(loads: readonly number[]): number {
  return Math.max(...loads, 1);
}
