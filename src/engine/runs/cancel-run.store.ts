import type { Tx } from '../database/database.js';
import { appendFacts } from '../journal/run-change.store.js';
import type { RunRecord } from '../journal/run-record.js';
import { notifyOutbox } from '../outbox/outbox.store.js';
import { answerCancel, type CancelAnswer } from '../saga/cancel.js';
import { recordIntervention } from './interventions.store.js';

/** Who cancels, and why, if that was said. */
export interface Cancelling {
  readonly by: 'customer' | 'operator' | 'temporal';
  readonly who: string;
  readonly reason?: string;
}

/**
 * Cancels a run that this transaction has open. Accepted is a promise: it will not complete, and
 * ends as cancelled. The run's row is locked, and the database refuses a row with both a cancel and
 * a begun pivot, so cancel and pivot exclude each other whoever comes first. The record, the
 * intervention and the message to Temporal are one transaction. Answers the record after it too.
 */
export async function cancelOpenRun(
  tx: Tx,
  record: RunRecord,
  { by, who, reason }: Cancelling,
): Promise<{ readonly answer: CancelAnswer; readonly record: RunRecord }> {
  const answer = answerCancel(record.state);
  if (answer !== 'accepted') return { answer, record };
  await recordIntervention(tx, {
    run: record.id,
    caseId: null,
    who,
    action: 'cancel',
    reason: reason ?? null,
    evidence: null,
    before: { cancel: false },
    after: { cancel: true },
  });
  const cancelled = await appendFacts(tx, record, [{ kind: 'cancel-accepted', by }]);
  // Temporal need not be told what it said itself.
  if (by !== 'temporal') {
    await tx.query(`insert into outbox (kind, run) values ('cancel', $1::text)`, [record.id]);
    notifyOutbox(tx);
  }
  return { answer, record: cancelled };
}
