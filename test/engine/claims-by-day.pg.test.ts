import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase, type Database } from '../../src/engine/database/database.js';
import { missingClaimDays } from '../../src/engine/idempotency/claim-days.store.js';
import { idempotently } from '../../src/engine/idempotency/claims.store.js';
import { gateOf } from '../support/idempotency-gate.js';
import { freshDatabase, type TestDatabase } from '../support/postgres.js';

// A migration that moves rows is tried on rows: those of the table that had all claims in one.

const migration = (name: string): string =>
  readFileSync(
    new URL(`../../src/engine/database/migrations/${name}.sql`, import.meta.url),
    'utf8',
  );
const HOUR = 3_600_000;

let home: TestDatabase;
let database: Database;

beforeAll(async () => {
  home = await freshDatabase();
  database = openDatabase({ url: home.url, name: 'migration test' });
  await database.query(`
    drop table claims;
    drop function claim_day, make_claim_day, make_claim_days, drop_claim_day;
    insert into accounts (id, name) values ('acme', 'Acme'), ('zenith', 'Zenith');
    ${migration('0004_front_door')}`);
  await put('acme', 'new', 7 * 24 * HOUR - 1_000);
  await put('zenith', 'new', HOUR);
  await put('acme', 'old', 1_000_000);
  await put('acme', 'over', -1);
  // As after a clock that was three weeks fast.
  await put('acme', 'far', 28 * 24 * HOUR);
  await database.query(migration('0008_claims_by_day'));
});
afterAll(async () => {
  await database.end();
  await home.drop();
});

function put(account: string, key: string, leftMs: number) {
  return database.query(
    `insert into claims (account, key, fingerprint, status, location, etag, body, expires_at)
     values ($1::text, $2::text, sha256($2::text::bytea), 202, '/' || $2::text, '"1"',
       convert_to(format('{"of":"%s"}', $1::text), 'UTF8'), date_trunc('milliseconds',
         now() + $3::bigint * interval '1 millisecond'))`,
    [account, key, leftMs],
  );
}

async function claim(account: string, key: string, of = key) {
  const { rows } = await database.query(`select sha256($1::text::bytea) as hash`, [of]);
  const one = { account, key, fingerprint: rows[0].hash };
  const anew = async () => ({ status: 200, body: 'anew' }) as const;
  // The second lock came with a later migration.
  return idempotently(gateOf(database), one, anew, 'all');
}

test.each([
  ['acme', 'new'],
  ['zenith', 'new'],
  ['acme', 'old'],
  ['acme', 'far'],
])('the claim of %s under "%s" is answered as before', async (account, key) => {
  const { answer, replayed } = await claim(account, key);
  expect(replayed).toBe(true);
  expect([answer.status, Buffer.from(answer.body).toString()]).toEqual([
    202,
    `{"of":"${account}"}`,
  ]);
  expect(answer.headers).toMatchObject({ Location: `/${key}`, ETag: '"1"' });
});

test('another request under one of them is still refused', async () => {
  await expect(claim('acme', 'old', 'another')).rejects.toMatchObject({ code: 'key-reused' });
});

test('what was over is gone, and its key is free', async () => {
  expect((await database.query('select from claims')).rowCount).toBe(4);
  expect((await claim('acme', 'over')).replayed).toBe(false);
});

test('every day is there that is needed', async () => {
  expect(await missingClaimDays(database)).toEqual([]);
});
