import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tripActivities } from '../../bench/by-hand/trip-activities.js';
import type { TripOrder } from '../../bench/by-hand/trip-types.js';
import { TRIP } from '../../bench/trip.js';
import { startSandbox, type TestSandbox } from '../support/sandbox.js';
import { freshNamespace, type TestNamespace } from '../support/temporal.js';

// What the engine is measured against has to be a saga that keeps what its kind can promise.

const TASK_QUEUE = 'by-hand';
let sandbox: TestSandbox;
let temporal: TestNamespace;
let worker: Worker;
let running: Promise<void>;

beforeAll(async () => {
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { filter: { core: 'ERROR', other: 'ERROR' } } },
  });
  sandbox = await startSandbox();
  temporal = await freshNamespace();
  worker = await Worker.create({
    connection: await NativeConnection.connect({ address: temporal.address }),
    namespace: temporal.namespace,
    taskQueue: TASK_QUEUE,
    workflowsPath: fileURLToPath(new URL('../../bench/by-hand/workflows.ts', import.meta.url)),
    activities: tripActivities(sandbox.providers),
  });
  running = worker.run();
});

afterAll(async () => {
  worker.shutdown();
  await running;
  await temporal.close();
  await sandbox.stop();
});

async function start(changes: Partial<TripOrder> = {}) {
  return temporal.client.workflow.start('tripByHand', {
    workflowId: randomUUID(),
    taskQueue: TASK_QUEUE,
    args: [{ ...TRIP, ...changes }],
  });
}

const kindsOf = async (id: string) => (await sandbox.effects(id)).map(({ kind }) => kind);

test('a trip by hand is charged, held, reserved, ticketed and told of', async () => {
  const trip = await start();
  await expect(trip.result()).resolves.toEqual({ ticket: expect.any(String) as string });
  const kinds = await kindsOf(trip.workflowId);
  expect(kinds).toEqual(['charge', 'hold', 'reserve', 'ticket', 'message']);
});

test('a trip without a room is taken back in reverse order, and says what failed', async () => {
  const trip = await start({ hotel: { offer: 'H-204-SOLDOUT', nights: 2 } });
  await expect(trip.result()).rejects.toThrow();
  expect(await kindsOf(trip.workflowId)).toEqual(['charge', 'hold', 'release', 'refund']);
});

test('a seat held twice, because its first answer was lost, is given back twice', async () => {
  await sandbox.fault({ provider: 'flights', operation: 'hold', do: 'effect_then_reset' });
  const trip = await start({ hotel: { offer: 'H-204-SOLDOUT', nights: 2 } });
  await expect(trip.result()).rejects.toThrow();
  const kinds = await kindsOf(trip.workflowId);
  expect(kinds).toEqual(['charge', 'hold', 'hold', 'release', 'release', 'refund']);
});
