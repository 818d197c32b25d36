import { theRow, type Tx } from '../database/database.js';
import { safeId } from '../journal/names-only.js';
import { applyChange } from '../journal/run-change.store.js';
import type { RunRecord } from '../journal/run-record.js';
import { openRun } from '../journal/run-record.store.js';
import { valuePlace } from '../journal/sealed-places.js';
import { recordIntervention } from '../runs/interventions.store.js';
import { stepNamed } from '../saga/definition.js';
import type { Problem, Verdict } from '../saga/journal.js';
import { allowedVerdicts, type AllowedVerdict } from '../saga/verdicts.js';
import type { Sagas } from '../sagas.js';
import type { Sealer } from '../sealing/seal.js';

export interface VerdictGiven {
  readonly case: string;
  /** The revisions of the case that it is good for: the one that the person saw. */
  readonly revisions: readonly number[];
  readonly verdict: Verdict;
  /** For `happened` on a forward step: what the provider answered, as the act reads it. */
  readonly value?: unknown;
  readonly amount?: { readonly amount: number; readonly currency: string };
  readonly evidence: string;
  readonly reason: string;
  readonly who: string;
}

/** Thrown when there is no case of this id. */
export class CaseNotFound extends Error {
  override readonly name = 'CaseNotFound';
}

/** Thrown when somebody else, or a fact, has closed the case. */
export class CaseResolved extends Error {
  override readonly name = 'CaseResolved';
}

/** Thrown when the case is not as it was when the person looked. */
export class ChangedSinceYouLooked extends Error {
  override readonly name = 'ChangedSinceYouLooked';

  constructor(readonly revision: number) {
    super('the case has changed since it was looked at');
  }
}

/** Thrown for a verdict that this case does not allow, or whose value the act cannot read. */
export class VerdictInvalid extends Error {
  override readonly name = 'VerdictInvalid';

  constructor(
    /** RFC 6901, into the verdict as it was sent. */
    readonly pointer: string,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

interface CaseRow {
  readonly id: string;
  readonly run: string;
  readonly step: string;
  readonly direction: 'do' | 'undo';
  readonly problem: Problem;
  readonly state: 'open' | 'resolved' | 'settled';
  readonly revision: number;
}

/**
 * Gives the verdict on a case: case, intervention, journal line, the value if one was given, and
 * the message that tells the run are one transaction. Of two people who decide at once, one does;
 * the other hears CaseResolved. Nothing is sent to a provider here. Answers the run's record before
 * it and after it.
 * Throws CaseNotFound, CaseResolved, ChangedSinceYouLooked, VerdictInvalid, UnknownSaga.
 */
export async function resolveCase(
  tx: Tx,
  sagas: Sagas,
  sealer: Sealer,
  given: VerdictGiven,
): Promise<{ readonly before: RunRecord; readonly after: RunRecord }> {
  const run = await runOf(tx, given.case);
  // The run's lock comes first, as everywhere, so that two writers never wait for each other.
  const record = await openRun(tx, sagas, run);
  const row = await lockCase(tx, given.case);
  if (row.state !== 'open') throw new CaseResolved('the case is closed');
  if (!given.revisions.includes(row.revision)) throw new ChangedSinceYouLooked(row.revision);
  const value = readValue(sagas, record, row, given);
  await closeRow(tx, row, given);
  await recordIntervention(tx, {
    run,
    caseId: row.id,
    who: given.who,
    action: `verdict ${given.verdict}`,
    reason: given.reason,
    evidence: given.evidence,
    before: { case: 'open' },
    after: { case: 'resolved', verdict: given.verdict },
  });
  const providerId = safeId(value);
  const { id, step, direction } = row;
  const { verdict } = given;
  const place = valuePlace({ run, step, direction });
  const after = await applyChange(tx, record, {
    facts: [{ kind: 'verdict', case: id, step, direction, verdict, provider_id: providerId }],
    ...(value !== undefined && {
      keys: [{ step, direction, value: sealer.seal(value, place), providerId }],
    }),
    looks: true,
  });
  return { before: record, after };
}

async function runOf(tx: Tx, id: string): Promise<string> {
  const found = await tx.query<{ run: string }>(`select run from cases where id = $1::text`, [id]);
  if (found.rows[0] === undefined) throw new CaseNotFound('there is no such case');
  return found.rows[0].run;
}

async function lockCase(tx: Tx, id: string): Promise<CaseRow> {
  const found = await tx.query<CaseRow>(
    `select id, run, step, direction, problem, state, revision
     from cases where id = $1::text for update`,
    [id],
  );
  return theRow(found.rows);
}

/** The verdicts that a case allows now. */
export function verdictsFor(
  record: RunRecord,
  row: Omit<CaseRow, 'state'>,
): readonly AllowedVerdict[] {
  const step = stepNamed(record.definition, row.step);
  return allowedVerdicts({
    problem: row.problem,
    direction: row.direction,
    place: step.place,
    undoable: step.undo !== null,
    unwinding: record.state.unwindingBecause !== null || record.state.cancelAccepted,
    ended: record.state.finishedAs !== null,
  });
}

function readValue(sagas: Sagas, record: RunRecord, row: CaseRow, given: VerdictGiven): unknown {
  const allowed = verdictsFor(record, row).find((one) => one.verdict === given.verdict);
  if (allowed === undefined) {
    throw new VerdictInvalid('/verdict', 'not-allowed', `${given.verdict} is not allowed here`);
  }
  if (!allowed.needsValue) {
    if (given.value === undefined) return undefined;
    throw new VerdictInvalid('/value', 'not-allowed', `${given.verdict} takes no value here`);
  }
  const step = stepNamed(record.definition, row.step);
  const act = sagas.act(step.forward.run);
  try {
    return act.kind === 'find' ? undefined : act.parse(given.value);
  } catch {
    const sample = sagas.sample(step);
    const such = sample === undefined ? '' : `, which is such as ${JSON.stringify(sample)}`;
    const message = `the value is not what ${step.forward.run} answers${such}`;
    throw new VerdictInvalid('/value', 'invalid', message);
  }
}

async function closeRow(tx: Tx, row: CaseRow, given: VerdictGiven): Promise<void> {
  const written = await tx.query(
    `update cases
     set state = 'resolved', closed_at = clock_timestamp(), revision = revision + 1,
         verdict = $3::text, evidence = $4::text, reason = $5::text, resolved_by = $6::text,
         amount = $7::bigint, currency = $8::text
     where id = $1::text and state = 'open' and revision = $2::integer`,
    [
      row.id,
      row.revision,
      given.verdict,
      given.evidence,
      given.reason,
      given.who,
      given.amount?.amount ?? null,
      given.amount?.currency ?? null,
    ],
  );
  if (written.rowCount !== 1) throw new CaseResolved('the case is closed');
}
