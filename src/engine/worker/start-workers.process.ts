import { Worker, type NativeConnection } from '@temporalio/worker';
import {
  createEngineActivities,
  createProviderActivities,
} from '../../../activities/engine/register.js';
import { rememberRuns } from '../../../activities/engine/known-runs.js';
import type { Database } from '../database/database.js';
import type { TemporalSettings } from '../runs/temporal-connection.client.js';
import { RUNS_TASK_QUEUE, type TemporalRuns } from '../runs/temporal-runs.js';
import type { Sagas } from '../sagas.js';
import type { Sealer } from '../sealing/seal.js';
import { UNWATCHED, type WorkerMeters } from '../telemetry/meters.js';
import { reachTemporal } from './reach-temporal.process.js';
import { giveSignsOfLife } from './sign-of-life.process.js';
import type { LackedRuns } from './workers.store.js';

/** What the worker process opens and closes, and its workers need. */
export interface WorkerSettings {
  readonly temporal: TemporalSettings;
  readonly database: Database;
  readonly runs: TemporalRuns;
  readonly sagas: Sagas;
  readonly sealer: Sealer;
  /** @default nobody watches */
  readonly meters?: WorkerMeters;
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
  /** Called when Temporal does not tell which search attributes it has, as its cloud does not. */
  readonly onUnchecked: (error: unknown) => void;
  /** Told every few seconds which runs live whose version this process lacks. */
  readonly onLacking: (runs: readonly LackedRuns[]) => void;
}

/** The workers of one process, one for each task queue. */
export interface RunningWorkers {
  /** Resolves when all have stopped; rejects when one failed. */
  readonly done: Promise<void>;
  /** Takes no new work, lets calls end and be written, then stops. */
  readonly stop: () => void;
  /** Whether every one of them takes work. */
  readonly areRunning: () => boolean;
}

/** A call may take 10 s and its record 5 s on either side: until then nothing is abandoned. */
const GRACE_MS = 25_000;
/** What still hangs then has lost its database; its attempt is on record as being sent. */
const FORCE_MS = 40_000;
/** More than one process works on at a time; a record has some ten kilobytes. */
const REMEMBERED_RUNS = 1_000;
/** Signs of life reach Temporal at most this late, so that a time-out of 10 s has many to miss. */
const HEARTBEAT_THROTTLE_MS = 1_000;

/**
 * Starts one worker for workflows and Postgres work and one for each provider's queue, so that a
 * provider that hangs takes nobody else's place. All are in this process, on one connection.
 * Waits for a Temporal that is away. Throws SearchAttributesMissing, TemporalTlsInvalid.
 */
export async function startWorkers(settings: WorkerSettings): Promise<RunningWorkers> {
  const connection = await reachTemporal(settings);
  const workers = await createWorkers(settings, connection);
  const { sagas } = settings;
  const endSigns = await giveSignsOfLife({ ...settings, versions: sagas.versions() });
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
  const areRunning = (): boolean => workers.every((worker) => worker.getState() === 'RUNNING');
  return { done, stop, areRunning };
}

async function createWorkers(
  settings: WorkerSettings,
  connection: NativeConnection,
): Promise<readonly Worker[]> {
  const { temporal, sagas, bundlePath, id } = settings;
  const context = {
    ...settings,
    meters: settings.meters ?? UNWATCHED,
    worker: id,
    known: rememberRuns(REMEMBERED_RUNS),
    currentExecution: currentExecution(settings.runs),
    learned: (run: string, known: readonly string[]) => settings.runs.learned(run, known),
  };
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
