import type { Queryable } from '../database/database.js';
import { runInputPlace, valuePlace } from '../journal/sealed-places.js';
import type { Because, Problem } from '../saga/journal.js';
import type { Remainder } from '../saga/remains.js';
import type { BookingStatus, Failure, RunStateName, StepView } from '../saga/run-view.js';
import type { Direction } from '../saga/step-key.js';
import type { Sealer } from '../sealing/seal.js';

/** What one call of a step came to, opened. */
export interface CallResult {
  readonly step: string;
  readonly direction: Direction;
  readonly value: unknown;
  /** The provider's own id for it. */
  readonly providerId: string | null;
}

/** Something that remains of a run; what an earlier version has written does not say what it is. */
export type KeptRemainder = Pick<Remainder, 'step' | 'direction'> &
  Partial<Pick<Remainder, 'what'>>;

/** A run's row as everybody may know it: names, states and times. */
export interface RunFields {
  readonly id: string;
  readonly account: string;
  readonly saga: string;
  readonly version: number;
  /** How many lines its journal has: it changes with every change of the record. */
  readonly lastSeq: number;
  readonly reference: string | null;
  readonly state: RunStateName;
  readonly direction: 'forward' | 'undo';
  readonly status: BookingStatus;
  readonly steps: readonly StepView[];
  readonly failure: Failure | null;
  readonly remains: readonly KeptRemainder[];
  readonly problem: Problem | null;
  readonly problemStep: string | null;
  /** Since when a person is needed. */
  readonly stuckSince: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly deadlineAt: Date | null;
  readonly endedAt: Date | null;
  readonly cancelRequestedAt: Date | null;
  readonly pivotBegunAt: Date | null;
  readonly unwindingBecause: Because | null;
}

/** A run as it is read: its row, its input and what its calls came to. */
export interface RunSnapshot extends RunFields {
  readonly input: unknown;
  readonly results: readonly CallResult[];
}

interface ResultRow {
  step: string;
  direction: Direction;
  value: string | null;
  provider_id: string | null;
}

export type SnapshotRow = RunFields & {
  readonly sealedInput: Buffer;
  readonly sealedResults: readonly ResultRow[];
  /** When it was accepted, in microseconds since 1970. */
  readonly at: string;
};

export const RUN_COLUMNS = `
  runs.id, runs.account, runs.saga, runs.version, runs.last_seq as "lastSeq", runs.reference,
  runs.state, runs.direction,
  runs.status, runs.steps, runs.failure, runs.remains, runs.problem,
  runs.problem_step as "problemStep", runs.stuck_since as "stuckSince",
  runs.created_at as "createdAt", runs.updated_at as "updatedAt", runs.deadline_at as "deadlineAt",
  runs.ended_at as "endedAt", runs.cancel_requested_at as "cancelRequestedAt",
  runs.pivot_begun_at as "pivotBegunAt", runs.unwinding_because as "unwindingBecause",
  (extract(epoch from runs.created_at) * 1000000)::bigint::text as at`;

export const SNAPSHOT_COLUMNS = `${RUN_COLUMNS}, runs.input as "sealedInput",
  (select coalesce(jsonb_agg(jsonb_build_object(
            'step', kept.step, 'direction', kept.direction,
            'value', encode(kept.value, 'base64'), 'provider_id', kept.provider_id)
          order by kept.step, kept.direction), '[]'::jsonb)
   from step_keys as kept
   where kept.run = runs.id and (kept.value is not null or kept.provider_id is not null)
  ) as "sealedResults"`;

/**
 * One run, whoever's it is when `account` is null; null when there is none. A run of another
 * account and one that never was are the same to the caller. Throws CannotOpen.
 */
export async function readRun(
  database: Queryable,
  sealer: Sealer,
  which: { readonly id: string; readonly account: string | null },
): Promise<RunSnapshot | null> {
  const { rows } = await database.query<SnapshotRow>(
    `select ${SNAPSHOT_COLUMNS} from runs
     where runs.id = $1::text and ($2::text is null or runs.account = $2::text)`,
    [which.id, which.account],
  );
  const [row] = rows;
  return row === undefined ? null : openSnapshot(row, sealer);
}

/** Opens what a row holds sealed. Throws CannotOpen. */
export function openSnapshot(row: SnapshotRow, sealer: Sealer): RunSnapshot {
  const { sealedInput, sealedResults, at: _at, ...plain } = row;
  return {
    ...plain,
    input: sealer.open(sealedInput, runInputPlace(row.id)),
    results: sealedResults.map(({ step, direction, value, provider_id: providerId }) => ({
      step,
      direction,
      value:
        value === null
          ? null
          : sealer.open(Buffer.from(value, 'base64'), valuePlace({ run: row.id, step, direction })),
      providerId,
    })),
  };
}
