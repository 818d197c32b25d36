import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase, type Database } from '../../src/engine/database/database.js';
import { newId } from '../../src/engine/ids.js';
import { tryLease } from '../../src/engine/locks/lease.store.js';
import { createCensus } from '../../src/engine/runs/census.process.js';
import { sweepBatch } from '../../src/engine/runs/sweep.process.js';
import { SWEEP_LEASE } from '../../src/engine/runs/sweep.store.js';
import { DRIVER, TemporalFault, type Execution } from '../../src/engine/runs/temporal-runs.js';
import type { JournalLine } from '../../src/engine/saga/journal.js';
import { UNWATCHED, type Looked } from '../../src/engine/telemetry/meters.js';
import { fakeTemporal, type FakeTemporal } from '../support/fake-temporal.js';
import { keptLog } from '../support/kept-log.js';
import { freshDatabase, type TestDatabase } from '../support/postgres.js';
import { putRun } from '../support/run-rows.js';
import { tripSagas } from '../support/trip.js';

const HOUR = 3_600_000;
const TRIP = { lookInMs: -1_000, firstWaitMs: 2_000, waitMs: 8_000, saga: 'book-trip' };

let home: TestDatabase;
let database: Database;
let temporal: FakeTemporal;
let log: ReturnType<typeof keptLog>;
let looked: Looked[];
let fence: number;
let run: string;

beforeAll(async () => {
  home = await freshDatabase();
  database = openDatabase({ url: home.url, name: 'older record' });
});
beforeEach(async () => {
  await database.query(`delete from locks`);
  await database.query(`update runs set look_at = now() + interval '1 day' where ended_at is null`);
  temporal = fakeTemporal();
  log = keptLog();
  looked = [];
  fence = (await tryLease(database, SWEEP_LEASE, 'me', HOUR)) ?? 0;
  run = await putRun(database, TRIP);
});
afterAll(async () => {
  await database.end();
  await home.drop();
});

const meters = { ...UNWATCHED, looked: (found: Looked) => void looked.push(found) };
const settings = () => ({ database, temporal, log, meters, sagas: tripSagas(), holder: 'me' });
const sweep = async () => {
  await database.query(`update runs set look_at = now() where id = $1::text`, [run]);
  await sweepBatch(settings(), fence);
};

async function cases() {
  const text = `select step, problem, state from cases where run = $1::text`;
  return (await database.query(text, [run])).rows;
}

async function interventions() {
  const { rows } = await database.query(
    `select who, action, reason, evidence from interventions where run = $1::text order by id`,
    [run],
  );
  return rows;
}

const decide = () =>
  database.query(
    `update cases set state = 'resolved', verdict = 'happened', closed_at = now()
     where run = $1::text`,
    [run],
  );

const ON_DESK = [{ step: 'charge', problem: 'contradiction', state: 'open' }];
const ACCEPTED: JournalLine = { seq: 1, kind: 'accepted' };
const BEGUN: JournalLine = { seq: 2, kind: 'begun', step: 'charge', direction: 'do', attempt: 1 };
const CLOSED = { status: 'closed', runId: 'x' } as const;
const RUNNING = { status: 'running', runId: 'x', driver: DRIVER, taskAttempts: 1, activities: 0 };

describe('a run that has ended in Temporal, though the record says that it lives', () => {
  beforeEach(() => temporal.executions.set(run, { ...CLOSED, as: 'COMPLETED' }));

  test('is put on the desk, once, and looked at no more', async () => {
    await sweep();
    await sweep();
    expect(await cases()).toEqual(ON_DESK);
    expect(await interventions()).toMatchObject([
      { who: 'sweep', action: 'held', reason: 'record-is-older' },
    ]);
    expect(temporal.asked.get(run)).toEqual(['describe']);
    expect(looked).toEqual(['ended', 'held']);
  });

  test('is started again once somebody has decided and has ended its execution', async () => {
    await sweep();
    temporal.executions.set(run, { ...CLOSED, as: 'TERMINATED' });
    temporal.knows.set(run, [ACCEPTED, BEGUN]);
    await sweep();
    expect(temporal.asked.get(run)).toEqual(['describe']);
    await decide();
    await sweep();
    expect(temporal.asked.get(run)).toEqual(['describe', 'describe', 'start again']);
  });
});

describe('a run of which Temporal knows more than the record is not started by the record', () => {
  test.each<[string, Execution]>([
    ['terminated', { ...CLOSED, as: 'TERMINATED' }],
    ['timed out', { ...CLOSED, as: 'TIMED_OUT' }],
    ['gone, but not an earlier execution', { status: 'missing' }],
    ['of an older driver', { ...RUNNING, status: 'running', driver: DRIVER - 1 }],
  ])('%s: it is put on the desk, and the log says so', async (_what, execution) => {
    if (execution.status !== 'missing') temporal.executions.set(run, execution);
    temporal.knows.set(run, [ACCEPTED, BEGUN]);
    await sweep();
    expect(temporal.asked.get(run)).toEqual(['describe']);
    expect(await cases()).toEqual(ON_DESK);
    const evidence = `its execution execution of ${run} knows a journal of 2 lines`;
    expect(await interventions()).toMatchObject([{ action: 'held', evidence }]);
    expect(log.lines).toMatchObject([{ level: 'error', fields: { run } }]);
    expect(looked).toEqual(['older']);
  });

  test('other lines in the place of those on record are more, too', async () => {
    await database.query(
      `insert into journal (run, seq, line)
       values ($1::text, 1, '{"kind": "accepted"}'), ($1::text, 2, '{"kind": "retried"}')`,
      [run],
    );
    await database.query(`update runs set last_seq = 2 where id = $1::text`, [run]);
    temporal.knows.set(run, [ACCEPTED, BEGUN]);
    await sweep();
    expect(looked).toEqual(['older']);
  });

  test('one whose histories cannot be read is looked at later, and holds up no other', async () => {
    const other = await putRun(database, TRIP);
    temporal.before = (call, of) => {
      if (call === 'learned' && of === run)
        throw new TemporalFault('other', 'UNAVAILABLE', 'learned', null);
    };
    await sweep();
    expect(temporal.asked.get(run)).toEqual(['describe']);
    expect(temporal.asked.get(other)).toEqual(['describe', 'start again']);
    expect(log.lines).toMatchObject([
      { level: 'warn', fields: { run } },
      { fields: { run: other } },
    ]);
    const { rows } = await database.query(
      `select look_at > now() as later from runs where id = $1::text`,
      [run],
    );
    expect(rows).toEqual([{ later: true }]);
  });

  test('as much is not more', async () => {
    await database.query(
      `insert into journal (run, seq, line) values ($1::text, 1, '{"kind": "accepted"}')`,
      [run],
    );
    temporal.knows.set(run, [ACCEPTED]);
    await sweep();
    expect(temporal.asked.get(run)).toEqual(['describe', 'start again']);
  });
});

test('once a person has decided, an execution that knows more is replaced, and only once', async () => {
  temporal.executions.set(run, { ...RUNNING, status: 'running', driver: DRIVER - 1 });
  temporal.knows.set(run, [ACCEPTED, BEGUN]);
  await sweep();
  temporal.executions.set(run, { ...RUNNING, status: 'running' });
  await decide();
  await sweep();
  await sweep();
  expect(temporal.asked.get(run)).toEqual([
    'describe',
    'describe',
    'start instead',
    'describe',
    'look',
  ]);
  expect((await interventions()).map(({ reason }) => reason)).toEqual([
    'record-is-older',
    'released',
  ]);
});

test('an execution that has taken the run over since a person decided is left alone', async () => {
  temporal.executions.set(run, { ...RUNNING, status: 'running', driver: DRIVER - 1 });
  temporal.knows.set(run, [ACCEPTED, BEGUN]);
  await sweep();
  temporal.executions.set(run, { ...RUNNING, status: 'running' });
  await decide();
  await database.query(`update runs set execution = 'another' where id = $1::text`, [run]);
  await sweep();
  expect(temporal.asked.get(run)).toEqual(['describe', 'describe', 'look']);
});

describe('the census', () => {
  const running = { ...RUNNING, status: 'running' } as const;

  test('says once of each run that Temporal has it and the record has not', async () => {
    const [forgotten, ended] = [newId('bk'), newId('bk')];
    temporal.executions.set(run, running);
    temporal.executions.set(forgotten, running);
    temporal.executions.set(ended, { ...CLOSED, as: 'COMPLETED' });
    const census = createCensus(settings());
    await census();
    await census();
    expect(looked).toEqual(['forgotten', 'forgotten']);
    expect(log.lines).toMatchObject([
      { level: 'error', fields: { run: forgotten, state: 'RUNNING' } },
      { level: 'error', fields: { run: ended, state: 'CLOSED' } },
    ]);
  });

  test.each([
    ['long ago: it is told to look, once', '2 minutes', {}, ['describe', 'look', 'describe']],
    [
      'long ago, and cannot end: it is terminated',
      '2 minutes',
      { taskAttempts: 3 },
      ['describe', 'terminate'],
    ],
    ['just now: it ends by itself', '2 seconds', {}, undefined],
  ] as const)(
    'finds one that runs, though its run has ended %s',
    async (_how, ago, more, asked) => {
      const over = await putRun(database, { ended: true });
      await database.query(
        `update runs set ended_at = now() - $2::text::interval where id = $1::text`,
        [over, ago],
      );
      temporal.executions.set(over, { ...running, ...more });
      const census = createCensus(settings());
      await census();
      await census();
      expect(temporal.asked.get(over)).toEqual(asked);
      expect(looked).toEqual([]);
    },
  );

  test('walks through all of them, ten pages a time, and then begins anew', async () => {
    const asked: (number | null)[] = [];
    temporal.listExecutions = async (which, after) => {
      if (which === 'closed') return { runs: [], next: null };
      const page = after?.[0] ?? 0;
      asked.push(page);
      return { runs: [run], next: page === 11 ? null : Uint8Array.of(page + 1) };
    };
    const census = createCensus(settings());
    await census();
    expect(asked).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    await census();
    await census();
    expect(asked.slice(10, 14)).toEqual([10, 11, 0, 1]);
  });

  test('finds one that reappears, though it has seen it closed before', async () => {
    const over = await putRun(database, { ended: true });
    await database.query(
      `update runs set ended_at = now() - interval '2 minutes' where id = $1::text`,
      [over],
    );
    temporal.executions.set(over, { ...CLOSED, as: 'COMPLETED' });
    const census = createCensus(settings());
    await census();
    expect(temporal.asked.get(over)).toBe(undefined);
    temporal.executions.set(over, running);
    await census();
    expect(temporal.asked.get(over)).toEqual(['describe', 'look']);
  });

  test('tells a run again that could not be told', async () => {
    const over = await putRun(database, { saga: 'book-trip' });
    await database.query(
      `update runs set ended_at = now() - interval '2 minutes', state = 'completed',
         look_at = null where id = $1::text`,
      [over],
    );
    temporal.executions.set(over, running);
    temporal.before = (call) => {
      if (call === 'look') throw new Error('it is away');
    };
    const census = createCensus(settings());
    await expect(census()).rejects.toThrow('it is away');
    temporal.before = () => undefined;
    await census();
    await census();
    expect(temporal.asked.get(over)).toEqual(['describe', 'describe', 'look', 'describe']);
  });
});
