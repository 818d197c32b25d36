import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase, type Database } from '../../src/engine/database/database.js';
import { deleteSentMessages } from '../../src/engine/outbox/sent-messages.store.js';
import { tryLease } from '../../src/engine/locks/lease.store.js';
import { startSweep, sweepBatch } from '../../src/engine/runs/sweep.process.js';
import { SWEEP_LEASE } from '../../src/engine/runs/sweep.store.js';
import { DRIVER, type ClosedAs } from '../../src/engine/runs/temporal-runs.js';
import { deleteGoneWorkers } from '../../src/engine/worker/gone-workers.store.js';
import { pollUntil } from '../../src/local/poll-until.process.js';
import { away, fakeTemporal, type FakeTemporal } from '../support/fake-temporal.js';
import { keptLog } from '../support/kept-log.js';
import { freshDatabase, type TestDatabase } from '../support/postgres.js';
import { putMessage, putRun } from '../support/run-rows.js';
import { tripSagas } from '../support/trip.js';

const MINUTE = 60_000;
const HOUR = 3_600_000;
const LIMIT = { limitMs: 15_000 };
/** An execution with nothing to complain of. */
const WELL = { driver: DRIVER, taskAttempts: 1, activities: 0 };
const DUE = { lookInMs: -1_000, firstWaitMs: 2_000, waitMs: 8_000 };

let home: TestDatabase;
let database: Database;
let temporal: FakeTemporal;
let log: ReturnType<typeof keptLog>;
let fence: number;

beforeAll(async () => {
  home = await freshDatabase();
  database = openDatabase({ url: home.url, name: 'sweep test' });
});
beforeEach(async () => {
  await database.query('delete from locks; delete from outbox');
  await database.query(`update runs set look_at = now() + interval '1 day' where ended_at is null`);
  temporal = fakeTemporal();
  log = keptLog();
  fence = (await tryLease(database, SWEEP_LEASE, 'me', HOUR)) ?? 0;
});
afterAll(async () => {
  await database.end();
  await home.drop();
});

const settings = (holder = 'me') => ({ database, temporal, log, holder, sagas: tripSagas() });

async function look(run: string) {
  const { rows } = await database.query(
    `select look_wait_ms, extract(epoch from look_at - now()) * 1000 as in_ms,
       look_at <= now() as due
     from runs where id = $1::text`,
    [run],
  );
  return rows[0] as { look_wait_ms: number; in_ms: string; due: boolean };
}

async function interventions(run: string) {
  const { rows } = await database.query(
    `select who, action, reason, before, after from interventions where run = $1::text order by id`,
    [run],
  );
  return rows;
}

describe('a silent run that is alive is told to look, and left for twice as long', () => {
  test.each([
    [2_000, 4_000],
    [MINUTE, 2 * MINUTE],
    [10 * MINUTE, 15 * MINUTE],
    [15 * MINUTE, 15 * MINUTE],
  ])('%i ms become %i ms', async (waitMs, next) => {
    const run = await putRun(database, { ...DUE, waitMs });
    temporal.executions.set(run, {
      status: 'running',
      runId: 'x',
      ...WELL,
    });
    await sweepBatch(settings(), fence);
    const { look_wait_ms, in_ms } = await look(run);
    expect(look_wait_ms).toBe(next);
    expect(Number(in_ms)).toBeGreaterThan(next - 3_500);
    expect(Number(in_ms)).toBeLessThanOrEqual(next);
    expect(temporal.asked.get(run)).toEqual(['describe', 'look']);
    expect(await interventions(run)).toEqual([]);
  });
});

describe('a silent run without an execution is started again, and that is on record', () => {
  const CLOSED: ClosedAs[] = ['TERMINATED', 'FAILED', 'TIMED_OUT'];
  test.each([null, ...CLOSED])('it was %s', async (as) => {
    const run = await putRun(database, DUE);
    if (as !== null) temporal.executions.set(run, { status: 'closed', runId: 'x', as });
    await sweepBatch(settings(), fence);
    expect(temporal.asked.get(run)).toEqual(['describe', 'start again']);
    expect(temporal.executions.get(run)).toMatchObject({ status: 'running' });
    expect(await look(run)).toMatchObject({ look_wait_ms: DUE.firstWaitMs, due: false });
    expect(await interventions(run)).toEqual([
      {
        who: 'sweep',
        action: 'started-again',
        reason: as === null ? 'execution-missing' : 'execution-closed',
        before: { execution: as, temporal_run: as === null ? null : 'x' },
        after: { execution: 'RUNNING' },
      },
    ]);
    expect(log.lines).toMatchObject([{ level: 'warn', fields: { run, state: as ?? 'MISSING' } }]);
  });
});

test.each<ClosedAs>(['COMPLETED', 'CANCELLED'])(
  'a run that ended as %s, though the record says that it lives, is left to a person',
  async (as) => {
    const run = await putRun(database, DUE);
    temporal.executions.set(run, { status: 'closed', runId: 'x', as });
    await sweepBatch(settings(), fence);
    expect(temporal.asked.get(run)).toEqual(['describe']);
    expect(await interventions(run)).toEqual([]);
    expect(await look(run)).toMatchObject({ look_wait_ms: 15 * MINUTE, due: false });
    expect(log.lines).toMatchObject([{ level: 'error', fields: { run, state: as } }]);
  },
);

test('a silent run that an older driver has begun is started again in its place', async () => {
  const run = await putRun(database, DUE);
  temporal.executions.set(run, {
    status: 'running',
    runId: 'x',
    ...WELL,
    driver: DRIVER - 1,
  });
  await sweepBatch(settings(), fence);
  expect(temporal.asked.get(run)).toEqual(['describe', 'start instead']);
  expect(await interventions(run)).toMatchObject([
    { action: 'started-again', reason: 'older-driver', before: { execution: 'RUNNING' } },
  ]);
});

describe('a silent run whose workflow task fails again and again', () => {
  beforeEach(() => database.query('delete from workers'));

  test.each([
    ['and a worker has its version: started again in its place', 3, 0, 'small@1', 'start instead'],
    ['but not often: left to Temporal', 2, 0, 'small@1', 'look'],
    ['with a call on its way: left until that has ended', 9, 1, 'small@1', 'look'],
    ['because no worker has its version: left until one does', 9, 0, 'small@2', 'look'],
    ['and there is no worker at all: left until there is', 9, 0, null, 'look'],
  ])('%s', async (_what, taskAttempts, activities, version, asked) => {
    const run = await putRun(database, DUE);
    const ill = { ...WELL, taskAttempts, activities };
    temporal.executions.set(run, { status: 'running', runId: 'x', ...ill });
    if (version !== null) {
      const { rows } = await database.query(`select saga from runs where id = $1::text`, [run]);
      const named = version.replace('small', rows[0].saga);
      await database.query(`insert into workers (id, versions) values ('w', array[$1::text])`, [
        named,
      ]);
    }
    await sweepBatch(settings(), fence);
    expect(temporal.asked.get(run)).toEqual(['describe', asked]);
    const reasons = (await interventions(run)).map(({ reason }) => reason);
    expect(reasons).toEqual(asked === 'start instead' ? ['stalled'] : []);
  });
});

test('a run that had news while Temporal was asked is not started again', async () => {
  const run = await putRun(database, DUE);
  temporal.before = async () => {
    await database.query(`update runs set look_at = now() + interval '2 s' where id = $1::text`, [
      run,
    ]);
  };
  await sweepBatch(settings(), fence);
  expect(temporal.asked.get(run)).toEqual(['describe']);
  expect(await interventions(run)).toEqual([]);
  expect((await look(run)).look_wait_ms).toBe(DUE.waitMs);
});

test.each([
  ['alive', true],
  ['without an execution', false],
])(
  'a sweep that lost its lease on the way changes nothing of a run that is %s',
  async (_w, alive) => {
    const run = await putRun(database, DUE);
    if (alive)
      temporal.executions.set(run, {
        status: 'running',
        runId: 'x',
        ...WELL,
      });
    temporal.before = async () => {
      await database.query(`update locks set until = now()`);
      await tryLease(database, SWEEP_LEASE, 'another', HOUR);
    };
    await sweepBatch(settings(), fence);
    expect(temporal.asked.get(run)).toEqual(['describe']);
    expect(await look(run)).toMatchObject({ look_wait_ms: DUE.waitMs, due: true });
    expect(await interventions(run)).toEqual([]);
  },
);

test('a run that Temporal cannot be asked about stays due; the others are looked at', async () => {
  const [lost, fine] = [await putRun(database, DUE), await putRun(database, DUE)];
  temporal.before = (call, run) => {
    if (run === lost) throw away(call);
  };
  await expect(sweepBatch(settings(), fence)).rejects.toMatchObject({ kind: 'unavailable' });
  expect(await look(lost)).toMatchObject({ look_wait_ms: DUE.waitMs, due: true });
  expect(await interventions(lost)).toEqual([]);
  expect(temporal.asked.get(fine)).toEqual(['describe', 'start again']);
});

test('a run whose start still waits in the outbox is left to the relay', async () => {
  const run = await putRun(database, DUE);
  await putMessage(database, { run, kind: 'start' });
  await sweepBatch(settings(), fence);
  expect(temporal.asked.size).toBe(0);
  expect(await look(run)).toMatchObject({ look_wait_ms: DUE.firstWaitMs, due: false });
});

test('runs that are not due, or have ended, are not looked at', async () => {
  await putRun(database, { lookInMs: 10_000 });
  await putRun(database, { ended: true });
  expect(await sweepBatch(settings(), fence)).toBe('idle');
  expect(temporal.asked.size).toBe(0);
});

describe('sweeps that run for themselves', () => {
  test('start each of 50 lost runs again exactly once, however many they are', async () => {
    await database.query('delete from locks');
    const runs: string[] = [];
    for (let n = 0; n < 50; n += 1) {
      runs.push(await putRun(database, { ...DUE, firstWaitMs: HOUR }));
    }
    const sweeps = ['a', 'b', 'c'].map((holder) => startSweep(settings(holder)));
    const allAlive = () => runs.every((run) => temporal.executions.has(run));
    expect(await pollUntil(allAlive, LIMIT)).toBe(true);
    await Promise.all(sweeps.map((sweep) => sweep.stop()));
    expect(runs.map((run) => temporal.asked.get(run))).toEqual(
      runs.map(() => ['describe', 'start again']),
    );
  });

  test('give the lease back when they have looked, so that the next need not wait', async () => {
    await database.query('delete from locks');
    const sweep = startSweep(settings('a'));
    await sweep.started;
    await sweep.stop();
    expect(await tryLease(database, SWEEP_LEASE, 'b', HOUR)).toBe(2);
  });

  test('clear away what is over, and say once that Temporal is away', async () => {
    await database.query('delete from locks');
    const message = await putMessage(database, {
      run: await putRun(database),
      kind: 'look',
      sent: true,
    });
    const old = `update outbox set sent_at = now() - interval '25 h' where id = $1::bigint`;
    await database.query(old, [message]);
    temporal.before = (call) => {
      throw away(call);
    };
    await putRun(database, DUE);
    const sweep = startSweep(settings('a'));
    const left = async () =>
      (await database.query('select from outbox where id = $1::bigint', [message])).rowCount;
    const cleared = async () => (await left()) === 0 && log.lines.length > 0;
    expect(await pollUntil(cleared, LIMIT)).toBe(true);
    await sweep.stop();
    const down = { subject: 'sweep', state: 'down', error: { code: 'UNAVAILABLE' } };
    expect(log.lines).toMatchObject([{ level: 'warn', fields: down }]);
  });
});

test('messages are deleted a day after they were sent, and never unsent', async () => {
  const run = await putRun(database);
  const ids = [
    await putMessage(database, { run, kind: 'look', sent: true }),
    await putMessage(database, { run, kind: 'look', sent: true }),
    await putMessage(database, { run, kind: 'look' }),
  ];
  const old = `update outbox set sent_at = now() - interval '25 h' where id = $1::bigint`;
  await database.query(old, [ids[0]]);
  expect(await deleteSentMessages(database, 24 * HOUR, 10)).toBe(1);
  const { rows } = await database.query('select id from outbox where run = $1 order by id', [run]);
  expect(rows.map(({ id }) => id)).toEqual(ids.slice(1));
});

test('workers that were not seen for an hour are deleted', async () => {
  await database.query(
    `insert into workers (id, seen_at, versions)
     values ('gone', now() - interval '61 min', '{}'), ('here', now() - interval '59 min', '{}')`,
  );
  expect(await deleteGoneWorkers(database, HOUR)).toBe(1);
  expect((await database.query('select id from workers')).rows).toEqual([{ id: 'here' }]);
});
