import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureAccount } from '../../src/engine/accounts/accounts.store.js';
import { inTransaction, openDatabase, type Database } from '../../src/engine/database/database.js';
import { newSecret } from '../../src/engine/ids.js';
import { addQuote, deleteOverQuotes, takeToken } from '../../src/engine/quotes/quotes.store.js';
import { createSealer } from '../../src/engine/sealing/seal.js';
import { TEST_KEYS } from '../support/idempotency-gate.js';
import { freshDatabase, type TestDatabase } from '../support/postgres.js';
import { putRun } from '../support/run-rows.js';

const DAY_MS = 24 * 3_600_000;
const sealer = createSealer(TEST_KEYS);

let home: TestDatabase;
let database: Database;
let run: string;
beforeAll(async () => {
  home = await freshDatabase();
  database = openDatabase({ url: home.url, name: 'quotes test' });
  await ensureAccount(database, { id: 'acme', name: 'Acme' });
  run = await putRun(database);
});
afterAll(async () => {
  await database.end();
  await home.drop();
});

async function offer(openMs = 60_000): Promise<{ id: string; token: string }> {
  const token = newSecret();
  const comesTo = { ends: 'cancelled', steps: [], stays: [] } as const;
  const quote = { account: 'acme', run, comesTo, terms: { refund: 1 }, token, openMs };
  const { id } = await inTransaction(database, (tx) => addQuote(tx, sealer, quote));
  return { id, token };
}

const take = ({ id, token }: { id: string; token: string }) =>
  inTransaction(database, (tx) => takeToken(tx, sealer, { account: 'acme', id, token }));

const age = (id: string, ms: number) =>
  database.query(
    `with quote as (
       update quotes set created_at = created_at - $2::bigint * interval '1 millisecond',
         expires_at = expires_at - $2::bigint * interval '1 millisecond'
       where id = $1::text returning id, expires_at)
     update tokens set expires_at = quote.expires_at from quote where about = quote.id`,
    [id, ms],
  );

const left = async (table: string): Promise<number> =>
  (await database.query(`select from ${table}`)).rowCount ?? 0;

test('two tokens are never the same, and each is 256 bits', () => {
  const tokens = Array.from({ length: 1_000 }, newSecret);
  expect(new Set(tokens).size).toBe(1_000);
  expect(new Set(tokens.map((token) => Buffer.from(token, 'base64url').length))).toEqual(
    new Set([32]),
  );
});

test('who takes a token and rolls back has not taken it', async () => {
  const offered = await offer();
  const failing = inTransaction(database, async (tx) => {
    expect(await takeToken(tx, sealer, { account: 'acme', ...offered })).not.toBeNull();
    throw new Error('later, in the same transaction');
  });
  await expect(failing).rejects.toThrow('later');
  expect(await take(offered)).toMatchObject({ id: offered.id, state: 'confirmed' });
  expect(await take(offered)).toBeNull();
});

test('who comes while another takes it waits for that one, and gets what is left', async () => {
  const offered = await offer();
  const taken = await Promise.all(Array.from({ length: 8 }, () => take(offered)));
  expect(taken.filter((one) => one !== null)).toHaveLength(1);
});

test('a token is over when its time has passed by the clock of the database', async () => {
  const offered = await offer();
  await age(offered.id, 60_001);
  expect(await take(offered)).toBeNull();
});

test('tokens go when they are over, quotes a week later, and no more at once than asked', async () => {
  await database.query('truncate tokens, quotes');
  const [fresh, over, old, older] = [await offer(), await offer(), await offer(), await offer()];
  await age(over.id, DAY_MS);
  await age(old.id, 8 * DAY_MS);
  await age(older.id, 9 * DAY_MS);
  expect(await deleteOverQuotes(database, 7 * DAY_MS, 1)).toBe(1);
  expect([await left('quotes'), await left('tokens')]).toEqual([3, 3]);
  expect(await deleteOverQuotes(database, 7 * DAY_MS, 10)).toBe(2);
  expect([await left('quotes'), await left('tokens')]).toEqual([2, 1]);
  expect(await deleteOverQuotes(database, 7 * DAY_MS, 10)).toBe(0);
  const { rows } = await database.query('select id from quotes order by expires_at');
  expect(rows.map(({ id }) => id)).toEqual([over.id, fresh.id]);
  expect(await take(fresh)).not.toBeNull();
});
