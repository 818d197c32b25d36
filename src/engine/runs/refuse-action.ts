import { Problem } from '../http/problem.js';
import { viewRun } from '../saga/run-view.js';
import type { ActionDone } from './act-on-run.store.js';

/** The pivot is one call to a provider: by then it is mostly decided. */
const PIVOT_RETRY_S = 1;

/** Throws the Problem of an action that was refused, so that nothing of it is kept. */
export function refuseAction({ answer, until, after }: ActionDone): void {
  switch (answer) {
    case 'accepted':
    case 'unchanged':
      return;
    case 'pivot-in-progress':
      throw new Problem(answer, { headers: { 'Retry-After': String(PIVOT_RETRY_S) } });
    case 'call-in-progress':
      throw new Problem(answer, inTime(until, after.now));
    case 'nothing-to-retry':
    case 'past-pivot':
    case 'already-ended':
      throw new Problem(answer, { members: { run_state: viewRun(after.state).state } });
  }
}

function inTime(until: Date | null, now: Date): Problem['details'] {
  if (until === null) return {};
  const seconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1_000));
  return {
    detail: `A call of the run may still be sent until ${until.toISOString()}.`,
    members: { until: until.toISOString() },
    headers: { 'Retry-After': String(seconds) },
  };
}
