import type { CallState } from '../saga/call-state.js';
import { calls, consequencesOf } from '../saga/consequences.js';
import { stepNamed, type Place } from '../saga/definition.js';
import type { Fact, JournalLine } from '../saga/journal.js';
import { addLine } from '../saga/run-state.js';
import { stepKey, type Direction } from '../saga/step-key.js';
import type { AttemptRow, KeyRow, RunRecord } from './run-record.js';

interface OfCall {
  readonly step: string;
  readonly direction: Direction;
}

/** What becomes of the row of a key; the row is made if there is none. */
export interface KeyChange extends OfCall {
  /** Sealed. The first one stays, and so does the first `value`. */
  readonly input?: Buffer;
  readonly value?: Buffer;
  readonly providerId?: string | null;
  /** It is sent for the first time now, unless it was sent before. */
  readonly sent?: true;
  /** Nothing gets through it from now on. */
  readonly closes?: true;
}

/** The intention of an attempt. */
export interface AttemptBegun extends OfCall {
  readonly attempt: number;
  readonly token: string;
  readonly timeoutMs: number;
  readonly worker: string;
  /** It was never begun and never will be: it is settled from the start. */
  readonly spent?: true;
}

/** What an attempt came to. */
export interface AttemptEnded extends OfCall {
  readonly attempt: number;
  readonly state: Exclude<AttemptRow['state'], 'sending'>;
  readonly detail: string | null;
  readonly providerId: string | null;
}

/** All that one decision changes in a run's record: it is written whole, or nothing of it. */
export interface RunChange {
  readonly facts: readonly Fact[];
  readonly keys?: readonly KeyChange[];
  readonly begun?: AttemptBegun;
  readonly ended?: AttemptEnded;
  /** The execution that the run belongs to from now on. */
  readonly takenBy?: string;
  /** The run is told to look at its journal. */
  readonly looks?: boolean;
  /** Nothing is written any more once the database's clock has reached this. */
  readonly before?: Date | null;
}

/** The record with these facts and all that follows from them; `newCase` names a case. */
export function growBy(
  record: RunRecord,
  facts: readonly Fact[],
  newCase: () => string,
): RunRecord {
  let grown = number(record, facts);
  const consequences = (): readonly Fact[] => consequencesOf(grown.state, newCase);
  for (let more = consequences(); more.length > 0; more = consequences()) {
    grown = number(grown, more);
  }
  return grown;
}

function number(record: RunRecord, facts: readonly Fact[]): RunRecord {
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

const CLOSED_PHASES = new Set(['not-happened', 'missed', 'by-hand', 'left']);

/**
 * Whether the call will not be attempted any more although it did not happen. What was refused is
 * over only where the run turns back by it; of an undo, and past the pivot, a person may say
 * "again".
 */
function isOver(place: Place, direction: Direction, { phase }: CallState): boolean {
  if (phase !== 'refused') return CLOSED_PHASES.has(phase);
  return direction === 'do' && place !== 'after-pivot';
}

/** What is written of a key, by the names of its columns. */
export interface KeyWritten {
  readonly step: string;
  readonly direction: Direction;
  readonly key: string;
  readonly input: string | null;
  readonly value: string | null;
  readonly provider_id: string | null;
  readonly sent: boolean;
  readonly closes: boolean;
}

/**
 * The rows of keys to write: those that the change names, and those whose call will not be
 * attempted any more, which let nothing through from now on. One row a key.
 */
export function keysToWrite(after: RunRecord, change: RunChange): readonly KeyWritten[] {
  const rows = new Map<string, KeyWritten>();
  const add = (of: OfCall, more: Omit<KeyChange, keyof OfCall>): void => {
    const key = stepKey(after.id, of.step, of.direction);
    const row = rows.get(key);
    rows.set(key, {
      ...{ step: of.step, direction: of.direction, key },
      input: row?.input ?? more.input?.toString('base64') ?? null,
      value: row?.value ?? more.value?.toString('base64') ?? null,
      provider_id: row?.provider_id ?? more.providerId ?? null,
      sent: row?.sent === true || more.sent === true,
      closes: row?.closes === true || more.closes === true,
    });
  };
  for (const key of change.keys ?? []) add(key, key);
  for (const { step, direction, call } of calls(after.state)) {
    const row = after.keys.find((one) => one.step === step && one.direction === direction);
    const { place } = stepNamed(after.definition, step);
    const isClosed = row?.closedAt != null;
    if (!isClosed && isOver(place, direction, call)) add({ step, direction }, { closes: true });
  }
  return [...rows.values()];
}

/** When the database wrote an attempt. */
export interface AttemptTimes {
  readonly beganAt: Date;
  readonly sendBy: Date;
}

/** The rows of a record as they stand after what was written. */
export function rowsAfter(
  record: RunRecord,
  written: readonly KeyWritten[],
  change: RunChange,
  times: AttemptTimes | null,
): Pick<RunRecord, 'keys' | 'attempts' | 'execution'> {
  const at = times?.beganAt ?? record.now;
  const touched = written.map((row): KeyRow => {
    const old = record.keys.find((one) => one.step === row.step && one.direction === row.direction);
    return {
      ...{ step: row.step, direction: row.direction },
      input: old?.input ?? bytes(row.input),
      value: old?.value ?? bytes(row.value),
      firstSentAt: old?.firstSentAt ?? (row.sent ? at : null),
      askedAt: old?.askedAt ?? null,
      closedAt: old?.closedAt ?? (row.closes ? at : null),
    };
  });
  const untouched = record.keys.filter(
    (old) => !touched.some((row) => row.step === old.step && row.direction === old.direction),
  );
  return {
    keys: [...untouched, ...touched],
    attempts: attemptsAfter(record, change, times),
    execution: change.takenBy ?? record.execution,
  };
}

function attemptsAfter(
  { attempts }: RunRecord,
  { begun, ended }: RunChange,
  times: AttemptTimes | null,
): readonly AttemptRow[] {
  if (begun !== undefined && times !== null) {
    const { step, direction, attempt, token } = begun;
    const state = begun.spent ? ('again' as const) : ('sending' as const);
    return [...attempts, { step, direction, attempt, token, state, ...times }];
  }
  return attempts.map((row) => {
    const isIt =
      row.step === ended?.step &&
      row.direction === ended.direction &&
      row.attempt === ended.attempt;
    return isIt ? { ...row, state: ended.state } : row;
  });
}

function bytes(text: string | null): Buffer | null {
  return text === null ? null : Buffer.from(text, 'base64');
}
