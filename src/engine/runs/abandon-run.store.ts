import type { Tx } from '../database/database.js';
import { applyChange } from '../journal/run-change.store.js';
import type { KeyChange } from '../journal/run-change.js';
import { sentUntil, type RunRecord } from '../journal/run-record.js';
import { answerAbandon, factsOfAbandoning, type AbandonAnswer } from '../saga/actions.js';
import { callOf } from '../saga/definition.js';
import { viewRun } from '../saga/run-view.js';
import { recordIntervention } from './interventions.store.js';

/** Who closes a run as it is, and why. */
export interface Abandoning {
  readonly who: string;
  readonly reason: string;
}

/** What came of it; `until`: when no call can be sent any more, where one still can. */
export interface Abandoned {
  readonly answer: AbandonAnswer;
  readonly until: Date | null;
  readonly record: RunRecord;
}

/**
 * Closes a run as it is, in one transaction whose row is locked: the intervention; every key, so
 * that nothing gets through any more; its attempts, of which nobody will say what they did; its
 * cases, with who closed them and why; the end, with all that remains; and the message that tells
 * the workflow. Refused while a call can still be sent. Of a call that took effect after all the
 * fact is kept, and opens a case, as after every end.
 */
export async function abandonOpenRun(
  tx: Tx,
  record: RunRecord,
  { who, reason }: Abandoning,
): Promise<Abandoned> {
  const until = sentUntil(record);
  const answer = answerAbandon(record.state, until !== null);
  if (answer !== 'accepted') return { answer, until, record };
  await recordIntervention(tx, {
    run: record.id,
    caseId: null,
    who,
    action: 'abandon',
    reason,
    evidence: null,
    before: { state: viewRun(record.state).state },
    after: { state: 'closed_by_hand' },
  });
  await settleAttempts(tx, record.id);
  await signCases(tx, record.id, who, reason);
  const change = { facts: factsOfAbandoning(record.state), keys: everyKey(record), looks: true };
  return { answer, until: null, record: await applyChange(tx, record, change) };
}

function everyKey({ definition }: RunRecord): readonly KeyChange[] {
  return definition.steps.flatMap((step) =>
    (['do', 'undo'] as const)
      .filter((direction) => callOf(step, direction) !== null)
      .map((direction): KeyChange => ({ step: step.name, direction, closes: true })),
  );
}

/** Their processes have died, or will tell later: then the fact is written over this. */
async function settleAttempts(tx: Tx, run: string): Promise<void> {
  await tx.query(
    `update attempts
     set state = 'unknown', detail = 'abandoned', ended_at = clock_timestamp()
     where run = $1::text and state = 'sending'`,
    [run],
  );
}

/** They are closed by the line of the journal that says so. */
async function signCases(tx: Tx, run: string, who: string, reason: string): Promise<void> {
  await tx.query(
    `update cases set resolved_by = $2::text, reason = $3::text
     where run = $1::text and state = 'open'`,
    [run, who, reason],
  );
}
