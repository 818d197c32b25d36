import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openDatabase, type Database } from '../../src/engine/database/database.js';
import { releaseLease, tryLease } from '../../src/engine/locks/lease.store.js';
import { pollUntil } from '../../src/local/poll-until.process.js';
import { freshDatabase, type TestDatabase } from '../support/postgres.js';

const HOUR = 3_600_000;
const LIMIT = { limitMs: 15_000 };

let home: TestDatabase;
let database: Database;

beforeAll(async () => {
  home = await freshDatabase();
  database = openDatabase({ url: home.url, name: 'lease test', connections: 20 });
});
beforeEach(() => database.query('delete from locks'));
afterAll(async () => {
  await database.end();
  await home.drop();
});

const lease = (holder: string, ms = HOUR) => tryLease(database, 'sweep', holder, ms);

test('one of twenty who ask at once gets the lease', async () => {
  const asked = Array.from({ length: 20 }, (_, n) => lease(`holder ${n}`));
  const granted = (await Promise.all(asked)).filter((fence) => fence !== null);
  expect(granted).toEqual([1]);
});

test('a lease that is held is not granted, to its holder neither', async () => {
  expect(await lease('a')).toBe(1);
  expect(await lease('b')).toBeNull();
  expect(await lease('a')).toBeNull();
  expect(await tryLease(database, 'another', 'b', HOUR)).toBe(1);
});

test('a lease whose holder died is granted when its time is over, with a new number', async () => {
  expect(await lease('a', 50)).toBe(1);
  expect(await pollUntil(async () => (await lease('b')) ?? undefined, LIMIT)).toBe(2);
});

test('a lease that was given back is granted at once, with a larger number', async () => {
  await lease('a');
  expect(await releaseLease(database, 'sweep', 'a', 1)).toBe(true);
  expect(await lease('b')).toBe(2);
});

test.each([
  ['of another holder', 'b', 1],
  ['of an earlier time', 'a', 0],
])('a release %s changes nothing', async (_whose, holder, fence) => {
  await lease('a');
  expect(await releaseLease(database, 'sweep', holder, fence)).toBe(false);
  expect(await lease('c')).toBeNull();
});

test('row 23: who was stopped, and lost the lease meanwhile, does not give back the next one', async () => {
  const late = await lease('a', 1);
  await pollUntil(async () => (await lease('b')) !== null, LIMIT);
  expect(await releaseLease(database, 'sweep', 'a', late ?? 0)).toBe(false);
  expect(await lease('c')).toBeNull();
});
