import type { Tx } from '../database/database.js';
import { applyChange } from '../journal/run-change.store.js';
import { ticksOf, type RunRecord } from '../journal/run-record.js';
import { answerRetry, type RetryAnswer } from '../saga/actions.js';
import { recordIntervention } from './interventions.store.js';

/** Who says "now", and why, if that was said. */
export interface Retrying {
  readonly by: 'operator' | 'temporal';
  readonly who: string;
  readonly reason?: string;
}

/**
 * Lets what waits for its time in a run go on at once: the intervention, the line of the journal
 * and the message that tells the run are one transaction, whose row is locked. It gives no attempt
 * back, and decides nothing that is a person's to decide. Answers the record after it.
 */
export async function retryOpenRun(
  tx: Tx,
  record: RunRecord,
  { by, who, reason }: Retrying,
): Promise<{ readonly answer: RetryAnswer; readonly record: RunRecord }> {
  const answer = answerRetry(record.state, ticksOf(record));
  if (answer !== 'accepted') return { answer, record };
  await recordIntervention(tx, {
    run: record.id,
    caseId: null,
    who,
    action: 'retry-now',
    reason: reason ?? null,
    evidence: null,
    before: { waits: true },
    after: { waits: false },
  });
  // The workflow that was told so itself learns it from the answer of its activity.
  const change = { facts: [{ kind: 'retried', by } as const], looks: by !== 'temporal' };
  return { answer, record: await applyChange(tx, record, change) };
}
