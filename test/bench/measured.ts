import type { Measured } from '../../bench/measure/measure.process.js';
import type { Seen } from '../../bench/result/summarise.js';

/** A measurement of ten trips in a second, with some members changed. */
export function measured(changes: Partial<Measured> = {}): Measured {
  return {
    trips: 10,
    seconds: 1,
    latenciesMs: [10, 20, 30, 40],
    confirmedMs: [],
    cpuMs: { worker: 50, temporal: 100, client: 1_000 },
    sample: ['trip-1'],
    ...changes,
  };
}

export function seen(name: string, round: number, changes: Partial<Measured> = {}): Seen {
  return { name, atOnce: 20, round, measured: measured(changes) };
}
