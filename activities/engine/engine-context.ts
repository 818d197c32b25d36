import type { Database } from '../../src/engine/database/database.js';
import type { Learned } from '../../src/engine/runs/temporal-runs.js';
import type { Sagas } from '../../src/engine/sagas.js';
import type { Sealer } from '../../src/engine/sealing/seal.js';
import type { WorkerMeters } from '../../src/engine/telemetry/meters.js';
import type { KnownRuns } from './known-runs.js';

/** What the activities of one worker process are given; nothing in them is global. */
export interface EngineContext {
  readonly database: Database;
  readonly sagas: Sagas;
  readonly sealer: Sealer;
  readonly meters: WorkerMeters;
  readonly known: KnownRuns;
  /** Answers the execution that Temporal holds for current, or null when there is none. */
  readonly currentExecution: (run: string) => Promise<string | null>;
  /** What the executions of a run know of its journal, those that have closed too. */
  readonly learned: (run: string, known: readonly string[]) => Promise<readonly Learned[]>;
  /** Shortens every provider call; null: as each step says. In milliseconds. */
  readonly callTimeoutMs: number | null;
  /** Names this process in the attempts it makes. */
  readonly worker: string;
  /** In [0, 1). */
  readonly random: () => number;
  /** A clock that only goes forward, and also while the machine sleeps, in milliseconds. */
  readonly monotonicMs: () => number;
}

/** How long one call may take, in milliseconds: as its step says, or less. */
export function shortened({ callTimeoutMs }: EngineContext, ofStepMs: number): number {
  return callTimeoutMs === null ? ofStepMs : Math.min(callTimeoutMs, ofStepMs);
}

/** The execution an activity was scheduled by. */
export interface Calling {
  readonly execution: string;
}
