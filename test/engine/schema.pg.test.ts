import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDatabase, type TestDatabase } from '../support/postgres.js';
import { dumpSchema } from '../support/schema-dump.js';

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await freshDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 1 });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

test('schema.sql is what the migrations come to; after a new one: npx vitest -u', async () => {
  const dump = await dumpSchema(pool);
  await expect(dump).toMatchFileSnapshot('../../src/engine/database/schema.sql');
});

test('a line of the journal can be neither changed nor removed', async () => {
  await pool.query(`insert into accounts (id, name) values ('acme', 'Acme')`);
  await pool.query(
    `insert into runs (id, account, saga, version, rules, input, look_after_ms, look_wait_ms, look_at)
     values ('bk_' || repeat('a', 26), 'acme', 'trip', 1, 1, '', 1, 1, now())`,
  );
  await pool.query(
    `insert into journal (run, seq, line) select id, 1, '{"kind": "accepted"}' from runs`,
  );
  for (const change of ['update journal set seq = 2', 'delete from journal', 'truncate journal']) {
    await expect(pool.query(change), change).rejects.toThrow('append-only');
  }
});

test('a problem is on the desk once, but every contradicting fact is', async () => {
  const put = (id: string, problem: string) =>
    pool.query(
      `insert into cases (id, run, step, direction, problem)
       select 'case_' || repeat($1, 26), id, 'hotel', 'do', $2 from runs`,
      [id, problem],
    );
  await put('a', 'contradiction');
  await put('b', 'contradiction');
  await put('c', 'undo-stuck');
  await expect(put('d', 'undo-stuck')).rejects.toThrow('cases_open_once');
});

test('a row with a cancel and a begun pivot is refused', async () => {
  const both = 'update runs set cancel_requested_at = now(), pivot_begun_at = now()';
  await expect(pool.query(both)).rejects.toThrow(/violates check constraint/);
});
