import { notifyAfterCommit, theRow, type Tx } from '../database/database.js';
import { newId } from '../ids.js';
import { calls, consequencesOf } from '../saga/consequences.js';
import type { SagaDefinition } from '../saga/definition.js';
import type { Because, Fact, JournalLine } from '../saga/journal.js';
import { addLine, foldJournal, pivotBegun, type RunState } from '../saga/run-state.js';
import { viewRun, type RunView } from '../saga/run-view.js';
import { stepKey } from '../saga/step-key.js';
import type { Sagas } from '../sagas.js';

/** Where it is told that a run has changed, with its id. */
export const RUNS_CHANNEL = 'recourse_runs';

/** Thrown when there is no run of this id. */
export class RunNotFound extends Error {
  constructor(readonly run: string) {
    super(`there is no run ${run}`);
    this.name = 'RunNotFound';
  }
}

/** A run whose row is locked by this transaction: what it is, and where it stands. */
export interface RunRecord {
  readonly id: string;
  readonly account: string;
  readonly definition: SagaDefinition;
  readonly input: Buffer;
  readonly execution: string | null;
  readonly deadlineAt: Date | null;
  readonly cancelRequestedAt: Date | null;
  readonly pivotBegunAt: Date | null;
  readonly unwindingBecause: Because | null;
  /** The database's clock when the row was locked. */
  readonly now: Date;
  readonly lines: readonly JournalLine[];
  readonly state: RunState;
}

interface RunRow {
  readonly id: string;
  readonly account: string;
  readonly saga: string;
  readonly version: number;
  readonly input: Buffer;
  readonly execution: string | null;
  readonly deadline_at: Date | null;
  readonly cancel_requested_at: Date | null;
  readonly pivot_begun_at: Date | null;
  readonly unwinding_because: Because | null;
}

interface LockedLines {
  readonly lines: readonly JournalLine[];
  readonly now: Date;
}

/**
 * Locks a run and reads its record. Everything that changes a run goes through this lock, so that
 * what was read still holds when it is written. Throws RunNotFound, UnknownSaga.
 */
export async function openRun(tx: Tx, sagas: Sagas, run: string): Promise<RunRecord> {
  const found = await tx.query<RunRow>(
    `select runs.id, runs.account, runs.saga, runs.version, runs.input, runs.execution,
            runs.deadline_at, runs.cancel_requested_at, runs.pivot_begun_at,
            runs.unwinding_because
     from runs where runs.id = $1::text for update`,
    [run],
  );
  const row = found.rows[0];
  if (row === undefined) throw new RunNotFound(run);
  const definition = sagas.definition(row.saga, row.version);
  const { lines, now } = await readLocked(tx, run);
  return {
    id: row.id,
    account: row.account,
    definition,
    input: row.input,
    execution: row.execution,
    deadlineAt: row.deadline_at,
    cancelRequestedAt: row.cancel_requested_at,
    pivotBegunAt: row.pivot_begun_at,
    unwindingBecause: row.unwinding_because,
    now,
    lines,
    state: foldJournal(definition, lines),
  };
}

async function readLocked(tx: Tx, run: string): Promise<LockedLines> {
  const found = await tx.query<LockedLines>(
    `select clock_timestamp() as now,
            (select coalesce(jsonb_agg(journal.line || jsonb_build_object('seq', journal.seq)
                                       order by journal.seq), '[]'::jsonb)
             from journal where journal.run = $1::text) as lines`,
    [run],
  );
  return theRow(found.rows);
}

/** The lines a driver does not have yet. */
export function linesAfter(record: RunRecord, knows: number): readonly JournalLine[] {
  return record.lines.filter((line) => line.seq > knows);
}

/**
 * Appends facts to the record, and in the same transaction everything that follows from them: the
 * projection of the run, the tombstones of keys that nothing may use any more, cases that a fact
 * opens or makes needless, and the next look of the sweep. All of it stands or none.
 */
export async function appendFacts(
  tx: Tx,
  record: RunRecord,
  facts: readonly Fact[],
): Promise<RunRecord> {
  let grown = growBy(record, facts);
  const consequences = (): readonly Fact[] => consequencesOf(grown.state, () => newId('case'));
  for (let more = consequences(); more.length > 0; more = consequences()) {
    grown = growBy(grown, more);
  }
  const added = grown.lines.slice(record.lines.length);
  await insertLines(tx, record.id, added);
  await writeCases(tx, grown, added);
  await closeKeys(tx, grown);
  await writeProjection(tx, record, grown);
  return grown;
}

function growBy(record: RunRecord, facts: readonly Fact[]): RunRecord {
  const numbered = facts.map((fact, index): JournalLine => ({
    ...fact,
    seq: record.state.lastSeq + 1 + index,
  }));
  return {
    ...record,
    lines: [...record.lines, ...numbered],
    state: numbered.reduce(addLine, record.state),
  };
}

async function insertLines(tx: Tx, run: string, lines: readonly JournalLine[]): Promise<void> {
  await tx.query(
    `insert into journal (run, seq, line)
     select $1::text, (line ->> 'seq')::integer, line - 'seq'
     from jsonb_array_elements($2::jsonb) as line`,
    [run, JSON.stringify(lines)],
  );
}

async function writeCases(tx: Tx, record: RunRecord, added: readonly JournalLine[]): Promise<void> {
  for (const line of added) {
    if (line.kind === 'case-opened') {
      await tx.query(
        `insert into cases (id, run, step, direction, problem)
         values ($1::text, $2::text, $3::text, $4::text, $5::text)`,
        [line.case, record.id, line.step, line.direction, line.problem],
      );
    }
    if (line.kind === 'case-settled') {
      await tx.query(
        `update cases
         set state = 'settled', closed_at = clock_timestamp(), revision = revision + 1
         where id = $1::text and state = 'open'`,
        [line.case],
      );
    }
  }
}

const CLOSED_PHASES = new Set(['refused', 'not-happened', 'missed', 'by-hand', 'left']);

/** A key whose call will not be attempted any more lets nothing through from now on. */
async function closeKeys(tx: Tx, record: RunRecord): Promise<void> {
  const closed = calls(record.state).filter(({ call }) => CLOSED_PHASES.has(call.phase));
  if (closed.length === 0) return;
  await tx.query(
    `insert into step_keys (run, step, direction, key, closed_at)
     select $1::text, closed.step, closed.direction, closed.key, clock_timestamp()
     from unnest($2::text[], $3::text[], $4::text[]) as closed (step, direction, key)
     on conflict (run, step, direction)
       do update set closed_at = coalesce(step_keys.closed_at, excluded.closed_at)`,
    [
      record.id,
      closed.map((one) => one.step),
      closed.map((one) => one.direction),
      closed.map((one) => stepKey(record.id, one.step, one.direction)),
    ],
  );
}

/** Thrown when a row was not in the state that its transition leaves: a bug, never a race. */
export class TransitionLost extends Error {
  constructor(what: string) {
    super(`${what}: the row was not in the expected state`);
    this.name = 'TransitionLost';
  }
}

async function writeProjection(tx: Tx, before: RunRecord, after: RunRecord): Promise<void> {
  const view: RunView = viewRun(after.state);
  const written = await tx.query(
    `update runs
     set state = $3::text, direction = $4::text, status = $5::text, steps = $6::jsonb,
         failure = $7::jsonb, remains = $8::jsonb, problem = $9::text, problem_step = $10::text,
         stuck_since = case when $9::text is null then null
                            else coalesce(stuck_since, clock_timestamp()) end,
         last_seq = $11::integer, updated_at = clock_timestamp(),
         unwinding_because = $12::text,
         cancel_requested_at = case when $13::boolean
           then coalesce(cancel_requested_at, clock_timestamp()) else cancel_requested_at end,
         pivot_begun_at = case when $14::boolean
           then coalesce(pivot_begun_at, clock_timestamp()) else null end,
         ended_at = case when $15::boolean then coalesce(ended_at, clock_timestamp()) end,
         look_wait_ms = look_after_ms,
         look_at = case when $15::boolean then null
                        else clock_timestamp() + look_after_ms * interval '1 millisecond' end
     where id = $1::text and last_seq = $2::integer`,
    [
      before.id,
      before.state.lastSeq,
      view.state,
      view.direction,
      view.status,
      JSON.stringify(view.steps),
      view.failure === null ? null : JSON.stringify(view.failure),
      JSON.stringify(view.remains),
      view.problem,
      view.step,
      after.state.lastSeq,
      after.state.unwindingBecause,
      after.state.cancelAccepted,
      pivotBegun(after.state),
      after.state.finishedAs !== null,
    ],
  );
  if (written.rowCount !== 1) throw new TransitionLost(`run ${before.id}`);
  notifyAfterCommit(tx, RUNS_CHANNEL, before.id);
}
