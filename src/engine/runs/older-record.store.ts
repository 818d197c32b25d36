import { theRow, type Queryable, type Tx } from '../database/database.js';
import { newId } from '../ids.js';
import { appendFacts } from '../journal/run-change.store.js';
import type { RunRecord } from '../journal/run-record.js';
import { markOf } from '../saga/journal-mark.js';
import type { JournalLine } from '../saga/journal.js';
import type { Direction } from '../saga/step-key.js';
import { recordIntervention } from './interventions.store.js';
import type { Learned } from './temporal-runs.js';

const HELD = 'held';
const RECORD_IS_OLDER = 'record-is-older';

export interface OlderRecord {
  /** Who has seen it. */
  readonly who: 'worker' | 'sweep';
  /** What Temporal has that the record lacks, as names and numbers. */
  readonly evidence: string;
  /** The lines that the execution in question knows. */
  readonly known: readonly JournalLine[];
  /** The call that it was seen by; null: the last one that was begun. */
  readonly of: { readonly step: string; readonly direction: Direction } | null;
}

/**
 * Puts a run on the desk whose record lacks what Temporal knows, because it was restored from an
 * older copy: nobody can know what else was done. Its case keeps the run from ending, and the sweep
 * from starting it again, until there is a verdict. Once for what an execution knows: a later call
 * changes nothing, and one after the record was restored once more opens a case of its own.
 */
export async function holdOlder(
  tx: Tx,
  record: RunRecord,
  { who, evidence, known, of }: OlderRecord,
): Promise<void> {
  if (record.state.finishedAs !== null) return;
  const holds = await holdsOf(tx, record.id);
  if (holds.some(({ isOpen }) => isOpen) || isAnswered(holds, known)) return;
  const { step, direction } = of ?? lastBegun(record);
  const caseId = newId('case');
  const opened = { case: caseId, step, direction, problem: 'contradiction' } as const;
  await appendFacts(tx, record, [{ kind: 'case-opened', ...opened }]);
  await recordIntervention(tx, {
    run: record.id,
    caseId,
    who,
    action: HELD,
    reason: RECORD_IS_OLDER,
    evidence,
    before: { last_seq: record.state.lastSeq },
    after: { case: caseId, execution: record.execution },
  });
}

/** What one execution of a run knows that the record lacks. */
export type Lack = Pick<OlderRecord, 'evidence' | 'known'>;

/**
 * What Temporal knows of a run that its record lacks; null: nothing, or it was put on the desk for
 * that, and what a person decided there is that the run goes on by its record.
 */
export async function lackedBy(
  db: Queryable,
  run: string,
  learned: readonly Learned[],
): Promise<Lack | null> {
  const { rows } = await db.query<{ lines: readonly JournalLine[] }>(
    `select coalesce(json_agg(line || jsonb_build_object('seq', seq) order by seq), '[]') as lines
     from journal where run = $1::text`,
    [run],
  );
  const { lines } = theRow(rows);
  const ahead = learned.filter(
    (one) => markOf(one.lines, one.lines.length) !== markOf(lines, one.lines.length),
  );
  if (ahead.length === 0) return null;
  const holds = await holdsOf(db, run);
  const news = ahead.find((one) => !isAnswered(holds, one.lines));
  if (news === undefined) return null;
  const evidence = `its execution ${news.runId} knows a journal of ${news.lines.length} lines`;
  return { evidence, known: news.lines };
}

/** A run that Temporal has, though by the record it should not. */
export interface Stranger {
  readonly run: string;
  /** The record has never heard of it, or has it as ended for a while. */
  readonly is: 'forgotten' | 'ended';
}

/** Which of these runs are not alive, by the record, and have not been for so long. */
export async function strangersAmong(
  db: Queryable,
  listed: readonly string[],
  sinceMs: number,
): Promise<readonly Stranger[]> {
  const { rows } = await db.query<Stranger>(
    `select run, case when runs.id is null then 'forgotten' else 'ended' end as is
     from unnest($1::text[]) as run left join runs on runs.id = run
     where runs.id is null or ended_at < now() - $2::integer * interval '1 millisecond'`,
    [listed, sinceMs],
  );
  return rows;
}

interface Hold {
  readonly case: string;
  readonly isOpen: boolean;
}

async function holdsOf(db: Queryable, run: string): Promise<readonly Hold[]> {
  const { rows } = await db.query<Hold>(
    `select cases.id as case, cases.state = 'open' as "isOpen"
     from interventions join cases on cases.id = interventions.case_id
     where interventions.run = $1::text
       and interventions.action = $2::text and interventions.reason = $3::text`,
    [run, HELD, RECORD_IS_OLDER],
  );
  return rows;
}

/**
 * Whether a person has been asked about what this execution knows. One that knew too much when the
 * run was held never learns of it, because it gets no work; one that knows of every hold has gone
 * on since, and what it knows beyond the record was lost by another copy.
 */
function isAnswered(holds: readonly Hold[], known: readonly JournalLine[]): boolean {
  const opened = new Set(known.flatMap((line) => (line.kind === 'case-opened' ? line.case : [])));
  return holds.some((hold) => !opened.has(hold.case));
}

function lastBegun({ lines, definition }: RunRecord): NonNullable<OlderRecord['of']> {
  const line = lines.findLast(({ kind }) => kind === 'begun');
  if (line?.kind === 'begun') return line;
  const [first] = definition.steps;
  if (first === undefined) throw new RangeError(`${definition.name} has no steps`);
  return { step: first.name, direction: 'do' };
}

/** A run whose case of an older record is open. `runs` is the table of the statement around it. */
export const IS_HELD = `exists (
  select from interventions join cases on cases.id = interventions.case_id
  where interventions.run = runs.id and interventions.action = '${HELD}'
    and cases.state = 'open')`;

/**
 * A run that a person has let go on by its record while the execution still holds it that was there
 * before: what that knows beyond the record keeps it from all work. One that has taken the run over
 * since, or was started again, goes by the record, and is left alone.
 */
export const IS_RELEASED = `exists (
  select from interventions as held join cases on cases.id = held.case_id
  where held.run = runs.id and held.action = '${HELD}' and cases.state <> 'open'
    and runs.execution is not distinct from held.after ->> 'execution'
    and not exists (
      select from interventions as again
      where again.run = runs.id and again.action = 'started-again' and again.id > held.id))`;
