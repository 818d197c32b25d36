import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { beginAttempt } from '../../activities/engine/begin-attempt.js';
import { endAttempt } from '../../activities/engine/end-attempt.js';
import type { EngineContext } from '../../activities/engine/engine-context.js';
import { findActivity } from '../../activities/engine/find-activity.js';
import { rememberRuns } from '../../activities/engine/known-runs.js';
import { readAttemptOf } from '../../activities/engine/read-attempt.js';
import { unwindRun } from '../../activities/engine/turn-run.js';
import { inTransaction, openDatabase, type Database } from '../../src/engine/database/database.js';
import { newId } from '../../src/engine/ids.js';
import { appendFacts } from '../../src/engine/journal/run-change.store.js';
import { openRun } from '../../src/engine/journal/run-record.store.js';
import { valuePlace } from '../../src/engine/journal/sealed-places.js';
import { acceptRun } from '../support/accept-run.js';
import type { Act, FindOf, UndoOf } from '../../src/engine/saga/act.js';
import type { CallAsk } from '../../src/engine/saga/activity-messages.js';
import { defineSaga } from '../../src/engine/saga/define-saga.js';
import {
  done,
  found,
  notThere,
  refused,
  unknown,
  type Finding,
} from '../../src/engine/saga/outcome.js';
import { stepKey, type Direction } from '../../src/engine/saga/step-key.js';
import { Sagas } from '../../src/engine/sagas.js';
import { createSealer } from '../../src/engine/sealing/seal.js';
import { UNWATCHED } from '../../src/engine/telemetry/meters.js';
import { freshDatabase, type TestDatabase } from '../support/postgres.js';

// What is known of a call depends on when it was sent, by the clock of the database alone.

interface Acts {
  readonly hold: Act<'seats', null, { id: string }>;
  readonly release: UndoOf<'hold', null, { id: string }, null>;
  readonly findHold: FindOf<'hold', { id: string }>;
  readonly issue: Act<'seats', null, { id: string }>;
}

const seats = defineSaga<null, Acts>('seats', { version: 1 })
  .step('hold', {
    ...{ run: 'hold', at: 'seats', whenUnknown: 'ask-provider', find: 'findHold' },
    input: () => null,
    undo: { run: 'release', whenUnknown: 'repeat', why: 'twice is harmless here' },
  })
  .pivot('issue', { run: 'issue', at: 'seats', whenUnknown: 'ask-person', input: () => null });

const SETTLES_MS = 30_000;
const TIMEOUT_MS = 10_000;
const CALLING = { execution: 'mine' };

let finding: Finding<{ id: string }>;
const parse = (value: unknown) => value as { id: string };
const perform = () => Promise.reject(new Error('no test sends anything'));
const find = {
  kind: 'find',
  of: 'hold',
  perform: () => Promise.resolve(finding),
} as const satisfies FindOf<'hold', { id: string }>;
const sagas = new Sagas({
  sagas: [seats],
  acts: {
    hold: { kind: 'act', provider: 'seats', parse, perform },
    release: { kind: 'undo', of: 'hold', parse: () => null, perform },
    findHold: find,
    issue: { kind: 'act', provider: 'seats', parse, perform },
  },
  providers: { seats: { settlesMs: SETTLES_MS, keyWindowMs: null } },
});
const sealer = createSealer(`test:${randomBytes(32).toString('base64')}`);

let home: TestDatabase;
let database: Database;
let context: EngineContext;
let run: string;

beforeAll(async () => {
  home = await freshDatabase();
  database = openDatabase({ url: home.url, name: 'settling test' });
  await database.query(`insert into accounts (id, name) values ('acme', 'Acme')`);
});
beforeEach(async () => {
  context = {
    ...{ database, sagas, sealer, known: rememberRuns(10), callTimeoutMs: TIMEOUT_MS },
    ...{ worker: 'w-1', meters: UNWATCHED, random: () => 0.5 },
    currentExecution: async () => 'mine',
    learned: async () => [],
    monotonicMs: () => performance.now(),
  };
  run = newId('bk');
  await acceptRun({ database, sealer }, { id: run, definition: seats });
});
afterAll(async () => {
  await database.end();
  await home.drop();
});

function askFor(step: string, direction: Direction = 'do', attempt = 1): CallAsk {
  const key = stepKey(run, step, direction);
  return { run, saga: 'seats', version: 1, knows: 0, step, direction, key, attempt };
}

const begin = (ask: CallAsk) => beginAttempt(context, CALLING, ask);

/** As if the attempts of this run had been sent that long ago. */
async function letPass(ms: number): Promise<void> {
  context.known.take(run);
  await database.query(
    `update attempts set send_by = send_by - $2::integer * interval '1 millisecond'
     where run = $1::text`,
    [run, ms],
  );
}

async function keys(): Promise<readonly string[]> {
  const { rows } = await database.query<{ key: string }>(
    `select step || ' ' || direction || case when closed_at is null then ' open' else ' closed' end
       as key
     from step_keys where run = $1::text order by step, direction`,
    [run],
  );
  return rows.map(({ key }) => key);
}

describe('an attempt whose process is silent', () => {
  beforeEach(async () => {
    await begin(askFor('hold'));
  });

  test.each([
    ['can still be sent', 0, TIMEOUT_MS + SETTLES_MS],
    ['can no longer be sent, but may still land', TIMEOUT_MS + 1_000, SETTLES_MS - 1_000],
    ['may land for one second more', TIMEOUT_MS + SETTLES_MS - 1_000, 1_000],
  ])('is waited for while it %s', async (_what, passed, waits) => {
    await letPass(passed);
    const { hold_ms = 0, lines } = await readAttemptOf(context, CALLING, askFor('hold'));
    expect(lines.at(-1)).toMatchObject({ kind: 'begun' });
    expect(hold_ms).toBeLessThanOrEqual(waits);
    expect(hold_ms).toBeGreaterThan(waits - 1_000);
  });

  test('is unknown once it can land no more, and never "nothing happened"', async () => {
    await letPass(TIMEOUT_MS + SETTLES_MS);
    const { hold_ms, lines } = await readAttemptOf(context, CALLING, askFor('hold'));
    expect(hold_ms).toBeUndefined();
    expect(lines.at(-1)).toMatchObject({ kind: 'ended', outcome: 'unknown' });
  });
});

test('what the last outcome settles is settled before the end of the run', async () => {
  for (const step of ['hold', 'issue'] as const) {
    await begin(askFor(step));
    if (step === 'hold') await endAttempt(context, CALLING, askFor(step), done({ id: 's_1' }));
  }
  await endAttempt(context, CALLING, askFor('issue'), unknown('timed-out'));
  const of = { step: 'issue', direction: 'do', problem: 'unknown-outcome' } as const;
  await inTransaction(database, async (tx) =>
    appendFacts(tx, await openRun(tx, sagas, run), [
      { kind: 'case-opened', case: newId('case'), ...of },
    ]),
  );
  const { lines } = await endAttempt(context, CALLING, askFor('issue'), done({ id: 't_1' }));
  expect(lines.slice(-3).map(({ kind }) => kind)).toEqual(['ended', 'case-settled', 'finished']);
});

describe('what a provider answers that is asked', () => {
  beforeEach(async () => {
    await begin(askFor('hold'));
    await endAttempt(context, CALLING, askFor('hold'), unknown('timed-out'));
  });

  test.each([
    ['"not there", while the call may still land', 0, notThere(), 'cannot-tell'],
    ['"not there", a second too early', TIMEOUT_MS + SETTLES_MS - 1_000, notThere(), 'cannot-tell'],
    ['"not there", once it can land no more', TIMEOUT_MS + SETTLES_MS, notThere(), 'not-there'],
    ['"found", at once', 0, found({ id: 's_1' }), 'found'],
  ] as const)('%s', async (_what, passed, answered, counts) => {
    await letPass(passed);
    finding = answered;
    const { lines } = await findActivity(context, CALLING, find, askFor('hold'));
    expect(lines.at(-1)).toMatchObject({ kind: 'asked', finding: counts });
  });
});

describe('a key', () => {
  test('that is closed lets nothing through, whatever else is on record', async () => {
    await database.query(
      `insert into step_keys (run, step, direction, key, closed_at)
       values ($1::text, 'hold', 'do', $2::text, now())`,
      [run, stepKey(run, 'hold', 'do')],
    );
    expect(await begin(askFor('hold'))).toMatchObject({ kind: 'answer' });
  });

  test('of a step is closed when its undo begins', async () => {
    await begin(askFor('hold'));
    await endAttempt(context, CALLING, askFor('hold'), done({ id: 's_1' }));
    await begin(askFor('issue'));
    await endAttempt(context, CALLING, askFor('issue'), refused('sold_out'));
    await unwindRun(context, CALLING, { ...askFor('issue'), because: 'refused' });
    expect(await keys()).toEqual(['hold do open', 'issue do closed']);
    expect(await begin(askFor('hold', 'undo'))).toMatchObject({ kind: 'send' });
    expect(await keys()).toEqual(['hold do closed', 'hold undo open', 'issue do closed']);
  });

  test('keeps the first value of its step, by which the run has gone on', async () => {
    await begin(askFor('hold'));
    await endAttempt(context, CALLING, askFor('hold'), unknown('timed-out'));
    finding = found({ id: 's_1' });
    await findActivity(context, CALLING, find, askFor('hold'));
    await endAttempt(context, CALLING, askFor('hold'), done({ id: 's_2' }));
    const { rows } = await database.query<{ value: Buffer; provider_id: string }>(
      `select value, provider_id from step_keys where run = $1::text`,
      [run],
    );
    const [row] = rows;
    const place = { run, step: 'hold', direction: 'do' } as const;
    expect(row?.provider_id).toBe('s_1');
    expect(row && sealer.open(row.value, valuePlace(place))).toEqual({ id: 's_1' });
  });
});
