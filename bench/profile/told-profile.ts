import type { Statement } from '../footprint/postgres.store.js';
import type { SelfTime, SelfTimes } from './cpu-profile.js';

const PACKAGES = 20;
const FUNCTIONS = 40;
const QUERY_LENGTH = 150;

/** Where the time of a process went, in milliseconds a trip. */
export function toldProfile(name: string, times: SelfTimes, trips: number): string {
  const all = times.packages.reduce((sum, { ms }) => sum + ms, 0);
  const line = ({ where, ms }: SelfTime) =>
    `${(ms / trips).toFixed(3).padStart(8)} ms ${((100 * ms) / all).toFixed(1).padStart(5)} %  ` +
    where;
  return [
    `${name}: ${(all / trips).toFixed(1)} ms a trip`,
    ...times.packages.slice(0, PACKAGES).map(line),
    '',
    ...times.functions.slice(0, FUNCTIONS).map(line),
  ].join('\n');
}

/** What Postgres did, a trip. */
export function toldStatements(statements: readonly Statement[], trips: number): string {
  const lines = statements.map(({ calls, totalMs, query }) => {
    const each = (value: number) => (value / trips).toFixed(3).padStart(8);
    return `${each(totalMs)} ms ${each(calls)} calls  ${query.slice(0, QUERY_LENGTH)}`;
  });
  return ['Postgres, a trip:', ...lines].join('\n');
}
