import { NativeConnection, Worker, type NativeConnectionOptions } from '@temporalio/worker';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import {
  createEngineActivities,
  createProviderActivities,
} from '../../../activities/engine/register.js';
import type { Database } from '../database/database.js';
import { RUNS_TASK_QUEUE, type TemporalRuns } from '../runs/temporal-runs.js';
import type { TemporalSettings } from '../runs/temporal.client.js';
import type { Sagas } from '../sagas.js';
import type { Sealer } from '../sealing/seal.js';
import { checkSearchAttributes } from './search-attributes.client.js';
import { giveSignsOfLife } from './sign-of-life.process.js';

/** What the worker process opens and closes, and its workers need. */
export interface WorkerSettings {
  readonly temporal: TemporalSettings;
  readonly database: Database;
  readonly runs: TemporalRuns;
  readonly sagas: Sagas;
  readonly sealer: Sealer;
  /** Shortens every provider call; null: as each step says. In milliseconds. */
  readonly callTimeoutMs: number | null;
  /** The bundle of all workflows, made by the same SDK version. */
  readonly bundlePath: string;
  /** Names this process among the workers. */
  readonly id: string;
  readonly random: () => number;
  readonly monotonicMs: () => number;
  /** Called each time that Temporal is not there at the start. */
  readonly onWaiting: (error: unknown) => void;
}

/** The workers of one process, one for each task queue. */
export interface RunningWorkers {
  /** Resolves when all have stopped; rejects when one failed. */
  readonly done: Promise<void>;
  /** Takes no new work, lets calls end and be written, then stops. */
  readonly stop: () => void;
}

/** A call may take 10 s and its record 5 s on either side: until then nothing is abandoned. */
const GRACE_MS = 25_000;
/** What still hangs then has lost its database; its attempt is on record as being sent. */
const FORCE_MS = 40_000;
/** Signs of life reach Temporal at most this late, so that a time-out of 10 s has many to miss. */
const HEARTBEAT_THROTTLE_MS = 1_000;

/**
 * Starts one worker for workflows and Postgres work and one for each provider's queue, so that a
 * provider that hangs takes nobody else's place. All are in this process, on one connection.
 * Throws SearchAttributesMissing.
 */
export async function startWorkers(settings: WorkerSettings): Promise<RunningWorkers> {
  const connection = await connect(settings);
  await checkSearchAttributes(connection, settings.temporal.namespace);
  const workers = await createWorkers(settings, connection);
  const { database, id, sagas } = settings;
  const endSigns = await giveSignsOfLife(database, id, sagas.versions());
  const stop = (): void => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  const runs = workers.map((worker) => worker.run());
  // One that failed must not leave the others alone with half of the work.
  for (const run of runs) run.catch(stop);
  const done = Promise.allSettled(runs).then(async (ends) => {
    await endSigns();
    await connection.close();
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  });
  return { done, stop };
}

/** A worker that is started before its Temporal server waits for it. */
const CONNECT_AGAIN_MS = 1_000;

async function connect({ temporal, onWaiting }: WorkerSettings): Promise<NativeConnection> {
  const options = connectionOptions(temporal);
  for (;;) {
    try {
      return await NativeConnection.connect(options);
    } catch (error) {
      onWaiting(error);
      await pause(CONNECT_AGAIN_MS);
    }
  }
}

async function createWorkers(
  settings: WorkerSettings,
  connection: NativeConnection,
): Promise<readonly Worker[]> {
  const { temporal, sagas, bundlePath, id } = settings;
  const context = { ...settings, worker: id, currentExecution: currentExecution(settings.runs) };
  const shared = {
    connection,
    namespace: temporal.namespace,
    identity: id,
    shutdownGraceTime: GRACE_MS,
    shutdownForceTime: FORCE_MS,
    maxHeartbeatThrottleInterval: HEARTBEAT_THROTTLE_MS,
    defaultHeartbeatThrottleInterval: HEARTBEAT_THROTTLE_MS,
  };
  const engine = Worker.create({
    ...shared,
    taskQueue: RUNS_TASK_QUEUE,
    workflowBundle: { codePath: bundlePath },
    activities: createEngineActivities(context),
  });
  const providers = Object.keys(sagas.set.providers).map((provider) =>
    Worker.create({
      ...shared,
      taskQueue: `${RUNS_TASK_QUEUE}-${provider}`,
      activities: createProviderActivities(context, provider),
    }),
  );
  return Promise.all([engine, ...providers]);
}

function currentExecution(runs: TemporalRuns): (run: string) => Promise<string | null> {
  return async (run) => {
    const execution = await runs.describe(run);
    return execution.status === 'running' ? execution.runId : null;
  };
}

function connectionOptions(temporal: TemporalSettings): NativeConnectionOptions {
  const { address, apiKey, tls } = temporal;
  const pair = tls && { crt: readFileSync(tls.cert), key: readFileSync(tls.key) };
  return {
    address,
    ...(apiKey === null ? {} : { apiKey, tls: true }),
    ...(pair === null ? {} : { tls: { clientCertPair: pair } }),
  };
}
