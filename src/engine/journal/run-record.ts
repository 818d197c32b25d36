import type { SagaDefinition } from '../saga/definition.js';
import type { JournalLine, Tick } from '../saga/journal.js';
import type { RunState } from '../saga/run-state.js';
import type { Direction } from '../saga/step-key.js';

/** One call of a step of a run. */
export interface CallOf {
  readonly run: string;
  readonly step: string;
  readonly direction: Direction;
}

interface OfCall {
  readonly step: string;
  readonly direction: Direction;
}

/** The row of a key; there is none while no attempt was begun and the key is not closed. */
export interface KeyRow extends OfCall {
  /** Sealed, as `value` is. */
  readonly input: Buffer | null;
  readonly value: Buffer | null;
  readonly firstSentAt: Date | null;
  readonly askedAt: Date | null;
  readonly closedAt: Date | null;
}

export interface AttemptRow extends OfCall {
  readonly attempt: number;
  readonly state: 'sending' | 'done' | 'refused' | 'again' | 'unknown';
  readonly token: string;
  readonly beganAt: Date;
  /** The last instant at which it may be sent. */
  readonly sendBy: Date;
}

/** All that is on record of one run, as one statement read it, and where it stands by it. */
export interface RunRecord {
  readonly id: string;
  readonly account: string;
  readonly definition: SagaDefinition;
  /** Sealed. */
  readonly input: Buffer;
  readonly execution: string | null;
  /** When its row was last changed, as Postgres writes it, to the microsecond. */
  readonly writtenAt: string;
  readonly deadlineAt: Date | null;
  /** The database's clock when it was read. */
  readonly now: Date;
  readonly lines: readonly JournalLine[];
  readonly keys: readonly KeyRow[];
  readonly attempts: readonly AttemptRow[];
  readonly state: RunState;
}

/** The lines a driver does not have yet. */
export function linesAfter(record: RunRecord, knows: number): readonly JournalLine[] {
  return record.lines.filter((line) => line.seq > knows);
}

/** The row of a call's key, if there is one. */
export function keyOf(record: RunRecord, { step, direction }: OfCall): KeyRow | undefined {
  return record.keys.find((row) => row.step === step && row.direction === direction);
}

/** The rows of a call's attempts, the first one first. */
export function attemptsOf(record: RunRecord, of: OfCall): readonly AttemptRow[] {
  return record.attempts.filter((row) => row.step === of.step && row.direction === of.direction);
}

/** The row of one attempt, if it was begun. */
export function attemptOf(
  record: RunRecord,
  of: OfCall & { readonly attempt: number },
): AttemptRow | undefined {
  return attemptsOf(record, of).find((row) => row.attempt === of.attempt);
}

/** Milliseconds since the first attempt of a call was begun; 0 before. */
export function tryingMs(record: RunRecord, of: OfCall): number {
  const began = attemptsOf(record, of).map(({ beganAt }) => beganAt.getTime());
  return began.length === 0 ? 0 : Math.max(0, record.now.getTime() - Math.min(...began));
}

/** Milliseconds since the provider was first asked about a call; 0 before. */
export function askingMs(record: RunRecord, of: OfCall): number {
  const askedAt = keyOf(record, of)?.askedAt ?? record.now;
  return Math.max(0, record.now.getTime() - askedAt.getTime());
}

/** Milliseconds until no attempt of a call may be sent any more; negative once that has passed. */
export function sendableMs(record: RunRecord, of: OfCall): number {
  const sendBy = attemptsOf(record, of).map((row) => row.sendBy.getTime());
  return sendBy.length === 0 ? 0 : Math.max(...sendBy) - record.now.getTime();
}

/** What is true by the database's clock, as of when the record was read. */
export function ticksOf({ deadlineAt, now }: RunRecord): readonly Tick[] {
  return deadlineAt !== null && now >= deadlineAt ? [{ kind: 'deadline-passed' }] : [];
}

/** Until when a call that has not ended may still be sent; null: none may. */
export function sentUntil({ attempts, now }: RunRecord): Date | null {
  const open = attempts.filter((row) => row.state === 'sending' && row.sendBy > now);
  return open.length === 0
    ? null
    : new Date(Math.max(...open.map(({ sendBy }) => sendBy.getTime())));
}
