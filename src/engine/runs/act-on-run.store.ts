import type { Tx } from '../database/database.js';
import type { RunRecord } from '../journal/run-record.js';
import { openRun } from '../journal/run-record.store.js';
import type { AbandonAnswer, RetryAnswer, RunAction } from '../saga/actions.js';
import type { CancelAnswer } from '../saga/cancel.js';
import type { Sagas } from '../sagas.js';
import { abandonOpenRun } from './abandon-run.store.js';
import { cancelOpenRun } from './cancel-run.store.js';
import { retryOpenRun } from './retry-run.store.js';

/** What an operator wishes for a run. */
export interface ActionWish {
  readonly run: string;
  readonly action: RunAction;
  readonly reason: string;
  readonly who: string;
}

/** What came of it, with the record before and after. */
export interface ActionDone {
  readonly answer: CancelAnswer | RetryAnswer | AbandonAnswer;
  /** When no call can be sent any more; null: none can. */
  readonly until: Date | null;
  readonly before: RunRecord;
  readonly after: RunRecord;
}

/**
 * Does what an operator wishes for a run, or refuses it, with the run's row locked: who, what and
 * why, the lines of the journal and the message to Temporal are one transaction. Nothing is sent to
 * a provider here, and Temporal may be away. Throws RunNotFound, UnknownSaga.
 */
export async function actOnRun(tx: Tx, sagas: Sagas, wish: ActionWish): Promise<ActionDone> {
  const before = await openRun(tx, sagas, wish.run);
  const { answer, record: after, until = null } = await act(tx, before, wish);
  return { answer, until, before, after };
}

function act(
  tx: Tx,
  record: RunRecord,
  { action, who, reason }: ActionWish,
): Promise<
  Omit<ActionDone, 'before' | 'after' | 'until'> & { record: RunRecord; until?: Date | null }
> {
  switch (action) {
    case 'cancel':
      return cancelOpenRun(tx, record, { by: 'operator', who, reason });
    case 'retry-now':
      return retryOpenRun(tx, record, { by: 'operator', who, reason });
    case 'abandon':
      return abandonOpenRun(tx, record, { who, reason });
  }
}
