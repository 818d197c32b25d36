import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listAccounts, setLimits } from '../../src/engine/accounts/account-limits.store.js';
import { inTransaction, openDatabase, type Database } from '../../src/engine/database/database.js';
import { newId } from '../../src/engine/ids.js';
import { freshDatabase, type TestDatabase } from '../support/postgres.js';
import { putRun, putRuns } from '../support/run-rows.js';

let home: TestDatabase;
let database: Database;
let other: Database;

beforeAll(async () => {
  home = await freshDatabase();
  database = openDatabase({ url: home.url, name: 'one', connections: 10 });
  other = openDatabase({ url: home.url, name: 'other', connections: 10 });
});
beforeEach(async () => {
  await database.query('delete from runs');
  await database.query(`delete from run_places; delete from accounts`);
  await database.query(`insert into accounts (id, name) values ('acme', 'Acme')`);
});
afterAll(async () => {
  await Promise.all([database.end(), other.end()]);
  await home.drop();
});

const limit = (activeRuns: number) => setLimits(database, 'acme', { activeRuns });
const NONE_LEFT = { code: 'RC001' };

/** How many of so many get a run, who ask over all connections of both pools. */
async function accept(times: number): Promise<number> {
  let left = times;
  let accepted = 0;
  const asker = async (pool: Database): Promise<void> => {
    while ((left -= 1) >= 0) {
      const came = await putRun(pool).catch((error: unknown) => error);
      if (typeof came === 'string') accepted += 1;
      else expect(came).toMatchObject(NONE_LEFT);
    }
  };
  const askers = Array.from({ length: 20 }, (_nobody, n) => asker(n % 2 ? database : other));
  await Promise.all(askers);
  return accepted;
}

async function counted(): Promise<number> {
  return (await listAccounts(database)).find(({ id }) => id === 'acme')?.runsNow ?? -1;
}

async function end(count: number): Promise<void> {
  await database.query(
    `update runs set ended_at = now(), look_at = null, state = 'completed'
     where id in (select id from runs where ended_at is null limit $1::integer)`,
    [count],
  );
}

test.each([1, 7, 32, 50])(
  'of a crowd exactly as many runs are accepted as may be active: %i',
  async (most) => {
    await limit(most);
    expect(await accept(most + 40)).toBe(most);
    expect(await counted()).toBe(most);
  },
);

test('a run that ends gives its place back, and one that is removed does', async () => {
  await limit(40);
  expect(await accept(40)).toBe(40);
  await end(13);
  expect(await accept(30)).toBe(13);
  await database.query(`delete from runs where ended_at is null`);
  expect(await counted()).toBe(0);
  expect(await accept(45)).toBe(40);
});

test('a run that has ended already takes no place, and one that goes on again does', async () => {
  await limit(1);
  const id = await putRun(database, { ended: true });
  expect(await counted()).toBe(0);
  const running = await putRun(database);
  await end(1);
  await database.query(
    `update runs set ended_at = null, look_at = now(), state = 'running' where id = $1`,
    [running],
  );
  expect(await counted()).toBe(1);
  await expect(putRun(database)).rejects.toMatchObject(NONE_LEFT);
  expect(id).not.toBe(running);
});

test('an acceptance that is rolled back leaves its place, and one with a known id takes none', async () => {
  await limit(2);
  const failed = inTransaction(database, async (tx) => {
    await putRun(tx);
    throw new Error('no');
  });
  await expect(failed).rejects.toThrow('no');
  const id = await putRun(database);
  await database.query(
    `insert into runs (id, account, saga, version, rules, input, look_after_ms, look_wait_ms, look_at)
     select id, account, saga, version, rules, input, 1, 1, now() from runs where id = $1
     on conflict (id) do nothing`,
    [id],
  );
  expect(await counted()).toBe(1);
  expect(await accept(5)).toBe(1);
});

test('an acceptance that finds all places held waits for who holds them, and hears what became of it', async () => {
  await limit(1);
  const holder = await other.connect();
  await holder.query('begin');
  await putRun(holder);
  const waiting = putRun(database);
  const isWaiting = async () =>
    (await other.query(`select from pg_stat_activity where wait_event_type = 'Lock'`)).rowCount;
  await expect.poll(isWaiting).toBeGreaterThan(0);
  await holder.query('rollback');
  holder.release();
  expect(await waiting).toMatch(/^bk_/);
  await expect(putRun(database)).rejects.toMatchObject(NONE_LEFT);
});

test('two acceptances of one account do not wait for each other', async () => {
  const holder = await other.connect();
  await holder.query('begin');
  await putRun(holder);
  for (let n = 0; n < 40; n += 1) await putRun(database);
  await holder.query('commit');
  holder.release();
  expect(await counted()).toBe(41);
});

test('a limit that is changed counts what is there', async () => {
  await limit(40);
  await accept(40);
  await end(30);
  await limit(35);
  expect(await accept(60)).toBe(25);
  await limit(10);
  await expect(putRun(database)).rejects.toMatchObject(NONE_LEFT);
  await end(35);
  expect(await accept(30)).toBe(10);
  await limit(12);
  expect(await accept(5)).toBe(2);
});

test('as long as more runs are there than a lowered limit allows, none is accepted', async () => {
  await accept(40);
  await limit(10);
  for (const left of [39, 25, 11, 10]) {
    await end((await counted()) - left);
    await expect(putRun(database)).rejects.toMatchObject(NONE_LEFT);
    expect(await counted()).toBe(left);
  }
  await end(1);
  expect(await accept(3)).toBe(1);
});

test('a limit holds though runs end in other shares than they were accepted in', async () => {
  await limit(70);
  for (let round = 0; round < 6; round += 1) {
    expect(await accept(90)).toBe(70 - (round === 0 ? 0 : 70 - 11 * round));
    await end(11 * (round + 1));
  }
});

test('a limit is of one account', async () => {
  await limit(1);
  await accept(3);
  await database.query(`insert into accounts (id, name) values ('zenith', 'Zenith')`);
  await database.query(
    `insert into runs (id, account, saga, version, rules, input, look_after_ms, look_wait_ms, look_at)
     values ($1::text, 'zenith', 'trip', 1, 1, '', 1, 1, now())`,
    [newId('bk')],
  );
  expect(await counted()).toBe(1);
});

test('runs that are accepted together take the last places together, or none of them does', async () => {
  await limit(3);
  await putRuns(database, 2);
  await expect(putRuns(database, 2)).rejects.toMatchObject(NONE_LEFT);
  expect(await counted()).toBe(2);
  await putRuns(database, 1);
  expect(await counted()).toBe(3);
});

test('groups that are larger than a share has room find the room that all shares have', async () => {
  await limit(400);
  const groups = Array.from({ length: 20 }, (_nobody, n) => putRuns(n % 2 ? database : other, 15));
  await Promise.all(groups);
  expect(await counted()).toBe(300);
  expect(await accept(120)).toBe(100);
});

test('a transaction that has places already waits for nobody’s, and is refused instead', async () => {
  await limit(64);
  const holder = await other.connect();
  await holder.query('begin');
  await putRuns(holder, 2);
  const twice = inTransaction(database, async (tx) => {
    await putRuns(tx, 1);
    await putRuns(tx, 3);
  });
  await expect(twice).rejects.toMatchObject(NONE_LEFT);
  await holder.query('rollback');
  holder.release();
  expect(await counted()).toBe(0);
});

test('acceptances that give up, and wait, at the last places never wait for each other without an end', async () => {
  for (let round = 0; round < 8; round += 1) {
    await limit(33 + round);
    expect(await accept(60)).toBe(33 + round);
    await database.query('delete from runs');
  }
});
