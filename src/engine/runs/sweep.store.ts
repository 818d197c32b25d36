import { inTransaction, type Database, type Queryable } from '../database/database.js';
import { WORKER_ALIVE_MS } from '../health/readiness.store.js';
import { recordIntervention } from './interventions.store.js';
import { IS_HELD, IS_RELEASED } from './older-record.store.js';

/** The lease that keeps two sweeps from looking at the same runs. */
export const SWEEP_LEASE = 'sweep';

/** A run that has had no news for a while. */
export interface SilentRun {
  readonly run: string;
  readonly saga: string;
  readonly version: number;
  readonly account: string;
  readonly deadlineAt: Date | null;
  /** As Postgres writes it, to the microsecond: who changes the row must find it unchanged. */
  readonly lookAt: string;
  /** The first wait after its last news. */
  readonly firstWaitMs: number;
  /** The wait that is over now. */
  readonly waitMs: number;
  /** Its `start` still lies in the outbox: the relay will send it. */
  readonly unsent: boolean;
  /** It is on the desk, because its record is older than what Temporal knows. */
  readonly held: boolean;
  /** It was, and a person has decided that it goes on by its record; its execution cannot. */
  readonly released: boolean;
  /** A live worker has its version. */
  readonly hasWorker: boolean;
}

/** The runs to look at, longest silent first. */
export async function silentRuns(
  database: Queryable,
  batch: number,
): Promise<readonly SilentRun[]> {
  const { rows } = await database.query<SilentRun>(
    `select id as run, saga, version, account, deadline_at as "deadlineAt",
       look_at::text as "lookAt",
       look_after_ms as "firstWaitMs", look_wait_ms as "waitMs",
       exists (select 1 from outbox
               where run = runs.id and kind = 'start' and sent_at is null) as unsent,
       ${IS_HELD} as held, ${IS_RELEASED} as released,
       exists (select 1 from workers
               where runs.saga || '@' || runs.version = any(workers.versions)
                 and workers.seen_at > now() - $2::integer * interval '1 millisecond'
              ) as "hasWorker"
     from runs
     where look_at <= now()
     order by look_at
     limit $1::integer`,
    [batch, WORKER_ALIVE_MS],
  );
  return rows;
}

/**
 * Looks at the run again in `waitMs`. False, with nothing changed, when the run has had news since
 * it was read, or when the lease with this fencing number is over.
 */
export async function lookAgainIn(
  database: Queryable,
  fence: number,
  { run, lookAt }: SilentRun,
  waitMs: number,
): Promise<boolean> {
  const { rowCount } = await database.query(
    `with held as (
       select 1 from locks where name = $5::text and fence = $4::bigint for share
     )
     update runs
     set look_wait_ms = $3::integer, look_at = now() + $3::integer * interval '1 millisecond'
     where id = $1::text and look_at = $2::timestamptz and exists (select 1 from held)`,
    [run, lookAt, waitMs, fence, SWEEP_LEASE],
  );
  return rowCount === 1;
}

/** What Temporal had instead of an execution that goes on; `as` is null when it knew none. */
export interface LostExecution {
  readonly as: string | null;
  readonly runId: string | null;
  readonly reason:
    'execution-missing' | 'execution-closed' | 'older-driver' | 'stalled' | 'released';
}

/**
 * Writes down that a run is about to be started again, and goes back to its first wait. It comes
 * before the start: after a crash between the two the run is looked at when that wait is over, and
 * this is written once more. False, with nothing written, in the cases of `lookAgainIn`.
 */
export async function recordStartAgain(
  database: Database,
  fence: number,
  silent: SilentRun,
  lost: LostExecution,
): Promise<boolean> {
  return inTransaction(database, async (tx) => {
    if (!(await lookAgainIn(tx, fence, silent, silent.firstWaitMs))) return false;
    await recordIntervention(tx, {
      run: silent.run,
      caseId: null,
      who: 'sweep',
      action: 'started-again',
      reason: lost.reason,
      evidence: null,
      before: { execution: lost.as, temporal_run: lost.runId },
      after: { execution: 'RUNNING' },
    });
    return true;
  });
}
