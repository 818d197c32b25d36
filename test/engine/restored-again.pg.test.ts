import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { EngineContext } from '../../activities/engine/engine-context.js';
import { rememberRuns } from '../../activities/engine/known-runs.js';
import { holdForDesk, RecordIsOlder } from '../../activities/engine/own-run.js';
import { resolveCase } from '../../src/engine/cases/resolve-case.store.js';
import { inTransaction, openDatabase, type Database } from '../../src/engine/database/database.js';
import { newId } from '../../src/engine/ids.js';
import { readRecord } from '../../src/engine/journal/run-record.store.js';
import { tryLease } from '../../src/engine/locks/lease.store.js';
import { acceptRun } from '../support/accept-run.js';
import { sweepBatch } from '../../src/engine/runs/sweep.process.js';
import { SWEEP_LEASE } from '../../src/engine/runs/sweep.store.js';
import type { ClosedAs } from '../../src/engine/runs/temporal-runs.js';
import type { JournalLine } from '../../src/engine/saga/journal.js';
import { createSealer } from '../../src/engine/sealing/seal.js';
import { UNWATCHED } from '../../src/engine/telemetry/meters.js';
import { fakeTemporal, type FakeTemporal } from '../support/fake-temporal.js';
import { keptLog } from '../support/kept-log.js';
import { freshDatabase, type TestDatabase } from '../support/postgres.js';
import { hastyErrand } from './errand/errands.js';
import { shopSagas } from './errand/shop.js';

// A record that was restored from an older copy, and then once more from one that was made after a
// person had decided about the first time.

let home: TestDatabase;
let database: Database;
let temporal: FakeTemporal;
let fence: number;
let run: string;

const sagas = shopSagas(async () => {
  throw new Error('nothing is sent here');
});
const sealer = createSealer(`test:${randomBytes(32).toString('base64')}`);
const BEGUN = { kind: 'begun', step: 'order', direction: 'do', attempt: 1 } as const;
const HOUR = 3_600_000;

beforeAll(async () => {
  home = await freshDatabase();
  database = openDatabase({ url: home.url, name: 'restored again' });
  await database.query(`insert into accounts (id, name) values ('acme', 'Acme')`);
});
beforeEach(async () => {
  await database.query(`delete from locks`);
  await database.query(`update runs set look_at = now() + interval '1 day'`);
  temporal = fakeTemporal();
  fence = (await tryLease(database, SWEEP_LEASE, 'me', HOUR)) ?? 0;
  run = newId('bk');
  await acceptRun({ database, sealer }, { id: run, definition: hastyErrand });
  await database.query(`update outbox set sent_at = now() where run = $1::text`, [run]);
});
afterAll(async () => {
  await database.end();
  await home.drop();
});

const record = () => readRecord(database, sagas, run);

/** What one who went on by the record, and did a step more, knows after that was restored. */
async function aStepMore(): Promise<readonly JournalLine[]> {
  const { lines } = await record();
  return [...lines, { ...BEGUN, seq: lines.length + 1 }];
}

async function sweep(): Promise<void> {
  await database.query(`update runs set look_at = now() where id = $1::text`, [run]);
  await sweepBatch({ database, temporal, log: keptLog(), sagas, holder: 'me' }, fence);
}

/** The execution that calls is the current one, and Temporal says what it knows. */
async function worker(known: readonly JournalLine[]): Promise<void> {
  const context: EngineContext = {
    ...{ database, sagas, sealer, known: rememberRuns(10), callTimeoutMs: null, worker: 'w-1' },
    meters: UNWATCHED,
    currentExecution: async () => 'mine',
    learned: async () => [{ runId: 'mine', lines: known }],
    random: () => 0.5,
    monotonicMs: () => performance.now(),
  };
  const ask = { run, saga: 'errand', version: 1, knows: known.length };
  await holdForDesk(context, { execution: 'mine' }, ask, new RecordIsOlder('it knows more'));
}

function temporalHas(as: ClosedAs, known: readonly JournalLine[]): void {
  temporal.executions.set(run, { status: 'closed', runId: `execution of ${run}`, as });
  temporal.knows.set(run, known);
}

const SEEN_BY: Readonly<Record<string, (known: readonly JournalLine[]) => Promise<void>>> = {
  'the worker': worker,
  'the sweep, at one that was terminated': async (known) => {
    temporalHas('TERMINATED', known);
    await sweep();
  },
  'the sweep, at one that has ended': async (known) => {
    temporalHas('COMPLETED', known);
    await sweep();
  },
};

async function cases(): Promise<readonly { readonly id: string; readonly state: string }[]> {
  const { rows } = await database.query<{ id: string; state: string; revision: number }>(
    `select id, state, revision from cases where run = $1::text order by opened_at`,
    [run],
  );
  return rows;
}

async function decide(): Promise<void> {
  const open = (await cases()).find(({ state }) => state === 'open');
  if (open === undefined) throw new Error('there is no open case');
  const said = { verdict: 'left-as-is', evidence: 'their books', reason: 'compared' } as const;
  await inTransaction(database, (tx) =>
    resolveCase(tx, sagas, sealer, { ...said, case: open.id, revisions: [1], who: 'ops' }),
  );
}

const states = async () => (await cases()).map(({ state }) => state);

test.each(Object.entries(SEEN_BY))(
  'what is seen by %s is on the desk once, and once more after another copy',
  async (_who, isSeen) => {
    const first = await aStepMore();
    await isSeen(first);
    await isSeen(first);
    expect(await states()).toEqual(['open']);
    await decide();
    await isSeen(first);
    expect(await states()).toEqual(['resolved']);

    const second = await aStepMore();
    await isSeen(second);
    await isSeen(second);
    expect(await states()).toEqual(['resolved', 'open']);
    await decide();
    await isSeen(second);
    await isSeen(first);
    expect(await states()).toEqual(['resolved', 'resolved']);
  },
);

test('a copy from before the first time has forgotten that case, too, and opens one', async () => {
  const known = await aStepMore();
  const forgotten = { case: newId('case'), step: 'order', direction: 'do' } as const;
  const opened = { kind: 'case-opened', problem: 'contradiction', ...forgotten } as const;
  await worker([...known, { ...opened, seq: known.length + 1 }]);
  expect(await states()).toEqual(['open']);
});
