import type { JournalLine } from '../saga/journal.js';

/** The queue of workflows and of Postgres work. Provider calls have queues of their own. */
export const RUNS_TASK_QUEUE = 'recourse';

/**
 * Counts the ways of driving a run: one more each time that the driver gives Temporal other
 * commands for the same journal. A run that was begun by another driver cannot be replayed by this
 * one, so the sweep starts it again, and it goes on from its journal.
 */
export const DRIVER = 4;

/** What a run is started with: names only, so that no personal data reaches Temporal. */
export interface RunToStart {
  readonly run: string;
  readonly saga: string;
  readonly version: number;
  readonly account: string;
  readonly deadlineAt: Date | null;
}

/**
 * `first`: only when Temporal knows no execution of the run, running or closed. `again`: when none
 * is running; for the sweep alone, which has seen that the last one closed or is gone. `instead`:
 * in the place of a running one, which is terminated.
 */
export type StartHow = 'first' | 'again' | 'instead';

export type ClosedAs = 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'TERMINATED' | 'TIMED_OUT';

/** The newest execution of a run, as Temporal sees it. `runId` is Temporal's, not ours. */
export type Execution =
  | {
      readonly status: 'running';
      readonly runId: string;
      readonly driver: number;
      /** How often its workflow task in hand was tried: 1 when all is well, 0 without one. */
      readonly taskAttempts: number;
      /** How many activities have not ended. */
      readonly activities: number;
    }
  | { readonly status: 'closed'; readonly runId: string; readonly as: ClosedAs }
  | { readonly status: 'missing' };

/** Each try of a workflow task but the first lasts until its time-out of 10 s. */
const STALLED_AFTER = 3;

/** Whether it gets nowhere. What is on its way may still end, and leave news behind. */
export function isStalled({
  taskAttempts,
  activities,
}: Execution & { status: 'running' }): boolean {
  return taskAttempts >= STALLED_AFTER && activities === 0;
}

/** The lines of a run's journal that one of its executions was told, in their order. */
export interface Learned {
  readonly runId: string;
  readonly lines: readonly JournalLine[];
}

/** The runs of some executions, and where the next page begins; null: there is none. */
export interface ExecutionsPage {
  readonly runs: readonly string[];
  readonly next: Uint8Array | null;
}

/**
 * What this product asks of Temporal about runs. Every call has a deadline and is made once: who
 * calls owns the trying again. Each rejects with `TemporalFault` when there was no answer to use,
 * and then may or may not have had its effect; all are safe to repeat.
 */
export interface TemporalRuns {
  /** `already`: an execution stands in the way, as `how` says. After `first` that is success. */
  startRun(run: RunToStart, how: StartHow): Promise<'started' | 'already'>;
  /** Asks the run to cancel itself. `gone`: no execution is running. A second time does nothing. */
  cancelRun(run: string): Promise<'requested' | 'gone'>;
  /** Tells the run that the journal has news. `gone`: no execution is running. */
  look(run: string): Promise<'told' | 'gone'>;
  describe(run: string): Promise<Execution>;
  /** Ends one execution as it is, if it runs: for one whose run is over. */
  terminate(run: string, runId: string): Promise<'terminated' | 'gone'>;
  /**
   * What the newest executions of a run know of its journal, those that have closed too. Temporal's
   * list of them lags: those that are `known` to be there are read whether it has them or not.
   */
  learned(run: string, known: readonly string[]): Promise<readonly Learned[]>;
  /** A page of all executions that run, or that have closed, the newest first. */
  listExecutions(which: 'running' | 'closed', after: Uint8Array | null): Promise<ExecutionsPage>;
  /** The workflow's own account of itself; null when nobody gave it within `limitMs`. */
  queryState(run: string, limitMs: number): Promise<unknown>;
  /** Whether Temporal answers and has our namespace. Never rejects. */
  isReady(): Promise<boolean>;
  /** Why Temporal and our namespace cannot be used; null when they can. Never rejects. */
  problem(): Promise<TemporalFault | null>;
  close(): Promise<void>;
}

/**
 * Thrown where Temporal gave no answer that could be used. `unavailable`: lost, overloaded or too
 * slow, so it may be tried again unchanged. `other`: it said no, which only a person can mend, such
 * as a missing namespace, a search attribute that is not registered, or a wrong key.
 */
export class TemporalFault extends Error {
  override readonly name = 'TemporalFault';

  constructor(
    readonly kind: 'unavailable' | 'other',
    /** The gRPC status as a word, what is wrong with TLS, or the class of what was thrown. */
    readonly code: string,
    readonly call: string,
    cause: unknown,
  ) {
    super(`Temporal: ${call} failed with ${code}`, { cause });
  }
}
