import type { Queryable } from '../database/database.js';
import type { Position } from '../http/cursor.js';
import { runInputPlace, valuePlace } from '../journal/sealed-places.js';
import type { Because, Problem } from '../saga/journal.js';
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

/** A run as it is read: its row, its input and what its calls came to. */
export interface RunSnapshot {
  readonly id: string;
  readonly account: string;
  readonly saga: string;
  readonly version: number;
  readonly reference: string | null;
  readonly input: unknown;
  readonly state: RunStateName;
  readonly direction: 'forward' | 'undo';
  readonly status: BookingStatus;
  readonly steps: readonly StepView[];
  readonly failure: Failure | null;
  readonly remains: readonly { readonly step: string; readonly direction: Direction }[];
  readonly problem: Problem | null;
  readonly problemStep: string | null;
  readonly results: readonly CallResult[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly deadlineAt: Date | null;
  readonly endedAt: Date | null;
  readonly cancelRequestedAt: Date | null;
  readonly pivotBegunAt: Date | null;
  readonly unwindingBecause: Because | null;
}

export interface RunFilter {
  readonly account: string;
  readonly saga: string;
  readonly status: string | null;
  readonly reference: string | null;
}

interface ResultRow {
  step: string;
  direction: Direction;
  value: string | null;
  provider_id: string | null;
}

type RunRow = Omit<RunSnapshot, 'input' | 'results'> & {
  readonly sealedInput: Buffer;
  readonly sealedResults: readonly ResultRow[];
  readonly at: string;
};

const COLUMNS = `
  runs.id, runs.account, runs.saga, runs.version, runs.reference, runs.input as "sealedInput",
  runs.state, runs.direction, runs.status, runs.steps, runs.failure, runs.remains, runs.problem,
  runs.problem_step as "problemStep", runs.created_at as "createdAt",
  runs.updated_at as "updatedAt", runs.deadline_at as "deadlineAt", runs.ended_at as "endedAt",
  runs.cancel_requested_at as "cancelRequestedAt", runs.pivot_begun_at as "pivotBegunAt",
  runs.unwinding_because as "unwindingBecause", 
  (extract(epoch from runs.created_at) * 1000000)::bigint::text as at,
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
  const { rows } = await database.query<RunRow>(
    `select ${COLUMNS} from runs
     where runs.id = $1::text and ($2::text is null or runs.account = $2::text)`,
    [which.id, which.account],
  );
  const [row] = rows;
  return row === undefined ? null : open(row, sealer);
}

/** A page of an account's runs of one saga, newest first, and where it ends. Throws CannotOpen. */
export async function listRuns(
  database: Queryable,
  sealer: Sealer,
  filter: RunFilter,
  page: { readonly after: Position | null; readonly limit: number },
): Promise<{ readonly runs: readonly RunSnapshot[]; readonly next: Position | null }> {
  const { rows } = await database.query<RunRow>(
    `select ${COLUMNS} from runs
     where runs.account = $1::text and runs.saga = $2::text
       and ($3::text is null or runs.status = $3::text)
       and ($4::text is null or runs.reference = $4::text)
       and ($5::bigint is null
         or (runs.created_at, runs.id)
           < (timestamptz 'epoch' + $5::bigint * interval '1 microsecond', $6::text))
     order by runs.created_at desc, runs.id desc
     limit $7::integer + 1`,
    [
      filter.account,
      filter.saga,
      filter.status,
      filter.reference,
      page.after?.at ?? null,
      page.after?.id ?? null,
      page.limit,
    ],
  );
  const kept = rows.slice(0, page.limit);
  const last = kept.at(-1);
  return {
    runs: kept.map((row) => open(row, sealer)),
    next: rows.length > kept.length && last !== undefined ? { at: last.at, id: last.id } : null,
  };
}

function open(row: RunRow, sealer: Sealer): RunSnapshot {
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
