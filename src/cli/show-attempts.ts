import type { AttemptView } from '../engine/cases/case-schema.js';
import { table } from './table.js';
import { sayCall, sayDuration, sayTime } from './words.js';

/** Every call that was made, the first one first. */
export function showAttempts(attempts: readonly AttemptView[]): string {
  return table(
    ['call', 'attempt', 'state', 'began', 'took', 'detail', 'provider id', 'worker'],
    attempts.map((one) => [
      sayCall(one),
      one.attempt,
      one.state,
      sayTime(one.began_at),
      sayDuration(one.began_at, one.ended_at),
      one.detail,
      one.provider_id,
      one.worker,
    ]),
  );
}
