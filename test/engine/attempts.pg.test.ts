import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { EngineContext } from '../../activities/engine/engine-context.js';
import { beginAttempt } from '../../activities/engine/begin-attempt.js';
import { endAttempt } from '../../activities/engine/end-attempt.js';
import { noteCancel } from '../../activities/engine/turn-run.js';
import { rememberRuns } from '../../activities/engine/known-runs.js';
import { readAttemptOf } from '../../activities/engine/read-attempt.js';
import { stepActivity } from '../../activities/engine/step-activity.js';
import { inTransaction, openDatabase, type Database } from '../../src/engine/database/database.js';
import { newId } from '../../src/engine/ids.js';
import { tryChange } from '../../src/engine/journal/run-change.store.js';
import { readRecord } from '../../src/engine/journal/run-record.store.js';
import { acceptRun } from '../support/accept-run.js';
import { cancelOpenRun } from '../../src/engine/runs/cancel-run.store.js';
import { openRun } from '../../src/engine/journal/run-record.store.js';
import type { CallAsk } from '../../src/engine/saga/activity-messages.js';
import type { SagaDefinition } from '../../src/engine/saga/definition.js';
import { done, refused, type Outcome } from '../../src/engine/saga/outcome.js';
import { stepKey } from '../../src/engine/saga/step-key.js';
import { markOf } from '../../src/engine/saga/journal-mark.js';
import { createSealer } from '../../src/engine/sealing/seal.js';
import { UNWATCHED } from '../../src/engine/telemetry/meters.js';
import { append } from '../support/append.js';
import { freshDatabase, type TestDatabase } from '../support/postgres.js';
import { hastyErrand, loudErrand, urgentErrand } from './errand/errands.js';
import { shopSagas } from './errand/shop.js';

// A worker decides by what it remembers of a run. These are the moments in which that is old.

let home: TestDatabase;
let database: Database;
let context: EngineContext;
let run: string;
/** What the shop does with the next call; it sees the keys that reach it. */
let atShop: () => Promise<Outcome<null>> | Outcome<null>;
let sent: string[];

const sagas = shopSagas(async ({ key }) => {
  sent.push(key.slice(key.indexOf(':') + 1));
  return atShop();
});
const sealer = createSealer(`test:${randomBytes(32).toString('base64')}`);

beforeAll(async () => {
  home = await freshDatabase();
  database = openDatabase({ url: home.url, name: 'attempts test' });
  await database.query(`insert into accounts (id, name) values ('acme', 'Acme')`);
});
beforeEach(async () => {
  atShop = () => done(null);
  sent = [];
  context = {
    ...{ database, sagas, sealer, known: rememberRuns(10), callTimeoutMs: null, worker: 'w-1' },
    meters: UNWATCHED,
    currentExecution: async () => 'mine',
    learned: async () => [],
    random: () => 0.5,
    monotonicMs: () => performance.now(),
  };
  run = await accept(hastyErrand);
});
afterAll(async () => {
  await database.end();
  await home.drop();
});

async function accept(definition: SagaDefinition): Promise<string> {
  const id = newId('bk');
  await acceptRun({ database, sealer }, { id, definition });
  return id;
}

/** What the driver of an execution asks for: the first attempt of a step. */
function askFor(step: string, version: number, knows = 0): CallAsk {
  const key = stepKey(run, step, 'do');
  return { run, saga: 'errand', version, knows, step, key, attempt: 1, direction: 'do' };
}

type Asking = Partial<Pick<CallAsk, 'version' | 'knows' | 'mark' | 'succeeds'>> & {
  readonly by?: string;
};

function attempt(step: string, { by = 'mine', version = 1, knows = 0, ...marked }: Asking = {}) {
  const ask = { ...askFor(step, version, knows), ...marked };
  const { forward } = sagas.step('errand', version, step);
  const act = sagas.act(forward.run);
  if (act.kind !== 'act') throw new Error(`${forward.run} is not an act`);
  return stepActivity(context, { execution: by }, act, ask);
}

const cancel = () =>
  inTransaction(database, async (tx) => {
    const record = await openRun(tx, sagas, run);
    return (await cancelOpenRun(tx, record, { by: 'customer', who: 'acme/key' })).answer;
  });

async function journal(): Promise<readonly string[]> {
  const { rows } = await database.query<{ line: Record<string, string> }>(
    `select line from journal where run = $1::text order by seq`,
    [run],
  );
  return rows.map(({ line }) =>
    [line['kind'], line['step'], line['outcome'] ?? line['as']].filter(Boolean).join(' '),
  );
}

const row = async () =>
  (
    await database.query(
      `select state, execution, last_seq, ended_at is not null as ended from runs where id = $1`,
      [run],
    )
  ).rows[0];

test('each attempt is two lines and one request, and the last one ends the run', async () => {
  for (const step of ['order', 'pack', 'send']) await attempt(step);
  expect(sent).toEqual(['order', 'pack', 'send']);
  expect(await journal()).toEqual([
    'accepted',
    ...['begun order', 'ended order done'],
    ...['begun pack', 'ended pack done'],
    ...['begun send', 'ended send done'],
    'finished completed',
  ]);
  expect(await row()).toEqual({ state: 'completed', execution: 'mine', last_seq: 8, ended: true });
});

describe('a cancel that Temporal delivers', () => {
  const deliver = () =>
    noteCancel(context, { execution: 'mine' }, { run, saga: 'errand', version: 1, knows: 0 });

  test.each([
    ['goes on', false],
    ['has ended otherwise meanwhile', true],
  ])('writes nothing where it was accepted before and the run %s', async (_now, ended) => {
    await cancel();
    if (ended) {
      const [abandoned, over] = [{ kind: 'abandoned' }, { kind: 'finished' }] as const;
      await append(database, sagas, run, abandoned, { ...over, as: 'closed_by_hand' });
    }
    const before = await journal();
    await deliver();
    expect(await journal()).toEqual(before);
  });

  test('is refused on record where somebody asked Temporal itself, too late', async () => {
    for (const step of ['order', 'pack', 'send']) await attempt(step);
    await deliver();
    expect((await journal()).at(-1)).toBe('cancel-refused');
  });
});

test('a step that is not the last one ends nothing', async () => {
  await attempt('order');
  expect(await row()).toMatchObject({ state: 'running', ended: false });
});

test('a cancel that came since the last step is seen: nothing more is sent', async () => {
  await attempt('order');
  expect(await cancel()).toBe('accepted');
  const { lines } = await attempt('pack');
  expect(sent).toEqual(['order']);
  expect(lines.at(-1)).toMatchObject({ kind: 'cancel-accepted' });
});

test('a cancel during the call does not lose its outcome', async () => {
  atShop = async () => {
    await cancel();
    return done(null);
  };
  const { lines } = await attempt('order');
  expect(lines.map(({ kind }) => kind)).toEqual(['accepted', 'begun', 'cancel-accepted', 'ended']);
});

test('a run that another execution has taken over sends nothing for the old one', async () => {
  await attempt('order');
  await database.query(`update runs set execution = 'theirs' where id = $1`, [run]);
  context = { ...context, currentExecution: async () => 'theirs' };
  await expect(attempt('pack')).rejects.toMatchObject({ name: 'StrayExecution' });
  expect(sent).toEqual(['order']);
});

test('an outcome that an old execution brings is written, and the new one told to look', async () => {
  atShop = async () => {
    await database.query(`update runs set execution = 'theirs' where id = $1`, [run]);
    return refused('sold_out');
  };
  await attempt('order');
  expect(await journal()).toEqual(['accepted', 'begun order', 'ended order refused']);
  const { rows } = await database.query(`select kind from outbox where run = $1 order by id`, [
    run,
  ]);
  expect(rows).toEqual([{ kind: 'start' }, { kind: 'look' }]);
});

test('the last outcome, brought by an old execution, leaves the end to the new one', async () => {
  for (const step of ['order', 'pack']) await attempt(step);
  atShop = async () => {
    await database.query(`update runs set execution = 'theirs' where id = $1`, [run]);
    return done(null);
  };
  await attempt('send');
  expect((await journal()).at(-1)).toBe('ended send done');
  expect(await row()).toMatchObject({ state: 'running', execution: 'theirs', ended: false });
});

test('a deadline that passes is seen by the clock of the database, whatever is remembered', async () => {
  run = await accept(urgentErrand);
  await attempt('order', { version: 3 });
  await database.query(
    `select pg_sleep(extract(epoch from deadline_at - clock_timestamp())) from runs where id = $1`,
    [run],
  );
  expect(await attempt('pack', { version: 3 })).toMatchObject({ stopped: 'deadline' });
  expect(sent).toEqual(['order']);
});

describe('a record that was restored from an older copy', () => {
  test('sends nothing for a driver that knows more than it does', async () => {
    await expect(attempt('order', { knows: 7 })).rejects.toMatchObject({ name: 'RecordIsOlder' });
    expect(sent).toEqual([]);
    expect(await journal()).toEqual(['accepted']);
  });

  test('sends nothing for a driver that knows other lines than it has grown since', async () => {
    const others = { mark: 'of other lines' };
    await expect(attempt('order', others)).rejects.toMatchObject({ name: 'RecordIsOlder' });
    expect(sent).toEqual([]);
    expect(await journal()).toEqual(['accepted']);
  });

  test('sends nothing by what a worker remembers, though it has grown to as many lines', async () => {
    await attempt('order');
    const { lines } = await readRecord(database, sagas, run);
    const knows = { knows: lines.length, mark: markOf(lines, lines.length) };
    await database.query(`alter table journal disable trigger user`);
    await database.query(
      `update journal set line = '{"kind": "cancel-refused", "why": "past-pivot"}'
       where run = $1::text and seq = $2::integer`,
      [run, lines.length],
    );
    await database.query(`alter table journal enable trigger user`);
    await database.query(`update runs set updated_at = now() where id = $1::text`, [run]);
    await expect(attempt('pack', knows)).rejects.toMatchObject({ name: 'RecordIsOlder' });
    expect(sent).toEqual(['order']);
  });

  test('sends nothing by what a worker remembers that lived through it', async () => {
    await attempt('order');
    await expect(attempt('pack', { knows: 7 })).rejects.toMatchObject({ name: 'RecordIsOlder' });
    expect(sent).toEqual(['order']);
  });

  test.each([
    ['in the place of one that the record names', 'theirs', { knows: 0 }],
    ['as a reset one, of which the record names none', null, { succeeds: true }],
  ])('sends nothing for a new execution %s, if an old one knew more', async (_how, by, asking) => {
    await database.query(`update runs set execution = $2::text where id = $1`, [run, by]);
    const begun = { kind: 'begun', step: 'order', direction: 'do', attempt: 1 } as const;
    const lines = [
      { seq: 1, kind: 'accepted' },
      { seq: 2, ...begun },
    ] as const;
    context = { ...context, learned: async () => [{ runId: 'theirs', lines }] };
    await expect(attempt('order', asking)).rejects.toMatchObject({ name: 'RecordIsOlder' });
    context = { ...context, learned: async () => [{ runId: 'theirs', lines: [lines[0]] }] };
    expect(await attempt('order', asking)).toMatchObject({ taken: true });
    expect(sent).toEqual([]);
  });

  test('takes no outcome of an attempt that it has forgotten: it travels on, sealed', async () => {
    atShop = async () => {
      context.known.take(run);
      await database.query(`delete from attempts where run = $1`, [run]);
      return done(null);
    };
    expect(await attempt('order')).toMatchObject({ sealed: expect.any(String) });
  });
});

test('two workers that are given one attempt send it once', async () => {
  const other = { ...context, known: rememberRuns(10), worker: 'w-2' };
  const first = attempt('order');
  const mine = context;
  context = other;
  const second = attempt('order');
  context = mine;
  await Promise.all([first, second]);
  expect(sent).toEqual(['order']);
});

describe('a change that was decided by an old record writes nothing', () => {
  test.each([
    ['the journal has grown', () => cancel()],
    [
      'the journal has grown at the same time, by a clock that went back',
      async (now: string) => {
        await cancel();
        await database.query(`update runs set updated_at = $2::timestamptz where id = $1`, [
          run,
          now,
        ]);
      },
    ],
    [
      'another execution has the run',
      () => database.query(`update runs set execution = 'theirs' where id = $1`, [run]),
    ],
  ])('%s', async (_what, change) => {
    const record = await readRecord(database, sagas, run);
    await change(record.writtenAt);
    const before = await journal();
    expect(
      await tryChange(database, record, {
        facts: [{ kind: 'begun', step: 'order', direction: 'do', attempt: 1 }],
        keys: [{ step: 'order', direction: 'do', sent: true }],
        begun: {
          ...{ step: 'order', direction: 'do', attempt: 1, timeoutMs: 1_000, worker: 'w-1' },
          token: '00000000-0000-4000-8000-000000000001',
        },
        looks: true,
      }),
    ).toBeNull();
    expect(await journal()).toEqual(before);
    for (const table of ['step_keys', 'attempts']) {
      const { rows } = await database.query(`select from ${table} where run = $1`, [run]);
      expect(rows).toEqual([]);
    }
    const looks = await database.query(`select from outbox where run = $1 and kind = 'look'`, [
      run,
    ]);
    expect(looks.rows).toEqual([]);
  });

  test('its time has passed', async () => {
    const record = await readRecord(database, sagas, run);
    const change = { facts: [{ kind: 'key-expired', step: 'order', direction: 'do' }] } as const;
    expect(await tryChange(database, record, { ...change, before: record.now })).toBeNull();
    const later = new Date(record.now.getTime() + 60_000);
    expect(await tryChange(database, record, { ...change, before: later })).not.toBeNull();
  });
});

test('an answer that comes after the end of its run does not count that end once more', async () => {
  const ended: string[] = [];
  const meters = { ...UNWATCHED, ended: (saga: string, as: string) => ended.push(`${saga} ${as}`) };
  context = { ...context, callTimeoutMs: 50, meters };
  run = await accept(loudErrand);
  await attempt('order', { version: 4 });
  // Begun by a process that then stands still; its attempt is given up, and the run goes on.
  const late = askFor('advertise', 4);
  expect(await beginAttempt(context, { execution: 'mine' }, late)).toMatchObject({ kind: 'send' });
  await expect
    .poll(async () => (await readAttemptOf(context, { execution: 'mine' }, late)).hold_ms)
    .toBeUndefined();
  await attempt('send', { version: 4 });
  expect(ended).toEqual(['errand completed']);
  await endAttempt(context, { execution: 'mine' }, late, done(null));
  expect(ended).toEqual(['errand completed']);
});
