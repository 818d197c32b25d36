import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PROVIDERS, queueOf } from '../../bench/by-hand/queues.js';
import { tripActivities } from '../../bench/by-hand/trip-activities.js';
import type { TripOrder } from '../../bench/by-hand/trip-types.js';
import { TRIP } from '../../bench/trip.js';
import { startSandbox, type TestSandbox } from '../support/sandbox.js';
import { freshNamespace, type TestNamespace } from '../support/temporal.js';

// What the engine is measured against has to be a saga that keeps what its kind can promise.

const TASK_QUEUE = 'by-hand';
let sandbox: TestSandbox;
let temporal: TestNamespace;
let workers: readonly Worker[];
let running: Promise<unknown>;

beforeAll(async () => {
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { filter: { core: 'ERROR', other: 'ERROR' } } },
  });
  sandbox = await startSandbox();
  temporal = await freshNamespace();
  const shared = {
    connection: await NativeConnection.connect({ address: temporal.address }),
    namespace: temporal.namespace,
    activities: tripActivities(sandbox.providers),
  };
  const workflowsPath = fileURLToPath(new URL('../../bench/by-hand/workflows.ts', import.meta.url));
  workers = await Promise.all([
    Worker.create({ ...shared, taskQueue: TASK_QUEUE, workflowsPath }),
    ...PROVIDERS.map((name) => Worker.create({ ...shared, taskQueue: queueOf(TASK_QUEUE, name) })),
  ]);
  running = Promise.all(workers.map((worker) => worker.run()));
});

afterAll(async () => {
  for (const worker of workers) worker.shutdown();
  await running;
  await temporal.close();
  await sandbox.stop();
});

async function start(changes: Partial<TripOrder> = {}, type = 'tripByHand') {
  return temporal.client.workflow.start(type, {
    workflowId: randomUUID(),
    taskQueue: TASK_QUEUE,
    args: [{ ...TRIP, ...changes }],
  });
}

/** The kinds of its effects in order, the seat before the room: they are asked for at once. */
async function kindsOf(id: string): Promise<readonly string[]> {
  const kinds = (await sandbox.effects(id)).map(({ kind }) => kind);
  const at = kinds.indexOf('reserve');
  return kinds[at + 1] === 'hold' ? kinds.with(at, 'hold').with(at + 1, 'reserve') : kinds;
}

test('a trip by hand is charged, held, reserved, ticketed and told of', async () => {
  const trip = await start();
  await expect(trip.result()).resolves.toEqual({ ticket: expect.any(String) as string });
  const kinds = await kindsOf(trip.workflowId);
  expect(kinds).toEqual(['charge', 'hold', 'reserve', 'ticket', 'message']);
});

test('on a queue for each provider a trip is the same, and each call waits where its provider is', async () => {
  const trip = await start({}, 'tripOnQueues');
  await trip.result();
  const kinds = await kindsOf(trip.workflowId);
  expect(kinds).toEqual(['charge', 'hold', 'reserve', 'ticket', 'message']);
  const { events } = await trip.fetchHistory();
  const queues = events?.flatMap(
    (event) => event.activityTaskScheduledEventAttributes?.taskQueue?.name ?? [],
  );
  const providers = ['payments', 'flights', 'hotels', 'flights', 'messages'];
  expect(queues).toEqual(providers.map((provider) => `${TASK_QUEUE}-${provider}`));
});

test('seat and room are asked for side by side: the slow seat does not keep the room waiting', async () => {
  const trip = await start({ flight: { offer: 'BLR-LHR-0417-SLOW' } });
  await trip.result();
  const { workflowId: id } = trip;
  const [asked] = await sandbox.requests(`${id}:hotel`);
  const [held] = await sandbox.effects(`${id}:flight`);
  expect(asked?.sequence).toBeLessThan(held?.sequence ?? 0);
});

test('a room that is reserved late is taken back, though there is no seat', async () => {
  const trip = await start({
    flight: { offer: 'BLR-LHR-0417-SOLDOUT' },
    hotel: { offer: 'H-204-SLOW', nights: 2 },
  });
  await expect(trip.result()).rejects.toThrow();
  expect(await kindsOf(trip.workflowId)).toEqual(['charge', 'reserve', 'cancel', 'refund']);
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
