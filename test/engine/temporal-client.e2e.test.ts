import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { NativeConnection, Worker } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTemporal } from '../../src/engine/runs/temporal.client.js';
import { DRIVER, type Execution, type TemporalRuns } from '../../src/engine/runs/temporal-runs.js';
import { freePort } from '../../src/local/free-port.client.js';
import { pollUntil } from '../../src/local/poll-until.process.js';
import { freshNamespace, startOwnTemporal, type TestNamespace } from '../support/temporal.js';

const LIMIT = { limitMs: 15_000 };

let server: TestNamespace;
let temporal: TemporalRuns;

beforeAll(async () => {
  server = await freshNamespace();
  temporal = open(server.address, server.namespace);
});
afterAll(async () => {
  await temporal.close();
  await server.close();
});

function open(address: string, namespace: string): TemporalRuns {
  return openTemporal({ address, namespace, apiKey: null, tls: null });
}

function newRun() {
  const run = `run-${randomBytes(6).toString('hex')}`;
  return { run, saga: 'waiting', version: 1, account: 'acme', deadlineAt: null };
}

const handle = (run: string) => server.client.workflow.getHandle(run);

/** A running execution is removed at once, a closed one only half a minute later. */
async function removeRunning(run: string): Promise<void> {
  await server.client.workflowService.deleteWorkflowExecution({
    namespace: server.namespace,
    workflowExecution: { workflowId: run },
  });
  const isGone = async () => (await temporal.describe(run)).status === 'missing';
  expect(await pollUntil(isGone, LIMIT)).toBe(true);
}

describe('a start', () => {
  test('happens once, for an execution that has closed too', async () => {
    const run = newRun();
    expect(await temporal.startRun(run, 'first')).toBe('started');
    expect(await temporal.startRun(run, 'first')).toBe('already');
    await handle(run.run).terminate();
    expect(await temporal.startRun(run, 'first')).toBe('already');
    expect(await temporal.describe(run.run)).toMatchObject({ status: 'closed' });
  });

  test('happens again when it is asked for, but never beside a running execution', async () => {
    const run = newRun();
    expect(await temporal.startRun(run, 'again')).toBe('started');
    expect(await temporal.startRun(run, 'again')).toBe('already');
    await handle(run.run).terminate();
    expect(await temporal.startRun(run, 'again')).toBe('started');
    await removeRunning(run.run);
    expect(await temporal.startRun(run, 'again')).toBe('started');
  });

  test('happens in the place of a running execution when that is asked for', async () => {
    const run = newRun();
    await temporal.startRun(run, 'first');
    const first = await temporal.describe(run.run);
    expect(first).toMatchObject({ status: 'running', driver: DRIVER });
    expect(await temporal.startRun(run, 'instead')).toBe('started');
    const second = await temporal.describe(run.run);
    expect(second).toMatchObject({ status: 'running', driver: DRIVER });
    expect(second).not.toEqual(first);
  });

  test('carries names only, and no time-out that would end the run without its undos', async () => {
    const run = newRun();
    await temporal.startRun(run, 'first');
    const described = await handle(run.run).describe();
    expect(described.type).toBe('waiting');
    expect(described.taskQueue).toBe('recourse');
    expect(described.searchAttributes).toEqual({
      SagaAccount: ['acme'],
      SagaState: ['running'],
      SagaDirection: ['forward'],
    });
    expect(described.memo).toEqual({ driver: DRIVER });
    expect(await described.staticSummary()).toBe('waiting version 1');
    expect(await described.staticDetails()).toContain(`recourse runs show ${run.run}`);
    const history = await handle(run.run).fetchHistory();
    const started = history.events?.[0]?.workflowExecutionStartedEventAttributes;
    expect(JSON.parse(String(started?.input?.payloads?.[0]?.data))).toEqual({
      run: run.run,
      saga: 'waiting',
      version: 1,
      deadline_at: null,
    });
    expect(Number(started?.workflowExecutionTimeout?.seconds ?? 0)).toBe(0);
    expect(Number(started?.workflowRunTimeout?.seconds ?? 0)).toBe(0);
  });
});

describe('an execution', () => {
  test('is described as running, closed or missing', async () => {
    const { run } = newRun();
    expect(await temporal.describe(run)).toEqual({ status: 'missing' });
    await temporal.startRun({ ...newRun(), run }, 'first');
    const running = await temporal.describe(run);
    expect(running).toMatchObject({ status: 'running' });
    const { runId } = running as Execution & { runId: string };
    await handle(run).terminate();
    expect(await temporal.describe(run)).toEqual({ status: 'closed', runId, as: 'TERMINATED' });
  });

  test('is listed by its run, and ended as it is', async () => {
    const run = newRun();
    await temporal.startRun(run, 'first');
    const isListed = async (which: 'running' | 'closed') =>
      (await temporal.listExecutions(which, null)).runs.includes(run.run);
    expect(await pollUntil(() => isListed('running'), LIMIT)).toBe(true);
    const { runId } = (await temporal.describe(run.run)) as Execution & { runId: string };
    expect(await temporal.terminate(run.run, runId)).toBe('terminated');
    expect(await temporal.terminate(run.run, runId)).toBe('gone');
    expect(await pollUntil(() => isListed('closed'), LIMIT)).toBe(true);
    expect(await isListed('running')).toBe(false);
    // One that is gone from Temporal knows nothing, and is no fault.
    const gone = '00000000-0000-4000-8000-000000000000';
    expect(await temporal.learned(run.run, [gone])).toEqual([
      { runId: gone, lines: [] },
      { runId, lines: [] },
    ]);
  });

  test('is told to cancel and to look, as often as one likes', async () => {
    const run = newRun();
    await temporal.startRun(run, 'first');
    expect(await temporal.look(run.run)).toBe('told');
    expect(await temporal.look(run.run)).toBe('told');
    expect(await temporal.cancelRun(run.run)).toBe('requested');
    expect(await temporal.cancelRun(run.run)).toBe('requested');
  });

  test('that is closed or missing cannot be told anything', async () => {
    const [closed, missing] = [newRun(), newRun()];
    await temporal.startRun(closed, 'first');
    await handle(closed.run).terminate();
    for (const { run } of [closed, missing]) {
      expect([await temporal.look(run), await temporal.cancelRun(run)]).toEqual(['gone', 'gone']);
    }
  });

  test('answers for itself when a worker is there, and else nobody does', async () => {
    const run = newRun();
    await temporal.startRun(run, 'first');
    await temporal.look(run.run);
    expect(await temporal.queryState(run.run, 500)).toBeNull();
    expect(await temporal.queryState(newRun().run, 5_000)).toBeNull();

    const connection = await NativeConnection.connect({ address: server.address });
    const worker = await Worker.create({
      connection,
      namespace: server.namespace,
      taskQueue: 'recourse',
      workflowsPath: new URL('../support/workflows/waiting.ts', import.meta.url).pathname,
    });
    const state = await worker.runUntil(() => temporal.queryState(run.run, 10_000));
    expect(state).toEqual({ looks: 1 });
    await connection.close();
  });
});

/** Every question, with the answer that a run which is not there would get. */
const questions: [name: string, ask: (temporal: TemporalRuns) => Promise<unknown>][] = [
  ['start', (to) => to.startRun(newRun(), 'first')],
  ['cancel', (to) => to.cancelRun(newRun().run)],
  ['look', (to) => to.look(newRun().run)],
  ['describe', (to) => to.describe(newRun().run)],
];

describe('a Temporal that does not answer', () => {
  test.each(questions)('%s: nobody listens', async (_name, ask) => {
    const nobody = open(`127.0.0.1:${await freePort()}`, 'default');
    await expect(ask(nobody)).rejects.toMatchObject({ name: 'TemporalFault', kind: 'unavailable' });
    expect(await nobody.isReady()).toBe(false);
    expect(await nobody.queryState('run', 1_000)).toBeNull();
    await nobody.close();
  });

  test('is waited for no longer than the deadline, though it takes the connection', async () => {
    const hole = createServer();
    await new Promise<void>((resolve) => hole.listen(0, '127.0.0.1', resolve));
    const { port } = hole.address() as { port: number };
    const silent = open(`127.0.0.1:${port}`, 'default');
    const from = performance.now();
    const answers = await Promise.allSettled(questions.map(([, ask]) => ask(silent)));
    const reasons = answers.map((answer) => answer.status === 'rejected' && answer.reason.kind);
    expect(reasons).toEqual(questions.map(() => 'unavailable'));
    expect(await silent.isReady()).toBe(false);
    expect(performance.now() - from).toBeLessThan(10_000);
    await silent.close();
    hole.close();
  });

  test.each(questions)(
    '%s: it does not know the namespace, which makes no run missing',
    async (_n, ask) => {
      const lost = open(server.address, 'nowhere');
      await expect(ask(lost)).rejects.toMatchObject({
        kind: 'other',
        code: 'NamespaceNotFoundError',
      });
      expect(await lost.isReady()).toBe(false);
      await lost.close();
    },
  );

  test('is found again soon after it came back, by a client that was opened before', async () => {
    const own = await startOwnTemporal({ dbFile: true });
    await own.stop();
    const early = open(own.address, 'default');
    expect(await early.isReady()).toBe(false);
    await own.start();
    expect(await pollUntil(() => early.isReady(), { limitMs: 10_000 })).toBe(true);

    await own.kill9();
    await expect(early.describe('run')).rejects.toMatchObject({ kind: 'unavailable' });
    await own.start();
    const isBack = () =>
      early.describe('run').then(
        ({ status }) => status === 'missing',
        () => false,
      );
    expect(await pollUntil(isBack, { limitMs: 10_000 })).toBe(true);
    await early.close();
    await own.stop();
  });
});

test('a Temporal that answers and has our namespace is ready', async () => {
  expect(await temporal.isReady()).toBe(true);
});
