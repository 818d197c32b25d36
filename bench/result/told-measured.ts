import type { Measured } from '../measure/measure.process.js';
import { quantileOf } from './numbers.js';

/** Less than this a trip is not told while the run goes on. */
const LEAST_TOLD_MS = 0.1;

/** One measurement in one line. */
export function toldMeasured({ trips, seconds, latenciesMs, cpuMs }: Measured): string {
  const each = Object.entries(cpuMs).map(([name, ms]): [string, number] => [name, ms / trips]);
  const all = each.filter(([name]) => name !== 'client').reduce((sum, [, ms]) => sum + ms, 0);
  const parts = each
    .filter(([, ms]) => ms >= LEAST_TOLD_MS)
    .map(([name, ms]) => `${name} ${ms.toFixed(1)}`);
  const p = (share: number) => quantileOf(latenciesMs, share).toFixed(0);
  return (
    `${(trips / seconds).toFixed(1)}/s, p50 ${p(0.5)} ms, p99 ${p(0.99)} ms, ` +
    `CPU ${all.toFixed(1)} ms a trip (${parts.join(', ')})`
  );
}
