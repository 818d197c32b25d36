import { randomBytes } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openDatabase, type Database } from '../../src/engine/database/database.js';
import { runMigrations } from '../../src/engine/database/migrate.js';
import { pollUntil } from '../../src/local/poll-until.process.js';
import { spawnPart, startOwnPostgres, type OwnPostgres, type Part } from '../support/processes.js';
import { putMessage, putRun } from '../support/run-rows.js';
import { freshNamespace, startOwnTemporal, type OwnTemporal } from '../support/temporal.js';

// The relay as it is run, beside servers that die. There is no worker: what was started just stays.

const LIMIT = { limitMs: 60_000, everyMs: 100 };

let postgres: OwnPostgres;
let temporal: OwnTemporal;
let database: Database;
let client: Client;
let namespace: string;
let closeNamespace: () => Promise<void>;
let relay: Part;

beforeAll(async () => {
  [postgres, temporal] = await Promise.all([
    startOwnPostgres(),
    startOwnTemporal({ dbFile: true }),
  ]);
  await runMigrations(postgres.url);
  database = openDatabase({ url: postgres.url, name: 'relay test' });
  const mine = await freshNamespace(temporal.address);
  ({ client, namespace, close: closeNamespace } = mine);
});
afterEach(() => relay.stop());
afterAll(async () => {
  await closeNamespace();
  await database.end();
  await Promise.all([postgres.stop(), temporal.stop()]);
});

async function startRelay(): Promise<void> {
  relay = await spawnPart('relay', {
    DATABASE_URL: postgres.url,
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: namespace,
    RECOURSE_ENCRYPTION_KEYS: `test:${randomBytes(32).toString('base64')}`,
    RECOURSE_START_GRACE_MS: '100',
  });
}

/** An accepted run that nobody has started yet. */
async function accept(firstWaitMs = 60_000): Promise<string> {
  const run = await putRun(database, { firstWaitMs, waitMs: firstWaitMs, lookInMs: firstWaitMs });
  await putMessage(database, { run, kind: 'start' });
  return run;
}

async function isSent(run: string): Promise<boolean> {
  const { rows } = await database.query(
    `select 1 from outbox where run = $1::text and sent_at is null`,
    [run],
  );
  return rows.length === 0;
}

async function execution(run: string): Promise<{ id: string; status: string } | null> {
  try {
    const { runId, status } = await client.workflow.getHandle(run).describe();
    return { id: runId, status: status.name };
  } catch {
    return null;
  }
}

/** The first execution of a run that is running and not among those that were seen before. */
async function running(run: string, ...before: string[]): Promise<string> {
  const id = await pollUntil(async () => {
    const now = await execution(run);
    return now?.status === 'RUNNING' && !before.includes(now.id) && now.id;
  }, LIMIT);
  expect(id, relay.output()).toBeTypeOf('string');
  return String(id);
}

function logged(state: string): unknown[] {
  const lines = relay.lines().map((line) => JSON.parse(line) as Record<string, unknown>);
  return lines.filter((line) => line.state === state).map((line) => line.subject);
}

test('what was accepted while Temporal was away is started once it is back', async () => {
  await temporal.kill9();
  const runs = [await accept(), await accept(), await accept()];
  await startRelay();
  expect(relay.ready).toEqual({ ready: true, part: 'relay', metrics: null });
  await pollUntil(() => logged('down').includes('temporal'), LIMIT);
  expect(await Promise.all(runs.map(isSent))).toEqual([false, false, false]);

  await temporal.start();
  for (const run of runs) await running(run);
  const allSent = async () => (await Promise.all(runs.map(isSent))).every(Boolean);
  expect(await pollUntil(allSent, LIMIT)).toBe(true);

  await relay.stop();
  expect(await relay.exit).toMatchObject({ code: 0 });
  expect([logged('down'), logged('up')]).toEqual([['temporal'], ['temporal']]);
});

test('a run that is terminated or deleted from outside is started again by the sweep', async () => {
  await startRelay();
  const run = await accept(1_000);
  const first = await running(run);
  await client.workflow.getHandle(run).terminate('from outside');
  const second = await running(run, first);
  await client.workflowService.deleteWorkflowExecution({
    namespace,
    workflowExecution: { workflowId: run },
  });
  await running(run, first, second);

  const { rows } = await database.query(
    `select who, action, reason, before from interventions where run = $1::text order by id`,
    [run],
  );
  const byTheSweep = { who: 'sweep', action: 'started-again' };
  expect(rows).toEqual([
    {
      ...byTheSweep,
      reason: 'execution-closed',
      before: { execution: 'TERMINATED', temporal_run: first },
    },
    {
      ...byTheSweep,
      reason: 'execution-missing',
      before: { execution: null, temporal_run: null },
    },
  ]);
});

test('a cancel whose run was terminated brings it back at once, long before its look', async () => {
  await startRelay();
  const run = await accept();
  const first = await running(run);
  await client.workflow.getHandle(run).terminate('from outside');
  await putMessage(database, { run, kind: 'cancel' });
  expect(await running(run, first)).not.toBe(first);
});

test('a relay whose Postgres dies stays, and sends what is accepted afterwards', async () => {
  await startRelay();
  await postgres.kill9();
  await pollUntil(() => logged('down').includes('outbox'), LIMIT);
  await postgres.start();
  const run = await accept();
  await running(run);
  expect(await pollUntil(() => isSent(run), LIMIT)).toBe(true);
  expect(await pollUntil(() => logged('up').includes('outbox'), LIMIT)).toBe(true);
});

test('what a killed relay had sent and could not mark, the next one sends again', async () => {
  await database.query(
    `create function refuse_mark() returns trigger language plpgsql as
       $$ begin raise exception 'not now'; end $$;
     create trigger refuse_mark before update on outbox for each row
       when (new.sent_at is not null) execute function refuse_mark()`,
  );
  await startRelay();
  const run = await accept();
  const first = await running(run);
  await pollUntil(() => logged('down').includes('outbox'), LIMIT);
  await relay.kill9();
  await database.query(`drop trigger refuse_mark on outbox`);
  expect(await isSent(run)).toBe(false);

  // As if the half minute of its lease were over.
  await database.query(`update outbox set next_at = now() where run = $1::text`, [run]);
  await startRelay();
  expect(await pollUntil(() => isSent(run), LIMIT)).toBe(true);
  expect(await execution(run)).toEqual({ id: first, status: 'RUNNING' });
});
