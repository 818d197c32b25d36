import { setTimeout as pause } from 'node:timers/promises';
import type { Part } from '../house/start-part.process.js';
import { cpuMsOf } from './cpu.process.js';
import type { TripMaker } from './trip-maker.js';

/** What was seen in one measurement. */
export interface Measured {
  readonly trips: number;
  readonly seconds: number;
  /** From the request to the end of each trip, in milliseconds. */
  readonly latenciesMs: readonly number[];
  /** Until the customer knew; empty where that is the end. */
  readonly confirmedMs: readonly number[];
  /** CPU milliseconds of each process by its name; `client` is the bench itself. */
  readonly cpuMs: Readonly<Record<string, number>>;
  /** The workflows of a few of the trips. */
  readonly sample: readonly string[];
}

export interface Load {
  readonly atOnce: number;
  readonly seconds: number;
}

/** What is still being closed when the last trip has ended belongs to the trips, too. */
const REST_MS = 300;
const SAMPLE = 5;

/**
 * Makes trips for some seconds, always `atOnce` of them on their way, and waits for the last ones
 * to end. Throws when a trip does not end as it should.
 */
export async function measure(
  trip: TripMaker,
  load: Load,
  parts: readonly Part[],
): Promise<Measured> {
  const latenciesMs: number[] = [];
  const confirmedMs: number[] = [];
  const sample: string[] = [];
  const before = cpuNow(parts);
  const startedAt = performance.now();
  const until = startedAt + load.seconds * 1_000;
  const traveller = async (): Promise<void> => {
    while (performance.now() < until) {
      const began = performance.now();
      const { id, confirmedAt } = await trip();
      latenciesMs.push(performance.now() - began);
      if (confirmedAt !== undefined) confirmedMs.push(confirmedAt - began);
      if (sample.length < SAMPLE) sample.push(id);
    }
  };
  await Promise.all(Array.from({ length: load.atOnce }, traveller));
  const seconds = (performance.now() - startedAt) / 1_000;
  await pause(REST_MS);
  const cpuMs = since(before, cpuNow(parts));
  return { trips: latenciesMs.length, seconds, latenciesMs, confirmedMs, cpuMs, sample };
}

/** What each process costs while nobody does anything, in CPU milliseconds a second. */
export async function measureIdle(
  seconds: number,
  parts: readonly Part[],
): Promise<Readonly<Record<string, number>>> {
  const before = cpuNow(parts);
  await pause(seconds * 1_000);
  const spent = Object.entries(since(before, cpuNow(parts)));
  return Object.fromEntries(spent.map(([name, ms]) => [name, ms / seconds]));
}

type Cpu = Readonly<Record<string, number>>;

function cpuNow(parts: readonly Part[]): Cpu {
  const times = cpuMsOf(parts.map(({ pid }) => pid));
  const { user, system } = process.cpuUsage();
  return {
    ...Object.fromEntries(parts.map(({ name }, index) => [name, times[index] ?? 0])),
    client: (user + system) / 1_000,
  };
}

function since(before: Cpu, after: Cpu): Cpu {
  return Object.fromEntries(
    Object.entries(after).map(([name, ms]) => [name, ms - (before[name] ?? 0)]),
  );
}
