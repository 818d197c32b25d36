import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { inTransaction, openDatabase, type Database } from '../../src/engine/database/database.js';
import { listenTo } from '../../src/engine/database/listen.store.js';
import {
  leaveToSweep,
  markFailed,
  markSent,
  markStartsSent,
  notifyOutbox,
  OUTBOX_CHANNEL,
  takeMessages,
} from '../../src/engine/outbox/outbox.store.js';
import { pollUntil } from '../../src/local/poll-until.process.js';
import { freshDatabase, type TestDatabase } from '../support/postgres.js';
import { putMessage, putRun, type MessageRow } from '../support/run-rows.js';

const TAKE = { batch: 100, leaseMs: 60_000, startGraceMs: 5_000 };
const HOUR = 3_600_000;
const LIMIT = { limitMs: 15_000 };

let home: TestDatabase;
let database: Database;

beforeAll(async () => {
  home = await freshDatabase();
  database = openDatabase({ url: home.url, name: 'outbox test' });
});
beforeEach(() => database.query('delete from outbox'));
afterAll(async () => {
  await database.end();
  await home.drop();
});

async function taken(): Promise<string[]> {
  return (await takeMessages(database, TAKE)).map((message) => message.id);
}

async function row(id: string) {
  const { rows } = await database.query(
    `select last_error, sent_at, extract(epoch from next_at - now()) * 1000 as wait_ms
     from outbox where id = $1::bigint`,
    [id],
  );
  return { ...rows[0], wait_ms: Number(rows[0].wait_ms) };
}

describe('a message is taken', () => {
  const rows: [what: string, message: Omit<MessageRow, 'run'>, yes: boolean][] = [
    ['a start that the API had its time for', { kind: 'start', ageMs: 5_500 }, true],
    ['a start that the API may still be sending', { kind: 'start', ageMs: 3_000 }, false],
    ['a cancel of this moment', { kind: 'cancel', ageMs: 0 }, true],
    ['a look of this moment', { kind: 'look', ageMs: 0 }, true],
    ['one that waits for its next try', { kind: 'look', dueInMs: HOUR }, false],
    ['one that was sent', { kind: 'look', sent: true }, false],
  ];
  test.each(rows)('%s: %o: %s', async (_what, message, yes) => {
    const id = await putMessage(database, { ...message, run: await putRun(database) });
    expect(await taken()).toEqual(yes ? [id] : []);
  });
});

describe("of a run's messages one is taken: start, cancel, look; old before new", () => {
  const young = { kind: 'start', ageMs: 100 } as const;
  const start = { kind: 'start' } as const;
  const cancel = { kind: 'cancel' } as const;
  const look = { kind: 'look' } as const;
  const rows: [waiting: Omit<MessageRow, 'run'>[], first: number | null][] = [
    [[start, cancel, look], 0],
    [[look, cancel, start], 2],
    [[cancel, look], 0],
    [[look, cancel], 1],
    [[look, look], 0],
    [[young, cancel, look], null],
    [[{ ...start, dueInMs: HOUR }, cancel], null],
    [[{ ...look, dueInMs: HOUR }, look], null],
    [[{ ...look, dueInMs: HOUR }, cancel], 1],
    [[{ ...start, sent: true }, cancel], 1],
    [[{ ...start, sent: true }, { ...cancel, sent: true }, look], 2],
  ];
  test.each(rows)('of %o: number %o', async (waiting, first) => {
    const run = await putRun(database);
    const ids: string[] = [];
    for (const message of waiting) ids.push(await putMessage(database, { ...message, run }));
    expect(await taken()).toEqual(first === null ? [] : [ids[first]]);
  });
});

test('a message says all that its telling needs', async () => {
  const run = await putRun(database, { saga: 'book-trip' });
  const id = await putMessage(database, { run, kind: 'start' });
  const saga = { saga: 'book-trip', version: 1, account: 'acme', deadlineAt: null };
  const expected = { id, run, kind: 'start', ...saga };
  expect(await takeMessages(database, TAKE)).toEqual([{ ...expected, tries: 1, ended: false }]);
});

test('a message that is out is not taken by anybody else', async () => {
  const id = await putMessage(database, { run: await putRun(database), kind: 'look' });
  expect(await taken()).toEqual([id]);
  expect(await taken()).toEqual([]);
});

test('a message whose relay died is taken again when its lease has lapsed', async () => {
  const id = await putMessage(database, { run: await putRun(database), kind: 'look' });
  const short = { ...TAKE, leaseMs: 50 };
  expect(await takeMessages(database, short)).toMatchObject([{ id, tries: 1 }]);
  const again = await pollUntil(async () => (await takeMessages(database, short))[0], LIMIT);
  expect(again).toMatchObject({ id, tries: 2 });
});

test('a batch is no larger than was asked for', async () => {
  for (let n = 0; n < 5; n += 1) {
    await putMessage(database, { run: await putRun(database), kind: 'look' });
  }
  expect(await takeMessages(database, { ...TAKE, batch: 3 })).toHaveLength(3);
  expect(await takeMessages(database, { ...TAKE, batch: 3 })).toHaveLength(2);
});

test('input 18, row 18, kamu-data/kamu-cli#1398: a low number that is committed late is not skipped', async () => {
  const [early, late] = [await putRun(database), await putRun(database)];
  const client = await database.connect();
  await client.query('begin');
  const low = await putMessage(client, { run: early, kind: 'look' });
  const high = await putMessage(database, { run: late, kind: 'look' });
  expect(Number(low)).toBeLessThan(Number(high));

  expect(await taken()).toEqual([high]);
  await markSent(database, high);
  await client.query('commit');
  client.release();

  expect(await taken()).toEqual([low]);
});

test('a message is marked sent once', async () => {
  const run = await putRun(database);
  const id = await putMessage(database, { run, kind: 'start' });
  expect(await markSent(database, id)).toBe(true);
  expect(await markSent(database, id)).toBe(false);
  expect(await taken()).toEqual([]);
});

test('the API marks the starts of the runs it accepted, and nothing else', async () => {
  const run = await putRun(database);
  await putMessage(database, { run, kind: 'start' });
  const cancel = await putMessage(database, { run, kind: 'cancel' });
  const another = await putMessage(database, { run: await putRun(database), kind: 'start' });
  const second = await putRun(database);
  await putMessage(database, { run: second, kind: 'start' });
  await markStartsSent(database, [run, second]);
  expect((await taken()).toSorted()).toEqual([cancel, another].toSorted());
});

test('a message that failed waits, with the code of what went wrong', async () => {
  const id = await putMessage(database, { run: await putRun(database), kind: 'look' });
  expect(await markFailed(database, { id, tries: 0 }, 'UNAVAILABLE', 20_000)).toBe(true);
  const { last_error, wait_ms } = await row(id);
  expect(last_error).toBe('UNAVAILABLE');
  expect(wait_ms).toBeGreaterThan(15_000);
  expect(wait_ms).toBeLessThanOrEqual(20_000);
});

test('row 23: a relay that lost its lease cannot shorten the next, nor unmark what was sent', async () => {
  const id = await putMessage(database, { run: await putRun(database), kind: 'look' });
  const [mine] = await takeMessages(database, { ...TAKE, leaseMs: 1 });
  const theirs = await pollUntil(async () => (await takeMessages(database, TAKE))[0], LIMIT);
  expect(theirs).toMatchObject({ id, tries: 2 });

  expect(await markFailed(database, mine ?? { id, tries: 1 }, 'UNAVAILABLE', 0)).toBe(false);
  expect(await taken()).toEqual([]);
  await markSent(database, id);
  expect(await markFailed(database, { id, tries: 2 }, 'UNAVAILABLE', 0)).toBe(false);
});

describe('what finds nobody to tell is left to the sweep', () => {
  test.each([
    ['a run that nobody works on is looked at now', { lookInMs: HOUR }, 0],
    ['a run that is due keeps its place', { lookInMs: -HOUR }, -HOUR],
    ['a run that has ended is not looked at', { ended: true }, null],
  ])('%s', async (_what, run, lookInMs) => {
    const id = await putRun(database, run);
    const message = await putMessage(database, { run: id, kind: 'look' });
    await leaveToSweep(database, { id: message, run: id });

    expect((await row(message)).sent_at).not.toBeNull();
    const { rows } = await database.query<{ in_ms: string | null }>(
      `select extract(epoch from look_at - now()) * 1000 as in_ms from runs where id = $1::text`,
      [id],
    );
    const inMs = rows[0]?.in_ms ?? null;
    if (lookInMs === null) expect(inMs).toBeNull();
    else expect(Math.abs(Number(inMs) - lookInMs)).toBeLessThan(10_000);
  });
});

describe('who listens', () => {
  test('hears of what is committed, and not of what is rolled back', async () => {
    let heard = 0;
    const listener = await listenTo(database, OUTBOX_CHANNEL, () => (heard += 1));
    const broken = inTransaction(database, async (tx) => {
      notifyOutbox(tx);
      throw new Error('no');
    });
    await expect(broken).rejects.toThrow('no');
    await inTransaction(database, (tx) => Promise.resolve(notifyOutbox(tx)));
    expect(await pollUntil(() => heard > 0, LIMIT)).toBe(true);
    expect(heard).toBe(1);
    listener.close();
    expect(listener.alive).toBe(false);
  });

  test('knows when its connection is lost', async () => {
    const listener = await listenTo(database, OUTBOX_CHANNEL, () => undefined);
    await database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where query = 'listen recourse_outbox' and datname = current_database()`,
    );
    expect(await pollUntil(() => !listener.alive, LIMIT)).toBe(true);
    expect(await database.query('select 1')).toMatchObject({ rowCount: 1 });
  });
});
