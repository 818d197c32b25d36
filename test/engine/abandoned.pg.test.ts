import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { beginAttempt } from '../../activities/engine/begin-attempt.js';
import { endAttempt } from '../../activities/engine/end-attempt.js';
import type { EngineContext } from '../../activities/engine/engine-context.js';
import { rememberRuns } from '../../activities/engine/known-runs.js';
import { readAttemptOf } from '../../activities/engine/read-attempt.js';
import { retryNow } from '../../activities/engine/turn-run.js';
import { inTransaction, openDatabase, type Database } from '../../src/engine/database/database.js';
import { newId } from '../../src/engine/ids.js';
import { acceptRun } from '../support/accept-run.js';
import { actOnRun } from '../../src/engine/runs/act-on-run.store.js';
import type { CallAsk } from '../../src/engine/saga/activity-messages.js';
import { again, done, type Outcome } from '../../src/engine/saga/outcome.js';
import { stepKey } from '../../src/engine/saga/step-key.js';
import { createSealer } from '../../src/engine/sealing/seal.js';
import { UNWATCHED } from '../../src/engine/telemetry/meters.js';
import { freshDatabase, type TestDatabase } from '../support/postgres.js';
import { hastyErrand } from './errand/errands.js';
import { shopSagas } from './errand/shop.js';

// What a worker still does about a run that was abandoned behind its back.

const CALLING = { execution: 'mine' };
const sagas = shopSagas(() => Promise.resolve(done(null)));
const sealer = createSealer(`test:${randomBytes(32).toString('base64')}`);

let home: TestDatabase;
let database: Database;
let context: EngineContext;
let order: CallAsk;

beforeAll(async () => {
  home = await freshDatabase();
  database = openDatabase({ url: home.url, name: 'abandoned test' });
  await database.query(`insert into accounts (id, name) values ('acme', 'Acme')`);
});
beforeEach(async () => {
  context = {
    ...{ database, sagas, sealer, known: rememberRuns(10), callTimeoutMs: 20, worker: 'w-1' },
    meters: UNWATCHED,
    currentExecution: async () => 'mine',
    learned: async () => [],
    random: () => 0.5,
    monotonicMs: () => performance.now(),
  };
  const run = newId('bk');
  await acceptRun({ database, sealer }, { id: run, definition: hastyErrand });
  const key = stepKey(run, 'order', 'do');
  const of = { step: 'order', direction: 'do', key, attempt: 1 } as const;
  order = { run, saga: 'errand', version: 1, knows: 0, ...of };
});
afterAll(async () => {
  await database.end();
  await home.drop();
});

const SENT = { kind: 'send' };
const begin = (ask: CallAsk = order) => beginAttempt(context, CALLING, ask);
const end = (outcome: Outcome<unknown>) => endAttempt(context, CALLING, order, outcome);

/** As soon as its call can no longer be sent. */
async function abandon(): Promise<void> {
  const wish = { run: order.run, action: 'abandon', reason: 'test', who: 'acme/key' } as const;
  const answer = async () =>
    (await inTransaction(database, (tx) => actOnRun(tx, sagas, wish))).answer;
  await expect.poll(answer, { timeout: 10_000 }).toBe('accepted');
}

async function openCases(): Promise<readonly string[]> {
  const { rows } = await database.query<{ problem: string }>(
    `select problem from cases where run = $1::text and state = 'open'`,
    [order.run],
  );
  return rows.map(({ problem }) => problem);
}

async function attempts(): Promise<readonly string[]> {
  const { rows } = await database.query<{ state: string; detail: string | null }>(
    `select state, detail from attempts where run = $1::text`,
    [order.run],
  );
  return rows.map(({ state, detail }) => `${state} ${detail}`);
}

test('begins nothing more, and tells its driver of the end', async () => {
  await abandon();
  const answer = await begin();
  expect(answer).toMatchObject({ kind: 'answer' });
  const lines = 'answer' in answer ? answer.answer.lines.map(({ kind }) => kind) : [];
  expect(lines).toEqual(['accepted', 'abandoned', 'finished']);
});

test('waits no longer for a call whose process is gone', async () => {
  expect(await begin()).toMatchObject(SENT);
  await abandon();
  expect(await attempts()).toEqual(['unknown abandoned']);
  const { hold_ms, lines } = await readAttemptOf(context, CALLING, order);
  expect([hold_ms, lines.at(-1)?.kind]).toEqual([undefined, 'finished']);
});

test('an effect that shows itself late is kept, with its value, and opens a case', async () => {
  expect(await begin()).toMatchObject(SENT);
  await abandon();
  await end(done({ id: 'or_1' }));
  expect(await attempts()).toEqual(['done null']);
  expect(await openCases()).toEqual(['contradiction']);
  const { rows } = await database.query(
    `select runs.state, runs.status, value is not null as kept
     from runs join step_keys on run = id where id = $1::text and step = 'order'
       and step_keys.direction = 'do'`,
    [order.run],
  );
  expect(rows).toEqual([{ state: 'closed_by_hand', status: 'closed', kept: true }]);
});

test('that nothing happened is kept, and opens none', async () => {
  expect(await begin()).toMatchObject(SENT);
  await abandon();
  await end(again('busy'));
  expect(await attempts()).toEqual(['again busy']);
  expect(await openCases()).toEqual([]);
});

test('"now" from its workflow changes nothing any more', async () => {
  await begin();
  await end(again('busy', 300_000));
  await abandon();
  const { lines } = await retryNow(context, CALLING, order);
  expect(lines.map(({ kind }) => kind)).not.toContain('retried');
});
