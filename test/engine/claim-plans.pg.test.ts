import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction, openDatabase, type Database } from '../../src/engine/database/database.js';
import { readHeldClaims, tryLockKeys } from '../../src/engine/idempotency/held-claim.store.js';
import { freshDatabase, type TestDatabase } from '../support/postgres.js';

// A key is looked for in every day that is not over, and each look is one descent of one index.

let home: TestDatabase;
let database: Database;

beforeAll(async () => {
  home = await freshDatabase();
  database = openDatabase({ url: home.url, name: 'plans test', connections: 1 });
  await database.query(
    `insert into claims (expires_at, id, status, fingerprint, account, body)
     select now() + (n % 7) * interval '24 hours' + interval '1 minute', gen_random_uuid(), 202,
       sha256(n::text::bytea), 'acme', '\\x01'::bytea || sha256(n::text::bytea)
     from generate_series(1, 20000) as n`,
  );
  await database.query('analyze claims');
});
afterAll(async () => {
  await database.end();
  await home.drop();
});

/** How often each index and table was looked into, by what Postgres counts. */
async function looks() {
  await database.query('select pg_stat_force_next_flush()');
  const { rows } = await database.query<{ name: string; indexed: number; read: number }>(
    `select relname as name, idx_scan::integer as indexed, seq_scan::integer as read
     from pg_stat_user_tables where relname like 'claims%' order by relname`,
  );
  return new Map(rows.map((row) => [row.name, row]));
}

test('a look for a key reads no table, and one index a day that is not over', async () => {
  // So often that the plan is the one that is kept.
  const look = () =>
    inTransaction(database, async (tx) => {
      const ids = [crypto.randomUUID()];
      await tryLockKeys(tx, ids);
      const { claims } = await readHeldClaims(tx, ids);
      const { rows } = await tx.query('show enable_seqscan');
      expect(rows[0].enable_seqscan).toBe('on');
      return claims;
    });
  for (let n = 0; n < 10; n += 1) await look();
  const before = await looks();
  for (let n = 0; n < 10; n += 1) expect(await look()).toEqual(new Map());
  const after = await looks();
  const today = new Date().toISOString().slice(0, 10).replaceAll('-', '');
  let days = 0;
  for (const [name, { indexed, read }] of after) {
    const first = before.get(name);
    expect(read - (first?.read ?? 0), `${name} as a whole`).toBe(0);
    if (!/\d$/.test(name)) continue;
    const times = indexed - (first?.indexed ?? 0);
    const isOver = name.slice(-8) < today;
    expect(times, name).toBe(isOver ? 0 : 10);
    days += isOver ? 0 : 1;
  }
  expect(days).toBe(16);
});
