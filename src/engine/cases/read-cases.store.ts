import type { Queryable } from '../database/database.js';
import type { Position } from '../http/cursor.js';
import { callInputPlace } from '../journal/sealed-places.js';
import type { Problem, Verdict } from '../saga/journal.js';
import type { Direction } from '../saga/step-key.js';
import type { Sealer } from '../sealing/seal.js';

export type CaseState = 'open' | 'resolved' | 'settled';

/** A case as it is listed. */
export interface CaseFact {
  readonly id: string;
  readonly run: string;
  readonly account: string;
  readonly saga: string;
  readonly version: number;
  readonly step: string;
  readonly direction: Direction;
  readonly problem: Problem;
  readonly state: CaseState;
  readonly revision: number;
  readonly openedAt: Date;
  readonly closedAt: Date | null;
  readonly verdict: Verdict | null;
  readonly evidence: string | null;
  readonly reason: string | null;
  readonly resolvedBy: string | null;
  readonly money: { readonly amount: number; readonly currency: string } | null;
  /** The run turns back, or has been told to. */
  readonly unwinding: boolean;
  readonly runEnded: boolean;
}

/** The key that the call of a case was sent under, and what was sent. */
export interface SentFact {
  readonly key: string;
  readonly input: unknown;
  readonly firstSentAt: Date | null;
  readonly providerId: string | null;
}

type CaseRow = Omit<CaseFact, 'money'> & {
  readonly amount: string | null;
  readonly currency: string | null;
  readonly at: string;
};

const SELECT = `
  select cases.id, cases.run, runs.account, runs.saga, runs.version, cases.step, cases.direction,
         cases.problem, cases.state, cases.revision, cases.opened_at as "openedAt",
         cases.closed_at as "closedAt", cases.verdict, cases.evidence, cases.reason,
         cases.resolved_by as "resolvedBy", cases.amount, cases.currency,
         runs.unwinding_because is not null or runs.cancel_requested_at is not null as unwinding,
         runs.ended_at is not null as "runEnded",
         (extract(epoch from cases.opened_at) * 1000000)::bigint::text as at
  from cases join runs on runs.id = cases.run`;

/** One case; null when there is none of this id. */
export async function readCase(database: Queryable, id: string): Promise<CaseFact | null> {
  const { rows } = await database.query<CaseRow>(`${SELECT} where cases.id = $1::text`, [id]);
  const [row] = rows;
  return row === undefined ? null : factOf(row);
}

/** The cases of a run, the oldest first. */
export async function readCasesOfRun(db: Queryable, run: string): Promise<readonly CaseFact[]> {
  const { rows } = await db.query<CaseRow>(
    `${SELECT} where cases.run = $1::text order by cases.opened_at, cases.id`,
    [run],
  );
  return rows.map(factOf);
}

/** A page of cases, the newest first, in one state or in all, and where it ends. */
export async function listCases(
  database: Queryable,
  state: CaseState | null,
  page: { readonly after: Position | null; readonly limit: number },
): Promise<{ readonly cases: readonly CaseFact[]; readonly next: Position | null }> {
  const values: unknown[] = [page.limit];
  const wanted: string[] = [];
  if (state !== null) wanted.push(`cases.state = $${values.push(state)}::text`);
  if (page.after !== null) {
    const { at, id } = page.after;
    wanted.push(`(cases.opened_at, cases.id)
      < (timestamptz 'epoch' + $${values.push(at)}::bigint * interval '1 microsecond',
         $${values.push(id)}::text)`);
  }
  const { rows } = await database.query<CaseRow>(
    `${SELECT}
     ${wanted.length === 0 ? '' : `where ${wanted.join(' and ')}`}
     order by cases.opened_at desc, cases.id desc
     limit $1::integer + 1`,
    values,
  );
  const kept = rows.slice(0, page.limit);
  const last = kept.at(-1);
  return {
    cases: kept.map(factOf),
    next: rows.length > kept.length && last !== undefined ? { at: last.at, id: last.id } : null,
  };
}

/** What was sent for a call, opened; null when nothing was. Throws CannotOpen. */
export async function readSent(
  database: Queryable,
  sealer: Sealer,
  call: { readonly run: string; readonly step: string; readonly direction: Direction },
): Promise<SentFact | null> {
  const { rows } = await database.query<Omit<SentFact, 'input'> & { input: Buffer | null }>(
    `select key, input, first_sent_at as "firstSentAt", provider_id as "providerId"
     from step_keys where run = $1::text and step = $2::text and direction = $3::text`,
    [call.run, call.step, call.direction],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const input = row.input === null ? null : sealer.open(row.input, callInputPlace(call));
  return { ...row, input };
}

function factOf({ amount, currency, at: _at, ...row }: CaseRow): CaseFact {
  const money = amount === null || currency === null ? null : { amount: Number(amount), currency };
  return { ...row, money };
}
