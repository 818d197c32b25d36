import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase, type Database } from '../../src/engine/database/database.js';
import { inAccount } from '../../src/engine/database/in-account.store.js';
import { newId } from '../../src/engine/ids.js';
import { lookBeforeAccepting } from '../../src/engine/runs/accept-runs.store.js';
import { freshDatabase, type TestDatabase } from '../support/postgres.js';

// What an acceptance costs does not grow with the runs that the account has, also on a connection
// whose plans were made when there were none.

const RUNS = 20_000;
const LOOKS = 10;
/** As come together under load. */
const GROUP = 20;
/** A look descends an index for each id and for the reference: a few blocks each. */
const BLOCKS_A_LOOK = 5 * GROUP;

let home: TestDatabase;
let database: Database;

beforeAll(async () => {
  home = await freshDatabase();
  database = openDatabase({ url: home.url, name: 'plans test', connections: 1 });
  // It keeps one plan or makes a new one by what it expects of them: here it keeps the first.
  await database.query('set plan_cache_mode = force_generic_plan');
  await database.query(`insert into accounts (id, name) values ('acme', 'A')`);
});
afterAll(async () => {
  await database.end();
  await home.drop();
});

async function look(): Promise<number> {
  const run = (reference: string | null) => ({ id: newId('bk'), reference });
  const runs = [run('cart'), ...Array.from({ length: GROUP - 1 }, () => run(null))];
  const ground = await inAccount(database, 'acme', (tx) => lookBeforeAccepting(tx, 'acme', runs));
  return ground.takenIds.size + ground.living.size;
}

/** Of the table of runs and its indexes, by what Postgres counts. */
async function blocks(): Promise<number> {
  await database.query('select pg_stat_force_next_flush()');
  const { rows } = await database.query(
    `select (heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit)::integer as count
     from pg_statio_user_tables where relname = 'runs'`,
  );
  return rows[0].count;
}

test('a look before an acceptance reads a few blocks, however many runs there are', async () => {
  for (let n = 0; n < LOOKS; n += 1) expect(await look()).toBe(0);
  await database.query(
    `insert into runs (id, account, saga, version, rules, input, look_after_ms, look_wait_ms,
                       state, created_at, ended_at)
     select 'bk_' || translate(substr(md5(n::text), 1, 26), '0189', 'wxyz'), 'acme', 'errand', 1,
       1, '', 60000, 60000, 'completed',
       now() - n * interval '1 second', now()
     from generate_series(1, ${RUNS}) as n`,
  );
  const before = await blocks();
  for (let n = 0; n < LOOKS; n += 1) expect(await look()).toBe(0);
  expect((await blocks()) - before).toBeLessThan(LOOKS * BLOCKS_A_LOOK);
});
