import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase, type Database } from '../../src/engine/database/database.js';
import { followRuns, type RunNews } from '../../src/engine/runs/run-news.process.js';
import { pollUntil } from '../../src/local/poll-until.process.js';
import { freshDatabase, type TestDatabase } from '../support/postgres.js';

const LIMIT = { limitMs: 10_000 };

let home: TestDatabase;
let database: Database;
let news: RunNews;

beforeAll(async () => {
  home = await freshDatabase();
  database = openDatabase({ url: home.url, name: 'news test' });
  news = followRuns(database);
});
afterAll(async () => {
  news.close();
  await database.end();
  await home.drop();
});

const listeners = async (): Promise<readonly number[]> => {
  const { rows } = await database.query<{ pid: number }>(
    `select pid from pg_stat_activity
     where datname = current_database() and query = 'listen recourse_runs'`,
  );
  return rows.map((row) => row.pid);
};

const notify = (run: string) => database.query(`select pg_notify('recourse_runs', $1)`, [run]);

/** Waits for a run that is settled when its `reads`-th reading is due. */
function wait(run: string, reads: number, signal = new AbortController().signal) {
  let read = 0;
  return news.untilSettled(run, {
    limitMs: 20_000,
    signal,
    read: async () => (read += 1),
    isSettled: (count) => count >= reads,
  });
}

test('a run is read anew as soon as it has news, and not for those of others', async () => {
  await expect.poll(listeners, { timeout: LIMIT.limitMs }).toHaveLength(1);
  const started = performance.now();
  const mine = wait('bk_mine', 2);
  await notify('bk_other');
  await notify('bk_mine');
  expect(await mine).toBe(2);
  expect(performance.now() - started).toBeLessThan(4_000);
});

test('many who wait share one connection', async () => {
  const all = Array.from({ length: 50 }, (_, index) => wait(`bk_${index}`, 2));
  expect(await listeners()).toHaveLength(1);
  await Promise.all(Array.from({ length: 50 }, (_, index) => notify(`bk_${index}`)));
  expect(await Promise.all(all)).toEqual(Array(50).fill(2));
});

test('news that were lost with the connection are found by looking, and it is opened again', async () => {
  const [before] = await listeners();
  const waiting = wait('bk_lost', 3);
  await database.query('select pg_terminate_backend($1)', [before]);
  expect(await waiting).toBe(3);
  const after = await pollUntil(async () => {
    const [pid] = await listeners();
    return pid !== undefined && pid !== before;
  }, LIMIT);
  expect(after).toBe(true);
});

test('who has gone is not waited for', async () => {
  const gone = new AbortController();
  const waiting = wait('bk_gone', 99, gone.signal);
  gone.abort();
  expect(await waiting).toBeLessThan(3);
});
