import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createKey,
  ensureAccount,
  findCaller,
  listKeys,
  revokeKey,
  UnknownAccount,
} from '../../src/engine/accounts/accounts.store.js';
import { ensureDemoKeys } from '../../src/engine/accounts/demo-keys.js';
import { openDatabase, type Database } from '../../src/engine/database/database.js';
import { freshDatabase, type TestDatabase } from '../support/postgres.js';

let home: TestDatabase;
let database: Database;

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
  expect(await findCaller(database, key)).toEqual({ account: 'acme', role: 'operator', keyId: id });
  const { rows } = await database.query('select * from api_keys where id = $1::text', [id]);
  expect(JSON.stringify(rows)).not.toContain(key.slice(-20));
  expect(rows[0].note).toBe('CI');
});

test('a key with another secret under the same id is none', async () => {
  const { id } = await createKey(database, { account: 'acme', role: 'customer' });
  expect(await findCaller(database, `rk_${id}_${'a'.repeat(43)}`)).toBeNull();
});

test('an account that is not there gets no key', async () => {
  const key = createKey(database, { account: 'nobody', role: 'customer' });
  await expect(key).rejects.toThrow(UnknownAccount);
});

test('a key is revoked once, and is out from then on', async () => {
  const { id, key } = await createKey(database, { account: 'acme', role: 'customer' });
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
  await revokeKey(database, first.customer.split('_')[1] ?? '');
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
