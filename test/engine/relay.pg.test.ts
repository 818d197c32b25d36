import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { inTransaction, openDatabase, type Database } from '../../src/engine/database/database.js';
import { createSender, sendBatch, startRelay } from '../../src/engine/outbox/outbox.process.js';
import { notifyOutbox } from '../../src/engine/outbox/outbox.store.js';
import { TemporalFault } from '../../src/engine/runs/temporal-runs.js';
import { pollUntil } from '../../src/local/poll-until.process.js';
import { away, fakeTemporal, type FakeTemporal } from '../support/fake-temporal.js';
import { keptLog } from '../support/kept-log.js';
import { freshDatabase, type TestDatabase } from '../support/postgres.js';
import { putMessage, putRun } from '../support/run-rows.js';

const TAKE = { batch: 20, leaseMs: 60_000, startGraceMs: 0 };
const LIMIT = { limitMs: 15_000 };
const HOUR = 3_600_000;

let home: TestDatabase;
let database: Database;
let temporal: FakeTemporal;
let log: ReturnType<typeof keptLog>;

beforeAll(async () => {
  home = await freshDatabase();
  database = openDatabase({ url: home.url, name: 'relay test' });
});
beforeEach(async () => {
  temporal = fakeTemporal();
  log = keptLog();
  await database.query('delete from outbox');
});
afterAll(async () => {
  await database.end();
  await home.drop();
});

const settings = (random = () => 0) => ({ database, temporal, log, random, startGraceMs: 0 });
const sender = (random?: () => number) => createSender(settings(random));
const allSent = async () =>
  (await database.query('select from outbox where sent_at is null')).rowCount === 0;

async function outbox(run: string, since?: string) {
  const { rows } = await database.query(
    `select kind, tries, last_error, sent_at is not null as sent,
       extract(epoch from next_at - now()) * 1000 as wait_ms,
       extract(epoch from next_at - $2::timestamptz) * 1000 as wait_since_ms
     from outbox where run = $1::text order by id`,
    [run, since ?? null],
  );
  return rows;
}

async function lookedAtNow(run: string): Promise<boolean> {
  const { rows } = await database.query(`select look_at <= now() as due from runs where id = $1`, [
    run,
  ]);
  return rows[0].due;
}

/** Delays that look random and are the same each time. */
function unevenly(): () => Promise<void> {
  let seed = 7;
  return () => {
    seed = (seed * 16_807) % 2_147_483_647;
    return new Promise((resolve) => setTimeout(resolve, seed % 4));
  };
}

/** What a run was told, each thing once, in the order in which it first was. */
const firstTold = (run: string) => [...new Set(temporal.asked.get(run))];

describe('two relays at once', () => {
  const inOrder = ['start', 'cancel', 'look'];

  async function putRuns(count: number): Promise<readonly string[]> {
    const runs: string[] = [];
    for (let n = 0; n < count; n += 1) {
      const run = await putRun(database);
      // Written in no good order: the place of a message is its kind's, not its number's.
      for (const kind of ['look', 'cancel', 'start'] as const) {
        await putMessage(database, { run, kind });
      }
      runs.push(run);
    }
    return runs;
  }

  async function sendAll(take: typeof TAKE): Promise<void> {
    const send = sender();
    while (!(await allSent())) await sendBatch(database, take, send);
  }

  test('send 501 messages, each once, those of a run in order', async () => {
    const runs = await putRuns(167);
    temporal.before = unevenly();
    await Promise.all([sendAll(TAKE), sendAll(TAKE)]);
    expect(runs.map((run) => temporal.asked.get(run))).toEqual(runs.map(() => inOrder));
  });

  test('row 18: whose leases lapse at once lose nothing and keep the order', async () => {
    const runs = await putRuns(40);
    temporal.before = unevenly();
    const take = { ...TAKE, leaseMs: 1 };
    await Promise.all([sendAll(take), sendAll(take), sendAll(take)]);
    expect(runs.map(firstTold)).toEqual(runs.map(() => inOrder));
    const sent = [...temporal.asked.values()].flat().length;
    expect(sent, 'no lease lapsed: the test shows nothing').toBeGreaterThan(120);
  });
});

test('a message that was sent, but not marked, is sent again and does no harm', async () => {
  const run = await putRun(database);
  await putMessage(database, { run, kind: 'start' });
  await temporal.startRun(
    { run, saga: 'two-steps', version: 1, account: 'acme', deadlineAt: null },
    'first',
  );
  expect(await sendBatch(database, TAKE, sender())).toBe('go-on');
  expect(await outbox(run)).toMatchObject([{ sent: true }]);
  expect(temporal.asked.get(run)).toEqual(['start', 'start']);
});

test('nothing to send: the loop may rest', async () => {
  expect(await sendBatch(database, TAKE, sender())).toBe('idle');
});

test.each(['cancel', 'look'] as const)(
  'a %s that finds no execution has the sweep look at the run now',
  async (kind) => {
    const run = await putRun(database);
    await putMessage(database, { run, kind });
    await sendBatch(database, TAKE, sender());
    expect(await outbox(run)).toMatchObject([{ sent: true }]);
    expect(await lookedAtNow(run)).toBe(true);
  },
);

test.each(['start', 'cancel'] as const)(
  'a late %s of a run that has ended is told to nobody',
  async (kind) => {
    const run = await putRun(database, { ended: true });
    await putMessage(database, { run, kind });
    await sendBatch(database, TAKE, sender());
    expect(await outbox(run)).toMatchObject([{ sent: true }]);
    expect(temporal.asked.size).toBe(0);
  },
);

test('a workflow hears that its run has ended without it, and a closed one is left alone', async () => {
  const [behind, closed] = [
    await putRun(database, { ended: true }),
    await putRun(database, { ended: true }),
  ];
  const started = { saga: 'two-steps', version: 1, account: 'acme', deadlineAt: null };
  await temporal.startRun({ ...started, run: behind }, 'first');
  for (const run of [behind, closed]) await putMessage(database, { run, kind: 'look' });
  await sendBatch(database, TAKE, sender());
  expect(temporal.asked.get(behind)).toEqual(['start', 'look']);
  expect(temporal.asked.get(closed)).toEqual(['look']);
  for (const run of [behind, closed]) expect(await outbox(run)).toMatchObject([{ sent: true }]);
});

test.each([
  [1, 500],
  [3, 2_000],
  [7, 30_000],
  [500, 30_000],
])('after try %i a message waits evenly spread up to %i ms', async (tries, most) => {
  temporal.before = (call) => {
    throw away(call);
  };
  /** By the clock of the database: from before the try, and from after it. */
  const waitsWhenChanceIs = async (chance: number) => {
    const run = await putRun(database);
    await putMessage(database, { run, kind: 'look', tries: tries - 1 });
    const before = await database.query<{ at: string }>('select clock_timestamp()::text as at');
    expect(
      await sendBatch(
        database,
        TAKE,
        sender(() => chance),
      ),
    ).toBe('hold');
    const [row] = await outbox(run, before.rows[0]?.at);
    expect(row).toMatchObject({ sent: false, tries, last_error: 'UNAVAILABLE' });
    return { atLeast: Number(row.wait_ms), atMost: Number(row.wait_since_ms) };
  };
  const longest = await waitsWhenChanceIs(0.999_999);
  expect(longest.atLeast).toBeLessThanOrEqual(most);
  expect(longest.atMost).toBeGreaterThanOrEqual(most);
  expect((await waitsWhenChanceIs(0)).atLeast).toBeLessThanOrEqual(0);
});

test('a message that Temporal refuses does not hold up the others, and is named once', async () => {
  const [bad, good] = [await putRun(database), await putRun(database)];
  temporal.before = (call, run) => {
    if (run === bad) throw new TemporalFault('other', 'INVALID_ARGUMENT', call, undefined);
  };
  await putMessage(database, { run: bad, kind: 'start' });
  await putMessage(database, { run: good, kind: 'start' });
  const send = sender();
  for (let turn = 0; turn < 3; turn += 1) await sendBatch(database, TAKE, send);
  expect(await outbox(good)).toMatchObject([{ sent: true }]);
  expect(await outbox(bad)).toMatchObject([{ sent: false, last_error: 'INVALID_ARGUMENT' }]);
  expect(log.lines).toMatchObject([{ level: 'error', fields: { run: bad, kind: 'start' } }]);
});

describe('the relay', () => {
  test('sends what it is woken for, long before it would come by', async () => {
    const relay = startRelay({ ...settings(), pollMs: HOUR });
    await relay.started;
    for (let n = 0; n < 3; n += 1) {
      const run = await putRun(database);
      await inTransaction(database, async (tx) => {
        await putMessage(tx, { run, kind: 'look' });
        notifyOutbox(tx);
      });
      expect(await pollUntil(() => temporal.asked.has(run), LIMIT)).toBe(true);
    }
    await relay.stop();
  });

  test('goes on when Postgres does not do its part, and says so once', async () => {
    let turns = 0;
    const counted = new Proxy(database, {
      get: (pool, name) => {
        if (name === 'query') turns += 1;
        const value: unknown = Reflect.get(pool, name);
        return typeof value === 'function' ? value.bind(pool) : value;
      },
    });
    const relay = startRelay({ ...settings(), database: counted, pollMs: 20 });
    await relay.started;
    await database.query(`alter table outbox rename to outbox_away`);
    await pollUntil(() => log.lines.length > 0, LIMIT);
    const from = turns;
    await pollUntil(() => turns > from + 5, LIMIT);
    await database.query(`alter table outbox_away rename to outbox`);
    await pollUntil(() => log.lines.length > 1, LIMIT);
    expect(log.lines).toMatchObject([
      { level: 'warn', fields: { subject: 'outbox', state: 'down' } },
      { level: 'info', fields: { subject: 'outbox', state: 'up' } },
    ]);
    await relay.stop();
  });

  test('goes on when its connections are cut, and hears news on a new one', async () => {
    const relay = startRelay({ ...settings(), pollMs: 20 });
    await relay.started;
    await database
      .query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()`,
      )
      .catch(() => undefined);
    const run = await putRun(database);
    await putMessage(database, { run, kind: 'look' });
    expect(await pollUntil(() => temporal.asked.has(run), LIMIT)).toBe(true);
    const isListening = async () => {
      const { rows } = await database.query(
        `select 1 from pg_stat_activity
         where datname = current_database() and query = 'listen recourse_outbox'`,
      );
      return rows.length === 1;
    };
    expect(await pollUntil(isListening, LIMIT)).toBe(true);
    await relay.stop();
  });

  test('waits while Temporal is away, says so once, and then sends all of it', async () => {
    let isAway = true;
    let calls = 0;
    temporal.before = (call) => {
      calls += 1;
      if (isAway) throw away(call);
    };
    for (let n = 0; n < 60; n += 1) {
      await putMessage(database, { run: await putRun(database), kind: 'start' });
    }
    const relay = startRelay({ ...settings(), pollMs: 300 });
    const from = performance.now();
    await pollUntil(() => calls >= 60, LIMIT);
    // A batch of 20 a turn and a pause between turns: the backlog is not driven against the wall.
    expect(performance.now() - from).toBeGreaterThan(550);
    isAway = false;
    expect(await pollUntil(allSent, LIMIT)).toBe(true);
    await relay.stop();
    expect(log.lines).toMatchObject([
      { level: 'warn', fields: { subject: 'temporal', state: 'down' } },
      { level: 'info', fields: { subject: 'temporal', state: 'up' } },
    ]);
  });

  test('ends when the message in hand is sent and marked, and takes no other', async () => {
    const calls: (() => void)[] = [];
    temporal.before = () => new Promise((resolve) => calls.push(resolve));
    const first = await putRun(database);
    await putMessage(database, { run: first, kind: 'start' });
    const relay = startRelay(settings());
    await pollUntil(() => calls.length > 0, LIMIT);
    const second = await putRun(database);
    await putMessage(database, { run: second, kind: 'start' });

    let ended = false;
    const end = relay.stop().then(() => (ended = true));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(ended).toBe(false);
    calls.forEach((answer) => answer());
    await end;
    expect(await outbox(first)).toMatchObject([{ sent: true }]);
    expect(await outbox(second)).toMatchObject([{ sent: false, tries: 0 }]);
  });
});
