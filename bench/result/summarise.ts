import type { Measured } from '../measure/measure.process.js';
import { middleOf, quantileOf, spreadOf, type Spread } from './numbers.js';

/** One measurement of a run, with the round it belongs to. */
export interface Seen {
  readonly name: string;
  readonly atOnce: number;
  readonly round: number;
  readonly measured: Measured;
}

/** One contestant at one load, over all rounds. */
export interface Figures {
  readonly name: string;
  readonly at_once: number;
  readonly trips: number;
  readonly trips_per_second: Spread;
  /** Of a whole trip, in milliseconds; each the middle of what the rounds had. */
  readonly p50_ms: number;
  readonly p99_ms: number;
  /** Until the customer knew; null where that is the end. */
  readonly confirmed_p50_ms: number | null;
  /** CPU milliseconds a trip, by process, of all but the client. */
  readonly cpu_ms: Readonly<Record<string, number>>;
  readonly cpu_ms_in_all: Spread;
  readonly client_cpu_ms: number;
}

/** One contestant against another at one load: the quotients of the rounds. */
export interface Ratio {
  readonly of: string;
  readonly to: string;
  readonly at_once: number;
  readonly trips_per_second: Spread;
  readonly cpu_ms: Spread;
}

/** The figures of each contestant at each load, in the order in which they were first seen. */
export function figuresOf(all: readonly Seen[]): readonly Figures[] {
  const kinds = new Map(all.map(({ name, atOnce }) => [`${name} ${atOnce}`, { name, atOnce }]));
  return [...kinds.values()].map(({ name, atOnce }) => {
    const rounds = all.filter((seen) => seen.name === name && seen.atOnce === atOnce);
    return figures(
      name,
      atOnce,
      rounds.map(({ measured }) => measured),
    );
  });
}

function figures(name: string, atOnce: number, rounds: readonly Measured[]): Figures {
  const p = (quantile: number, of: (round: Measured) => readonly number[]) =>
    middleOf(rounds.map((round) => quantileOf(of(round), quantile)));
  const confirmed = rounds.filter(({ confirmedMs }) => confirmedMs.length > 0);
  const names = [...new Set(rounds.flatMap(({ cpuMs }) => Object.keys(cpuMs)))];
  const cpu = (process: string) =>
    middleOf(rounds.map(({ cpuMs, trips }) => (cpuMs[process] ?? 0) / trips));
  return {
    name,
    at_once: atOnce,
    trips: rounds.reduce((sum, { trips }) => sum + trips, 0),
    trips_per_second: spreadOf(rounds.map(speed)),
    p50_ms: p(0.5, ({ latenciesMs }) => latenciesMs),
    p99_ms: p(0.99, ({ latenciesMs }) => latenciesMs),
    confirmed_p50_ms:
      confirmed.length === 0
        ? null
        : middleOf(confirmed.map(({ confirmedMs }) => quantileOf(confirmedMs, 0.5))),
    cpu_ms: Object.fromEntries(
      names.filter((process) => process !== 'client').map((process) => [process, cpu(process)]),
    ),
    cpu_ms_in_all: spreadOf(rounds.map(cpuInAll)),
    client_cpu_ms: cpu('client'),
  };
}

/** How the first compares with the second, round by round, at each load that both were seen at. */
export function ratiosOf(all: readonly Seen[], of: string, to: string): readonly Ratio[] {
  const loads = [...new Set(all.map(({ atOnce }) => atOnce))];
  return loads.flatMap((atOnce) => {
    const at = (name: string) => all.filter((seen) => seen.name === name && seen.atOnce === atOnce);
    const pairs = at(of).flatMap((one) => {
      const other = at(to).find(({ round }) => round === one.round);
      return other === undefined ? [] : [[one.measured, other.measured] as const];
    });
    if (pairs.length === 0) return [];
    return [
      {
        ...{ of, to, at_once: atOnce },
        trips_per_second: spreadOf(pairs.map(([one, other]) => speed(one) / speed(other))),
        cpu_ms: spreadOf(pairs.map(([one, other]) => cpuInAll(one) / cpuInAll(other))),
      },
    ];
  });
}

/** Trips a second. */
function speed({ trips, seconds }: Measured): number {
  return trips / seconds;
}

/** CPU milliseconds a trip of everything but the client. */
function cpuInAll({ cpuMs, trips }: Measured): number {
  const served = Object.entries(cpuMs).filter(([process]) => process !== 'client');
  return served.reduce((sum, [, ms]) => sum + ms, 0) / trips;
}
