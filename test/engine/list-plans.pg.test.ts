import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listCases } from '../../src/engine/cases/read-cases.store.js';
import type { Queryable } from '../../src/engine/database/database.js';
import { listRuns, searchRuns } from '../../src/engine/runs/list-runs.store.js';
import { createSealer } from '../../src/engine/sealing/seal.js';
import { freshDatabase, type TestDatabase } from '../support/postgres.js';

const RUNS = 100_000;
/** Seconds where nothing else runs; two cores may be busy. */
const FILL_LIMIT_MS = 240_000;
/** Enough for a page of a hundred, or to look through all that lives; all runs need thousands. */
const BLOCKS_MOST = 700;
const page = { after: null, limit: 20 };
const sealer = createSealer(`test:${Buffer.alloc(32, 7).toString('base64')}`);

let database: TestDatabase;
let pool: pg.Pool;

interface Node {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly Node[];
}

/** Of 500 runs one lives, of 1,000 one needs a person, of 10,000 one is an errand. */
const FILL = `
  insert into runs (id, account, saga, version, rules, reference, input, look_after_ms, look_wait_ms,
                    look_at, created_at, updated_at, ended_at, state, status, problem, stuck_since)
  select 'bk_' || translate(substr(md5(n::text), 1, 26), '0189', 'wxyz'),
         case when n % 3 = 0 then 'zenith' else 'acme' end,
         case when n % 10000 = 7 then 'errand' else 'book-trip' end, 1, 1,
         'cart-' || n / 2, '', 60000, 60000,
         case when alive then now() end, made, made, case when not alive then made end,
         case when stuck then 'needs_reconciliation' when alive then 'running'
              when n % 1000 = 13 then 'closed_by_hand' when n % 7 = 0 then 'undone'
              else 'completed' end,
         case when stuck then 'in_review' when alive then 'pending'
              when n % 1000 = 13 then 'closed' when n % 7 = 0 or n % 2 = 1 then 'failed'
              else 'confirmed' end,
         case when stuck then 'unknown-outcome' end, case when stuck then made end
  from generate_series(1, ${RUNS}) as n,
       lateral (select n % 500 = 0 as alive, n % 1000 = 0 as stuck,
                       now() - (${RUNS} - n) * interval '1 second' as made) as facts`;

const CASES = `
  insert into cases (id, run, step, direction, problem, state, closed_at, opened_at)
  select 'case_' || substr(id, 4), id, 'hotel', 'do', 'unknown-outcome',
         case when problem is null then 'settled' else 'open' end,
         case when problem is null then created_at end, created_at
  from runs where created_at > now() - interval '20000 seconds' or problem is not null`;

beforeAll(async () => {
  database = await freshDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 1 });
  await pool.query(`insert into accounts (id, name) values ('acme', 'A'), ('zenith', 'Z')`);
  await pool.query('set synchronous_commit = off');
  await pool.query(FILL);
  await pool.query(CASES);
  await pool.query('vacuum analyze');
}, FILL_LIMIT_MS);
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/**
 * Has every statement of `work` explained instead of answered, and answers the plans: under the
 * second lock where it is one account's.
 */
async function plansOf(
  work: (database: Queryable) => Promise<unknown>,
  account: string | null,
): Promise<readonly Node[]> {
  const plans: Node[] = [];
  const explain = async (text: string, values: unknown[]): Promise<unknown> => {
    const how = 'explain (analyze, buffers, format json)';
    const { rows } = await pool.query(`${how} ${text}`, values);
    plans.push(rows[0]['QUERY PLAN'][0].Plan);
    return { rows: [] };
  };
  const lock = `; set local role recourse_customer; set local recourse.account = '${account}'`;
  await pool.query(`begin${account === null ? '' : lock}`);
  await work({ query: explain } as unknown as Queryable);
  await pool.query('commit');
  return plans;
}

/** The tables that are read from end to end; those without a row here count for nothing. */
function scans(node: Node): readonly string[] {
  const table = node['Relation Name'] ?? '';
  const isScan = node['Node Type'] === 'Seq Scan' && ['runs', 'cases'].includes(table);
  const own = isScan ? [table] : [];
  return [...own, ...(node.Plans ?? []).flatMap(scans)];
}

const nothing = { state: null, saga: null, account: null, problem: null, silentSince: null };
const hourAgo = new Date(Date.now() - 3_600_000);
const middle = { at: `${(Date.now() - (RUNS / 2) * 1_000) * 1_000}`, id: `bk_${'m'.repeat(26)}` };
const caseHere = { ...middle, id: `case_${'m'.repeat(26)}` };
const bookings = { account: 'acme', saga: 'book-trip', status: null, reference: null };

/** A title that is the same at every run. */
const said = (filter: object, { after }: { readonly after: unknown }) => {
  const wanted = Object.entries(filter).map(([name, value]) =>
    value instanceof Date ? `${name} an hour ago` : `${name} ${value}`,
  );
  return [...wanted, after === null ? 'from the newest' : 'from the middle'].join(', ');
};

const list = (
  filter: { readonly account?: string; readonly [name: string]: unknown },
  from = page,
) => [
  `bookings ${said(filter, from)}`,
  (db: Queryable) => listRuns(db, sealer, { ...bookings, ...filter }, from),
  filter.account ?? bookings.account,
];
const search = (filter: object, from = page) => [
  `runs ${said(filter, from)}`,
  (db: Queryable) => searchRuns(db, { ...nothing, ...filter }, from),
  null,
];
const cases = (state: 'open' | 'settled' | null, from = page) => [
  `cases ${said({ state }, from)}`,
  (db: Queryable) => listCases(db, state, from),
  null,
];
const onward = { after: middle, limit: 100 } as unknown as typeof page;
const onwardCases = { after: caseHere, limit: 100 } as unknown as typeof page;

test.each([
  list({}),
  list({}, onward),
  list({ reference: 'cart-4711' }),
  list({ reference: 'cart-4711', status: 'failed' }),
  list({ reference: 'none' }),
  ...['pending', 'confirmed', 'failing', 'failed', 'cancelled', 'in_review', 'closed'].map(
    (status) => list({ status }),
  ),
  list({ status: 'closed' }, onward),
  list({ account: 'nobody' }),
  search({}),
  search({}, onward),
  ...['running', 'undoing', 'needs_reconciliation', 'completed', 'undone', 'closed_by_hand'].map(
    (state) => search({ state }),
  ),
  search({ state: 'cancelled' }, onward),
  search({ saga: 'errand' }),
  search({ saga: 'errand', state: 'completed' }, onward),
  search({ account: 'zenith' }),
  search({ problem: 'any' }),
  search({ problem: 'any' }, onward),
  search({ problem: 'undo-stuck' }),
  search({ silentSince: hourAgo }),
  search({ silentSince: hourAgo, saga: 'book-trip' }, onward),
  cases(null),
  cases(null, onwardCases),
  cases('open'),
  cases('open', onwardCases),
] as [string, (db: Queryable) => Promise<unknown>, string | null][])(
  'a page is read by indexes out of a hundred thousand runs: %s',
  async (_what, work, account) => {
    const [plan, ...more] = await plansOf(work, account);
    expect(more).toEqual([]);
    if (plan === undefined) throw new Error('nothing was asked');
    expect(scans(plan)).toEqual([]);
    const blocks = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
    expect(blocks, JSON.stringify(plan)).toBeLessThan(BLOCKS_MOST);
  },
);
