import type { Queryable } from '../database/database.js';
import type { Position } from '../http/cursor.js';
import type { Problem } from '../saga/journal.js';
import type { RunStateName } from '../saga/run-view.js';
import type { Sealer } from '../sealing/seal.js';
import {
  openSnapshot,
  RUN_COLUMNS,
  SNAPSHOT_COLUMNS,
  type RunFields,
  type RunSnapshot,
  type SnapshotRow,
} from './read-runs.store.js';

/** Which runs a customer lists; null: any. */
export interface RunFilter {
  readonly account: string;
  readonly saga: string;
  readonly status: string | null;
  readonly reference: string | null;
}

/** Which runs an engineer lists; null: any. */
export interface RunSearch {
  readonly state: RunStateName | null;
  readonly saga: string | null;
  readonly account: string | null;
  /** `any`: those that wait for a person, whatever for. */
  readonly problem: Problem | 'any' | null;
  /** Those that live and have had no news since. */
  readonly silentSince: Date | null;
}

export interface Page {
  readonly after: Position | null;
  readonly limit: number;
}

/** A page of an account's runs of one saga, newest first, and where it ends. Throws CannotOpen. */
export async function listRuns(
  database: Queryable,
  sealer: Sealer,
  filter: RunFilter,
  page: Page,
): Promise<{ readonly runs: readonly RunSnapshot[]; readonly next: Position | null }> {
  const { account, saga, status, reference } = filter;
  const wanted: Condition[] = [
    ['runs.account = ?::text', account],
    ['runs.saga = ?::text', saga],
  ];
  if (status !== null) wanted.push(['runs.status = ?::text', status]);
  if (reference !== null) wanted.push(['runs.reference = ?::text', reference]);
  const parts = reference === null ? [ALIVE, ENDED] : [HOLDS_REFERENCE, LET_REFERENCE_GO];
  const rows = await readPage<SnapshotRow>(database, SNAPSHOT_COLUMNS, { wanted, parts }, page);
  return cut(rows, page, (row) => openSnapshot(row, sealer));
}

/** A page of all accounts' runs, newest first, and where it ends; nothing sealed is opened. */
export async function searchRuns(
  database: Queryable,
  search: RunSearch,
  page: Page,
): Promise<{ readonly runs: readonly RunFields[]; readonly next: Position | null }> {
  const { state, saga, account, problem, silentSince } = search;
  const wanted: Condition[] = [];
  if (state !== null) wanted.push(['runs.state = ?::text', state]);
  if (saga !== null) wanted.push(['runs.saga = ?::text', saga]);
  if (account !== null) wanted.push(['runs.account = ?::text', account]);
  if (problem !== null && problem !== 'any') wanted.push(['runs.problem = ?::text', problem]);
  if (silentSince !== null) {
    wanted.push([`${ALIVE} and runs.updated_at < ?::timestamptz`, silentSince]);
  }
  const parts = partsOf(search);
  const rows = await readPage<RunRow>(database, RUN_COLUMNS, { wanted, parts }, page);
  return cut(rows, page, ({ at: _at, ...fields }) => fields);
}

type RunRow = RunFields & { readonly at: string };
/** A condition, with its one parameter written as `?`, and the value of that. */
type Condition = readonly [text: string, value: unknown];

// Each pair halves the table, and each half has indexes of its own: see 0006_lists.sql. The texts
// are those of the indexes, so that Postgres sees that they can be used.
const ALIVE = 'runs.ended_at is null';
const ENDED = 'runs.ended_at is not null';
const HOLDS_REFERENCE = `runs.status not in ('failed', 'cancelled')
    and not (runs.status = 'closed' and runs.remains = '[]'::jsonb)`;
const LET_REFERENCE_GO = `(runs.status in ('failed', 'cancelled')
    or (runs.status = 'closed' and runs.remains = '[]'::jsonb))`;
const WAITS_FOR_PERSON = 'runs.problem is not null';

function partsOf({ state, problem, silentSince }: RunSearch): readonly string[] {
  if (problem !== null || state === 'needs_reconciliation') return [WAITS_FOR_PERSON];
  if (silentSince !== null || state === 'running' || state === 'undoing') return [ALIVE];
  return state === null ? [ALIVE, ENDED] : [ENDED];
}

/** One row more than the page holds, if there is one: the first of what comes next. */
async function readPage<Row extends object>(
  database: Queryable,
  columns: string,
  { wanted, parts }: { readonly wanted: readonly Condition[]; readonly parts: readonly string[] },
  page: Page,
): Promise<readonly Row[]> {
  const values: unknown[] = [page.limit];
  const conditions = wanted.map(([text, value]) => text.replace('?', () => place(values, value)));
  if (page.after !== null) conditions.push(isAfter(page.after, values));
  const part = (its: string): string => `(select runs.id, runs.created_at from runs
     where ${[its, ...conditions].join('\n       and ')}
     order by runs.created_at desc, runs.id desc limit $1::integer + 1)`;
  const { rows } = await database.query<Row>(
    `select ${columns}
     from (select id from (${parts.map(part).join('\n     union all ')}) as found
           order by created_at desc, id desc limit $1::integer + 1) as page
     join runs on runs.id = page.id
     order by runs.created_at desc, runs.id desc`,
    values,
  );
  return rows;
}

function place(values: unknown[], value: unknown): string {
  return `$${values.push(value)}`;
}

function isAfter({ at, id }: Position, values: unknown[]): string {
  const instant = `timestamptz 'epoch' + ${place(values, at)}::bigint * interval '1 microsecond'`;
  // Under the second lock texts are not compared before the lock has been looked at: the instant
  // alone is what the index begins with.
  return `runs.created_at <= ${instant}
       and (runs.created_at, runs.id) < (${instant}, ${place(values, id)}::text)`;
}

function cut<Row extends { readonly id: string; readonly at: string }, Item>(
  rows: readonly Row[],
  { limit }: Page,
  read: (row: Row) => Item,
): { readonly runs: readonly Item[]; readonly next: Position | null } {
  const kept = rows.slice(0, limit);
  const last = kept.at(-1);
  const next =
    rows.length > kept.length && last !== undefined ? { at: last.at, id: last.id } : null;
  return { runs: kept.map(read), next };
}
