import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase, poolWaitMs, type Database } from '../../../src/engine/database/database.js';
import { isDatabaseUnavailable } from '../../../src/engine/database/unavailable.js';
import { freshDatabase, type TestDatabase } from '../../support/postgres.js';

let home: TestDatabase;
let database: Database;

beforeEach(async () => {
  home = await freshDatabase();
  database = openDatabase({ url: home.url, name: 'watched', connections: 2 });
});
afterEach(async () => {
  await database.end();
  await home.drop();
});

test('nobody waits for a pool that is still opening', async () => {
  const asked = Array.from({ length: 40 }, () => database.query('select pg_sleep(0.001)'));
  let most = 0;
  const looking = setInterval(() => (most = Math.max(most, poolWaitMs(database))), 1);
  await Promise.all(asked);
  clearInterval(looking);
  expect(most).toBeLessThan(500);
  expect(poolWaitMs(database)).toBe(0);
});

test('who finds all connections in use waits, that is seen, and it ends after a second', async () => {
  const held = [await database.connect(), await database.connect()];
  const startedAt = performance.now();
  const query = database.query('select 1').catch((error: unknown) => error);
  const connect = database.connect().catch((error: unknown) => error);
  await expect.poll(() => poolWaitMs(database)).toBeGreaterThan(300);
  expect(isDatabaseUnavailable(await query)).toBe(true);
  expect(isDatabaseUnavailable(await connect)).toBe(true);
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(900);
  expect(performance.now() - startedAt).toBeLessThan(2_000);
  // Who comes next would wait as long.
  expect(poolWaitMs(database)).toBeGreaterThan(900);
  held.forEach((client) => client.release());
  expect(poolWaitMs(database)).toBe(0);
  expect((await database.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
});

test('a wait ends when a connection comes free', async () => {
  const held = [await database.connect(), await database.connect()];
  const query = database.query('select 1 as one');
  await expect.poll(() => poolWaitMs(database)).toBeGreaterThan(0);
  held.forEach((client) => client.release());
  expect((await query).rows).toEqual([{ one: 1 }]);
  expect(poolWaitMs(database)).toBe(0);
});
