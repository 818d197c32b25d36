import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ensureAccount } from '../../src/engine/accounts/accounts.store.js';
import { setLimits } from '../../src/engine/accounts/account-limits.store.js';
import { RequestRates, type RequestKind } from '../../src/engine/admission/request-rates.js';
import { leaseRequests } from '../../src/engine/admission/request-windows.store.js';
import { openDatabase, type Database } from '../../src/engine/database/database.js';
import { freshDatabase, type TestDatabase } from '../support/postgres.js';

let home: TestDatabase;
let database: Database;
let statements = 0;

beforeAll(async () => {
  home = await freshDatabase();
  database = openDatabase({ url: home.url, name: 'windows', connections: 10 });
  await ensureAccount(database, { id: 'acme', name: 'Acme' });
  await ensureAccount(database, { id: 'zenith', name: 'Zenith' });
});
beforeEach(async () => {
  statements = 0;
  await database.query('delete from request_windows');
});
afterAll(async () => {
  await database.end();
  await home.drop();
});

/** What one process has. */
function ownRates(): RequestRates {
  const lease = (account: string, kind: RequestKind) => {
    statements += 1;
    return leaseRequests(database, account, kind);
  };
  return new RequestRates(lease, () => performance.now());
}

const moveWindow = (seconds: number) =>
  database.query(
    `update request_windows set began_at = began_at + $1::integer * interval '1 second'`,
    [seconds],
  );

test.each([1, 5, 40, 1_000])(
  'three processes that want more let exactly as many in as the account may: %i',
  async (quota) => {
    await setLimits(database, 'acme', { writesPerWindow: quota });
    const processes = [ownRates(), ownRates(), ownRates()];
    const asked = Array.from({ length: 3 * quota + 60 }, (_nobody, n) =>
      processes[n % 3]?.take('acme', 'writes'),
    );
    const came = await Promise.all(asked);
    expect(came.filter((one) => one?.isGranted)).toHaveLength(quota);
    expect(statements).toBeLessThan(300);
    for (const one of came) expect(one?.quota).toBe(quota);
  },
);

test('whoever has used up the window is refused without a statement, and told how long', async () => {
  await setLimits(database, 'acme', { writesPerWindow: 2 });
  const rates = ownRates();
  for (let n = 0; n < 2; n += 1) await rates.take('acme', 'writes');
  await rates.take('acme', 'writes');
  statements = 0;
  const refused = await rates.take('acme', 'writes');
  expect(refused).toMatchObject({ isGranted: false, quota: 2, left: 0 });
  expect(refused.endsInMs).toBeGreaterThan(0);
  expect(refused.endsInMs).toBeLessThanOrEqual(10_000);
  expect(statements).toBe(0);
});

test('reads and writes, and accounts, have windows of their own', async () => {
  await setLimits(database, 'acme', { writesPerWindow: 1, readsPerWindow: 1 });
  const rates = ownRates();
  const takes = [
    await rates.take('acme', 'writes'),
    await rates.take('acme', 'reads'),
    await rates.take('zenith', 'writes'),
    await rates.take('acme', 'writes'),
  ];
  expect(takes.map(({ isGranted }) => isGranted)).toEqual([true, true, true, false]);
});

test('a window that is over is followed by a whole one, by the clock of the database', async () => {
  await setLimits(database, 'acme', { writesPerWindow: 3 });
  for (let n = 0; n < 3; n += 1) await leaseRequests(database, 'acme', 'writes');
  expect(await leaseRequests(database, 'acme', 'writes')).toMatchObject({ granted: 0 });
  await moveWindow(-9);
  expect(await leaseRequests(database, 'acme', 'writes')).toMatchObject({ granted: 0 });
  await moveWindow(-2);
  expect(await leaseRequests(database, 'acme', 'writes')).toMatchObject({
    granted: 1,
    remaining: 2,
    endsInMs: 10_000,
  });
});

test('a clock that was put back by an hour does not close an account for an hour', async () => {
  await setLimits(database, 'acme', { writesPerWindow: 1 });
  await leaseRequests(database, 'acme', 'writes');
  await moveWindow(3_600);
  expect(await leaseRequests(database, 'acme', 'writes')).toMatchObject({ granted: 1 });
});

test('a limit that was lowered counts what was used', async () => {
  await setLimits(database, 'acme', { writesPerWindow: 100 });
  await leaseRequests(database, 'acme', 'writes');
  await setLimits(database, 'acme', { writesPerWindow: 5 });
  expect(await leaseRequests(database, 'acme', 'writes')).toMatchObject({
    granted: 0,
    remaining: 0,
    quota: 5,
  });
});
