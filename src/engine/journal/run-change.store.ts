import {
  announce,
  notifyAfterCommit,
  theRow,
  type Database,
  type Queryable,
  type Tx,
} from '../database/database.js';
import { newId } from '../ids.js';
import { OUTBOX_CHANNEL } from '../outbox/outbox.store.js';
import type { Fact, JournalLine } from '../saga/journal.js';
import { statusChanges, type StatusChange } from '../saga/run-events.js';
import { pivotBegun } from '../saga/run-state.js';
import { viewRun } from '../saga/run-view.js';
import {
  growBy,
  keysToWrite,
  rowsAfter,
  type AttemptBegun,
  type AttemptEnded,
  type KeyWritten,
  type RunChange,
} from './run-change.js';
import type { RunRecord } from './run-record.js';

/** Where it is told that the status of a run has changed, with the run's id. */
export const RUNS_CHANNEL = 'recourse_runs';

/** Thrown when a row was not in the state that its transition leaves: a bug, never a race. */
export class TransitionLost extends Error {
  constructor(what: string) {
    super(`${what}: the row was not in the expected state`);
    this.name = 'TransitionLost';
  }
}

/**
 * Writes a change if the run is still as the record has it, by its last line and its execution, and
 * answers the record after it; null, with nothing written, when it is not, or when `before` has
 * passed. One statement, so it is a transaction of its own: lines, projection, keys, attempts and
 * cases stand together or not at all, after a crash too. An error may mean that it stands.
 */
export async function tryChange(
  database: Database,
  record: RunRecord,
  change: RunChange,
): Promise<RunRecord | null> {
  const grown = await write(database, record, change);
  if (grown === null) return null;
  for (const [channel, payload] of newsOf(record, grown, change)) {
    announce(database, channel, payload);
  }
  return grown;
}

/**
 * Writes a change of a run whose row this transaction has locked, with everything else of the
 * transaction or not at all. Answers the record after it.
 */
export async function applyChange(
  tx: Tx,
  record: RunRecord,
  change: RunChange,
): Promise<RunRecord> {
  const grown = await write(tx, record, change);
  if (grown === null) throw new TransitionLost(`run ${record.id}`);
  for (const [channel, payload] of newsOf(record, grown, change)) {
    notifyAfterCommit(tx, channel, payload);
  }
  return grown;
}

/** As `applyChange`, for a change that is facts and what follows from them. */
export function appendFacts(tx: Tx, record: RunRecord, facts: readonly Fact[]): Promise<RunRecord> {
  return applyChange(tx, record, { facts });
}

/** Who waits hears of a new status; the relays, of something to tell the run. */
function newsOf(
  before: RunRecord,
  after: RunRecord,
  { looks }: RunChange,
): readonly (readonly [channel: string, payload: string])[] {
  const isNew = viewRun(before.state).status !== viewRun(after.state).status;
  const told = looks === true ? ([[OUTBOX_CHANNEL, '']] as const) : [];
  return isNew ? [[RUNS_CHANNEL, before.id], ...told] : told;
}

interface Written {
  /** Null where the run was not as it was read. */
  readonly written_at: string | null;
  readonly began_at: Date | null;
  readonly send_by: Date | null;
}

async function write(
  db: Queryable,
  record: RunRecord,
  change: RunChange,
): Promise<RunRecord | null> {
  const grown = growBy(record, change.facts, () => newId('case'));
  const keys = keysToWrite(grown, change);
  const statement = statementFor(record, grown, change, keys);
  const { written_at, began_at, send_by } = theRow(
    (await db.query<Written>(statement.text, statement.values)).rows,
  );
  if (written_at === null) return null;
  const times = began_at && send_by && { beganAt: began_at, sendBy: send_by };
  return { ...grown, ...rowsAfter(record, keys, change, times), writtenAt: written_at };
}

/** Gives a value its place in a statement; answers the place, with its type. */
type Place = (value: unknown, type: string) => string;

interface Statement {
  readonly text: string;
  readonly values: unknown[];
}

/**
 * Everything hangs on `moved`: where the run was not as it was read, no part writes anything. Its
 * text follows from which parts a change has, so there are few texts, and each is prepared once.
 */
function statementFor(
  before: RunRecord,
  after: RunRecord,
  change: RunChange,
  keys: readonly KeyWritten[],
): Statement {
  const values: unknown[] = [];
  const place: Place = (value, type) => {
    values.push(value);
    return `$${values.length}::${type}`;
  };
  const added = after.lines.slice(before.lines.length);
  const news = statusChanges(before.state, added);
  const parts = [`moved as (${moved(place, { before, after, change, news })})`];
  if (added.length > 0) parts.push(`lines as (${lines(place, added)})`);
  if (news.length > 0) parts.push(`events as (${events(place, before, news)})`);
  if (keys.length > 0) parts.push(`keys as (${writtenKeys(place, keys)})`);
  if (change.begun !== undefined) parts.push(`begun as (${begun(place, change.begun)})`);
  if (change.ended !== undefined) parts.push(`ended as (${ended(place, change.ended)})`);
  const opened = added.filter((line) => line.kind === 'case-opened');
  if (opened.length > 0) parts.push(`opened as (${cases(place, opened)})`);
  const settled = added.flatMap((line) => (line.kind === 'case-settled' ? [line.case] : []));
  if (settled.length > 0) parts.push(`settled as (${settledCases(place, settled)})`);
  if (change.looks === true) {
    parts.push(`looks as (insert into outbox (kind, run) select 'look', id from moved)`);
  }
  const times =
    change.begun === undefined
      ? 'null::timestamptz as began_at, null::timestamptz as send_by'
      : '(select began_at from begun), (select send_by from begun)';
  const answer = `(select written_at from moved) as written_at, ${times}`;
  const text = `with ${parts.join(', ')} select ${answer}`;
  return { text, values };
}

/**
 * When the sweep looks after the run, if there is no news until then. It stays as it is while it is
 * soon enough and not too soon, since a new one costs an entry in each index of the table.
 */
const LOOK_AT = `case
    when look_at > clock_timestamp() + 0.5 * look_after_ms * interval '1 millisecond'
     and look_at <= clock_timestamp() + look_after_ms * interval '1 millisecond' then look_at
    else clock_timestamp() + look_after_ms * interval '1 millisecond' end`;

interface Move {
  readonly before: RunRecord;
  readonly after: RunRecord;
  readonly change: RunChange;
  readonly news: readonly StatusChange[];
}

/** The projection: the run as it is read, worked out from the journal. */
function moved(place: Place, { before, after, change, news }: Move): string {
  const view = viewRun(after.state);
  const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));
  const problem = place(view.problem, 'text');
  const isOver = place(after.state.finishedAs !== null, 'boolean');
  const beforeWhen = place(change.before ?? null, 'timestamptz');
  return `
    update runs
    set state = ${place(view.state, 'text')}, direction = ${place(view.direction, 'text')},
        status = ${place(view.status, 'text')}, steps = ${place(json(view.steps), 'jsonb')},
        failure = ${place(json(view.failure), 'jsonb')},
        remains = ${place(json(view.remains), 'jsonb')},
        problem = ${problem}, problem_step = ${place(view.step, 'text')},
        stuck_since = case when ${problem} is null then null
                           else coalesce(stuck_since, clock_timestamp()) end,
        execution = ${place(change.takenBy ?? before.execution, 'text')},
        last_seq = ${place(after.state.lastSeq, 'integer')}, updated_at = clock_timestamp(),
        unwinding_because = ${place(after.state.unwindingBecause, 'text')},
        cancel_requested_at = case when ${place(after.state.cancelAccepted, 'boolean')}
          then coalesce(cancel_requested_at, clock_timestamp()) else cancel_requested_at end,
        pivot_begun_at = case when ${place(pivotBegun(after.state), 'boolean')}
          then coalesce(pivot_begun_at, clock_timestamp()) end,
        ended_at = case when ${isOver} then coalesce(ended_at, clock_timestamp()) end,
        look_wait_ms = look_after_ms,
        look_at = case when not ${isOver} then ${LOOK_AT} end${news.length > 0 ? EVENT_XID : ''}
    where id = ${place(before.id, 'text')}
      and last_seq = ${place(before.state.lastSeq, 'integer')}
      and execution is not distinct from ${place(before.execution, 'text')}
      and (${beforeWhen} is null or clock_timestamp() < ${beforeWhen})
      -- A record that was restored since, and has grown anew, may have the number and not the time.
      and updated_at = ${place(before.writtenAt, 'timestamptz')}
    returning id, updated_at::text as written_at, event_xid`;
}

/** Not below that of the run's event before it: see 0010_events.sql. */
const EVENT_XID = `,
        event_xid = greatest(event_xid, pg_current_xact_id())`;

function lines(place: Place, added: readonly JournalLine[]): string {
  return `
    insert into journal (run, seq, line)
    select moved.id, (line ->> 'seq')::integer, line - 'seq'
    from moved, jsonb_array_elements(${place(JSON.stringify(added), 'jsonb')}) as line
    returning seq, at`;
}

/** One for each change of status, at the instant of the line that brought it. */
function events(place: Place, run: RunRecord, news: readonly StatusChange[]): string {
  return `
    insert into events (xid, account, run, seq, saga, status, failure, created_at)
    select moved.event_xid, ${place(run.account, 'text')}, moved.id, seq,
           ${place(run.definition.name, 'text')}, status, failure, lines.at
    from moved, lines join jsonb_to_recordset(${place(JSON.stringify(news), 'jsonb')}) as news
      (seq integer, status text, failure jsonb) using (seq)
    order by seq`;
}

function writtenKeys(place: Place, keys: readonly KeyWritten[]): string {
  return `
    insert into step_keys
      (run, step, direction, key, input, value, provider_id, first_sent_at, closed_at)
    select moved.id, step, direction, key, decode(input, 'base64'), decode(value, 'base64'),
           provider_id, case when sent then clock_timestamp() end,
           case when closes then clock_timestamp() end
    from moved, jsonb_to_recordset(${place(JSON.stringify(keys), 'jsonb')}) as written
      (step text, direction text, key text, input text, value text, provider_id text,
       sent boolean, closes boolean)
    on conflict (run, step, direction) do update
    set input = coalesce(step_keys.input, excluded.input),
        value = coalesce(step_keys.value, excluded.value),
        provider_id = case when step_keys.value is null and excluded.value is not null
                           then excluded.provider_id else step_keys.provider_id end,
        first_sent_at = coalesce(step_keys.first_sent_at, excluded.first_sent_at),
        closed_at = coalesce(step_keys.closed_at, excluded.closed_at)`;
}

/** A second row of one attempt is refused by the primary key. */
function begun(place: Place, attempt: AttemptBegun): string {
  const spent = place(attempt.spent === true, 'boolean');
  return `
    insert into attempts
      (run, step, direction, attempt, state, token, send_by, ended_at, detail, worker)
    select id, ${place(attempt.step, 'text')}, ${place(attempt.direction, 'text')},
           ${place(attempt.attempt, 'integer')},
           case when ${spent} then 'again' else 'sending' end, ${place(attempt.token, 'uuid')},
           clock_timestamp() + ${place(attempt.timeoutMs, 'integer')} * interval '1 millisecond',
           case when ${spent} then clock_timestamp() end,
           case when ${spent} then 'never-begun' end, ${place(attempt.worker, 'text')}
    from moved
    returning began_at, send_by`;
}

function ended(place: Place, attempt: AttemptEnded): string {
  return `
    update attempts
    set state = ${place(attempt.state, 'text')}, detail = ${place(attempt.detail, 'text')},
        provider_id = ${place(attempt.providerId, 'text')}, ended_at = clock_timestamp()
    from moved
    where run = moved.id and step = ${place(attempt.step, 'text')}
      and direction = ${place(attempt.direction, 'text')}
      and attempt = ${place(attempt.attempt, 'integer')}`;
}

function cases(place: Place, opened: readonly JournalLine[]): string {
  return `
    insert into cases (id, run, step, direction, problem)
    select opened."case", moved.id, step, direction, problem
    from moved, jsonb_to_recordset(${place(JSON.stringify(opened), 'jsonb')}) as opened
      ("case" text, step text, direction text, problem text)`;
}

function settledCases(place: Place, ids: readonly string[]): string {
  return `
    update cases
    set state = 'settled', closed_at = clock_timestamp(), revision = revision + 1
    from moved
    where cases.id = any(${place(ids, 'text[]')}) and state = 'open'`;
}
