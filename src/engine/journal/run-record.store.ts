import { theRow, type Queryable, type Tx } from '../database/database.js';
import type { JournalLine } from '../saga/journal.js';
import { foldJournal } from '../saga/run-state.js';
import type { Direction } from '../saga/step-key.js';
import type { Definitions } from '../sagas.js';
import type { AttemptRow, RunRecord } from './run-record.js';

/** Thrown when there is no run of this id. */
export class RunNotFound extends Error {
  constructor(readonly run: string) {
    super(`there is no run ${run}`);
    this.name = 'RunNotFound';
  }
}

/**
 * Reads the record of a run, in one statement and without a lock: what is decided by it may be
 * written only if the run has not changed since, which `tryChange` sees to. Throws RunNotFound,
 * UnknownSaga.
 */
export async function readRecord(
  db: Queryable,
  sagas: Definitions,
  run: string,
): Promise<RunRecord> {
  const found = await db.query<StoredRecord>(
    `select runs.id, runs.account, runs.saga, runs.version, runs.input, runs.execution,
            runs.deadline_at, runs.updated_at::text as written_at, clock_timestamp() as now,
            (select json_agg(json_build_array(seq, line) order by seq)
             from journal where journal.run = runs.id) as lines,
            (select json_agg(json_build_array(
               step, direction, encode(step_keys.input, 'base64'), encode(value, 'base64'),
               first_sent_at, asked_at, closed_at))
             from step_keys where step_keys.run = runs.id) as keys,
            (select json_agg(json_build_array(
               step, direction, attempt, attempts.state, token, began_at, send_by)
               order by attempt)
             from attempts where attempts.run = runs.id) as attempts
     from runs where runs.id = $1::text`,
    [run],
  );
  const row = found.rows[0];
  if (row === undefined) throw new RunNotFound(run);
  return recordOf(sagas, row);
}

/**
 * Locks a run and reads its record: what was read still holds when it is written, until this
 * transaction ends. Throws RunNotFound, UnknownSaga.
 */
export async function openRun(tx: Tx, sagas: Definitions, run: string): Promise<RunRecord> {
  // A statement of its own: one that waits for a lock reads with the eyes of before the wait.
  const locked = await tx.query(`select from runs where id = $1::text for update`, [run]);
  if (locked.rowCount !== 1) throw new RunNotFound(run);
  return readRecord(tx, sagas, run);
}

type StoredKey = readonly [
  step: string,
  direction: Direction,
  input: string | null,
  value: string | null,
  firstSentAt: string | null,
  askedAt: string | null,
  closedAt: string | null,
];
type StoredAttempt = readonly [
  step: string,
  direction: Direction,
  attempt: number,
  state: AttemptRow['state'],
  token: string,
  beganAt: string,
  sendBy: string,
];
interface StoredRecord {
  readonly id: string;
  readonly account: string;
  readonly saga: string;
  readonly version: number;
  readonly input: Buffer;
  readonly execution: string | null;
  readonly written_at: string;
  readonly deadline_at: Date | null;
  readonly now: Date;
  readonly lines: readonly (readonly [seq: number, line: Omit<JournalLine, 'seq'>])[] | null;
  readonly keys: readonly StoredKey[] | null;
  readonly attempts: readonly StoredAttempt[] | null;
}

function recordOf(sagas: Definitions, row: StoredRecord): RunRecord {
  const definition = sagas.definition(row.saga, row.version);
  const lines = (row.lines ?? []).map(([seq, line]) => ({ ...line, seq }) as JournalLine);
  return {
    id: row.id,
    account: row.account,
    definition,
    input: row.input,
    execution: row.execution,
    writtenAt: row.written_at,
    deadlineAt: row.deadline_at,
    now: row.now,
    lines,
    keys: (row.keys ?? []).map(([step, direction, input, value, first, asked, closed]) => ({
      step,
      direction,
      input: input === null ? null : Buffer.from(input, 'base64'),
      value: value === null ? null : Buffer.from(value, 'base64'),
      firstSentAt: first === null ? null : new Date(first),
      askedAt: asked === null ? null : new Date(asked),
      closedAt: closed === null ? null : new Date(closed),
    })),
    attempts: (row.attempts ?? []).map(
      ([step, direction, attempt, state, token, beganAt, sendBy]) => ({
        ...{ step, direction, attempt, state, token },
        beganAt: new Date(beganAt),
        sendBy: new Date(sendBy),
      }),
    ),
    state: foldJournal(definition, lines),
  };
}

/** Notes that the provider is about to be asked. Answers how many answers came before. */
export async function noteAsked(
  tx: Tx,
  call: { readonly run: string; readonly step: string; readonly direction: Direction },
): Promise<number> {
  const written = await tx.query<{ before: number }>(
    `update step_keys
     set asked_at = coalesce(asked_at, clock_timestamp()), asked = asked + 1
     where run = $1::text and step = $2::text and direction = $3::text
     returning asked - 1 as before`,
    [call.run, call.step, call.direction],
  );
  return theRow(written.rows).before;
}
