import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createKey,
  ensureAccount,
  listKeys,
  revokeKey,
  rotateKey,
  TooManyKeys,
  UnknownAccount,
} from '../../src/engine/accounts/accounts.store.js';
import { keyId } from '../../src/engine/accounts/api-key.js';
import { findCaller } from '../../src/engine/accounts/key-use.store.js';
import { ensureDemoKeys } from '../../src/engine/accounts/demo-keys.js';
import { inTransaction, openDatabase, type Database } from '../../src/engine/database/database.js';
import { RECOURSE_VERSION } from '../../src/engine/http/recourse-version.js';
import { freshDatabase, type TestDatabase } from '../support/postgres.js';

let home: TestDatabase;
let database: Database;

let accounts = 0;
/** An account that has no key yet. */
async function newAccount(): Promise<string> {
  const id = `acme_${(accounts += 1)}`;
  await ensureAccount(database, { id, name: 'Acme' });
  return id;
}

beforeAll(async () => {
  home = await freshDatabase();
  database = openDatabase({ url: home.url, name: 'accounts test' });
  await ensureAccount(database, { id: 'acme', name: 'Acme' });
});
afterAll(async () => {
  await database.end();
  await home.drop();
});

test('a key names its account and its role, and only its hash is kept', async () => {
  const { id, key } = await createKey(database, { account: 'acme', role: 'operator', note: 'CI' });
  const caller = { account: 'acme', role: 'operator', keyId: id, version: RECOURSE_VERSION };
  expect(await findCaller(database, key)).toEqual(caller);
  const { rows } = await database.query('select * from api_keys where id = $1::text', [id]);
  expect(JSON.stringify(rows)).not.toContain(key.slice(-20));
  expect(rows[0].note).toBe('CI');
});

test('a key with another secret under the same id is none', async () => {
  const { id } = await createKey(database, { account: 'acme', role: 'customer' });
  for (const wrong of [`rk_live_${id}_${'a'.repeat(43)}`, `rk_${id}_${'a'.repeat(43)}`]) {
    expect(await findCaller(database, wrong), wrong).toBeNull();
  }
});

test('an account that is not there gets no key', async () => {
  const key = createKey(database, { account: 'nobody', role: 'customer' });
  await expect(key).rejects.toThrow(UnknownAccount);
});

test('a key is revoked once, and is out from then on', async () => {
  const account = await newAccount();
  const { id, key } = await createKey(database, { account, role: 'customer' });
  expect(await revokeKey(database, id)).toBe('revoked');
  expect(await findCaller(database, key)).toBeNull();
  expect(await revokeKey(database, id)).toBe('unchanged');
  expect(await revokeKey(database, 'nothing')).toBe('unknown');
});

test('the keys of an account are listed without their secrets, the revoked ones too', async () => {
  await ensureAccount(database, { id: 'zenith', name: 'Zenith' });
  const kept = await createKey(database, { account: 'zenith', role: 'customer' });
  const gone = await createKey(database, { account: 'zenith', role: 'operator' });
  await revokeKey(database, gone.id);
  const keys = await listKeys(database, 'zenith');
  expect(keys.map(({ id, role, revokedAt }) => [id, role, revokedAt !== null])).toEqual([
    [kept.id, 'customer', false],
    [gone.id, 'operator', true],
  ]);
  expect((await listKeys(database, null)).length).toBeGreaterThan(2);
});

test('an account that is there already stays as it is', async () => {
  await ensureAccount(database, { id: 'acme', name: 'Another name' });
  const { rows } = await database.query(`select name from accounts where id = 'acme'`);
  expect(rows).toEqual([{ name: 'Acme' }]);
});

test('the demo keys are made once and kept while they are valid', async () => {
  const first = await ensureDemoKeys(home.url);
  expect(await findCaller(database, first.customer)).toMatchObject({ role: 'customer' });
  expect(await findCaller(database, first.operator)).toMatchObject({ role: 'operator' });
  expect(await ensureDemoKeys(home.url, first)).toEqual(first);
  await revokeKey(database, keyId(first.customer) ?? '');
  const second = await ensureDemoKeys(home.url, first);
  expect(second.operator).toBe(first.operator);
  expect(second.customer).not.toBe(first.customer);
});

test.each([
  ['keys of another database', { customer: `rk_a_${'a'.repeat(43)}`, operator: 'x' }],
  ['keys that are swapped', null],
])('%s are replaced by valid demo keys', async (_what, given) => {
  const made = await ensureDemoKeys(home.url);
  const existing = given ?? { customer: made.operator, operator: made.customer };
  const keys = await ensureDemoKeys(home.url, existing);
  expect(keys.customer).not.toBe(existing.customer);
  expect(await findCaller(database, keys.customer)).toMatchObject({
    account: 'demo',
    role: 'customer',
  });
  expect(await findCaller(database, keys.operator)).toMatchObject({ role: 'operator' });
});

test('the demo keys find a place however often they got lost', async () => {
  for (let round = 1; round <= 4; round += 1) {
    const { customer } = await ensureDemoKeys(home.url);
    expect(await findCaller(database, customer)).toMatchObject({ account: 'demo' });
  }
});

test('an account has at most two valid keys of a role, however many ask at once', async () => {
  const account = await newAccount();
  const all = Array.from({ length: 20 }, () => createKey(database, { account, role: 'customer' }));
  const settled = await Promise.allSettled(all);
  const refused = settled.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(18);
  for (const one of refused) expect(one).toHaveProperty('reason', expect.any(TooManyKeys));
  expect(await listKeys(database, account)).toHaveLength(2);
  await createKey(database, { account, role: 'operator' });
});

test('a key that was revoked, and one that is over, leave their place', async () => {
  const account = await newAccount();
  const wish = { account, role: 'customer' as const };
  const first = await createKey(database, wish);
  await createKey(database, { ...wish, lifeMs: 1 });
  await revokeKey(database, first.id);
  await database.query('select pg_sleep(0.01)');
  await createKey(database, wish);
  await createKey(database, wish);
  await expect(createKey(database, wish)).rejects.toThrow(TooManyKeys);
});

test('a key is valid until it expires, by the clock of the database', async () => {
  const account = await newAccount();
  const { id, key, expiresAt } = await createKey(database, {
    ...{ account, role: 'customer', environment: 'test', lifeMs: 3_600_000 },
  });
  expect(key).toMatch(/^rk_test_/);
  expect(expiresAt?.getTime()).toBeGreaterThan(Date.now() + 3_500_000);
  expect(await findCaller(database, key)).toMatchObject({ account });
  await database.query(`update api_keys set expires_at = now() where id = $1::text`, [id]);
  expect(await findCaller(database, key)).toBeNull();
});

describe('a rotation', () => {
  const rotate = (id: string, overlapMs = 3_600_000) =>
    inTransaction(database, (tx) => rotateKey(tx, id, { overlapMs, lifeMs: null }));

  test('makes a key like the old one, which ends after the time that is given', async () => {
    const account = await newAccount();
    const old = await createKey(database, { account, role: 'operator', note: 'CI' });
    const rotation = await rotate(old.id);
    expect(rotation?.of).toEqual({ account, role: 'operator', environment: 'live', note: 'CI' });
    const endsAt = rotation?.old.expiresAt.getTime() ?? 0;
    expect(Math.abs(endsAt - Date.now() - 3_600_000)).toBeLessThan(60_000);
    for (const key of [old.key, rotation?.made.key ?? '']) {
      expect(await findCaller(database, key)).toMatchObject({ account, role: 'operator' });
    }
    expect((await listKeys(database, account)).map((one) => one.expiresAt)).toEqual([
      rotation?.old.expiresAt,
      null,
    ]);
  });

  test('never lets the old key live longer than it would have', async () => {
    const account = await newAccount();
    const old = await createKey(database, { account, role: 'operator', lifeMs: 60_000 });
    expect((await rotate(old.id))?.old.expiresAt).toEqual(old.expiresAt);
  });

  test('of one of two valid keys is refused, and both stay as they are', async () => {
    const account = await newAccount();
    const wish = { account, role: 'customer' as const };
    const { id } = await createKey(database, wish);
    await createKey(database, wish);
    await expect(rotate(id)).rejects.toThrow(TooManyKeys);
    expect((await listKeys(database, account)).map((one) => one.expiresAt)).toEqual([null, null]);
  });

  test('of a key that is none, or none any more, is nothing', async () => {
    const account = await newAccount();
    const { id } = await createKey(database, { account, role: 'customer' });
    await revokeKey(database, id);
    expect([await rotate(id), await rotate('nokey')]).toEqual([null, null]);
  });
});
