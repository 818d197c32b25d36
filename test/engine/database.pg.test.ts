import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase, type Database } from '../../src/engine/database/database.js';
import { freshDatabase, type TestDatabase } from '../support/postgres.js';

let home: TestDatabase;
let other: Database;

beforeAll(async () => {
  home = await freshDatabase();
  other = openDatabase({ url: home.url, name: 'the other', connections: 1 });
});
afterAll(async () => {
  await other.end();
  await home.drop();
});

test.each([
  ['at rest', (database: Database) => database.query('select 1')],
  ['in use', (database: Database) => database.connect()],
])('a connection that is lost %s is told of, and costs nothing else', async (_when, use) => {
  let lost = 0;
  const name = `lost ${_when}`;
  const database = openDatabase({ url: home.url, name, connections: 1, onLost: () => (lost += 1) });
  await use(database);
  await other.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1::text`,
    [name],
  );
  await expect.poll(() => lost).toBeGreaterThan(0);
});
