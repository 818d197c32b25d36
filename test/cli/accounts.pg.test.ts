import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureAccount } from '../../src/engine/accounts/accounts.store.js';
import { openDatabase, type Database } from '../../src/engine/database/database.js';
import { freshDatabase, type TestDatabase } from '../support/postgres.js';
import { putRun } from '../support/run-rows.js';
import { onlyLine, runHere } from './run-cli.js';

let home: TestDatabase;
let database: Database;

beforeAll(async () => {
  home = await freshDatabase();
  database = openDatabase({ url: home.url, name: 'accounts', connections: 1 });
  await ensureAccount(database, { id: 'acme', name: 'Acme' });
  await ensureAccount(database, { id: 'zenith', name: 'Zenith' });
});
afterAll(async () => {
  await database.end();
  await home.drop();
});

const recourse = (...args: string[]) => runHere(args, { DATABASE_URL: home.url });

test('accounts are listed with what they may ask for, and what they have now', async () => {
  await putRun(database);
  const { stdout } = await recourse('accounts', 'list', '--json');
  expect(JSON.parse(stdout)).toMatchObject({
    data: [
      {
        object: 'account',
        id: 'acme',
        reads_per_10_s: 20_000,
        writes_per_10_s: 10_000,
        active_runs: 10_000,
        runs_now: 1,
      },
      { id: 'zenith', runs_now: 0 },
    ],
  });
  expect((await recourse('accounts', 'list')).stdout).toMatch(/acme .*10000 .*1/);
});

test('a limit is set, and the others stay', async () => {
  const set = await recourse('accounts', 'limit', 'zenith', '--writes', '500', '--json');
  expect(JSON.parse(set.stdout)).toMatchObject({
    id: 'zenith',
    writes_per_10_s: 500,
    reads_per_10_s: 20_000,
  });
  const both = ['--reads', '7', '--active-runs', '3'];
  const again = await recourse('accounts', 'limit', 'zenith', ...both, '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({
    writes_per_10_s: 500,
    reads_per_10_s: 7,
    active_runs: 3,
  });
});

test.each([
  [['limit', 'nobody', '--reads', '1'], 1, /there is no account nobody/],
  [['limit', 'acme'], 2, /give --reads, --writes or --active-runs/],
  [['limit', 'acme', '--reads', '0'], 2, /--reads 0: a whole number from 1/],
  [['limit', 'Acme!', '--reads', '1'], 2, /account Acme!/],
])('accounts %j ends with %i', async (args, code, words) => {
  const ended = await recourse('accounts', ...args);
  expect(ended.code).toBe(code);
  expect(onlyLine(ended)).toMatch(words);
});
