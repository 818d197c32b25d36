import type { Because, Ending, JournalLine, Problem } from './journal.js';
import type { Direction } from './step-key.js';

/**
 * What the driver and the activities say to each other. All of it is kept in Temporal's history, so
 * it is names and numbers only: no input, no result, no prose.
 */
export interface RunAsk {
  readonly run: string;
  readonly saga: string;
  readonly version: number;
  /** The number of the last journal line the driver has; the answer brings what came after it. */
  readonly knows: number;
  /**
   * The mark of all lines up to there. A record that has fewer, or others in their place, was
   * restored from an older copy. An execution that an earlier version began does not tell it.
   */
  readonly mark?: string;
  /** The execution was reset or goes on from another: the run has been worked on before. */
  readonly succeeds?: boolean;
}

/** Make one attempt of a call. */
export interface CallAsk extends RunAsk {
  readonly step: string;
  readonly direction: Direction;
  readonly key: string;
  readonly attempt: number;
  /** Names an earlier begin of this attempt that certainly sent nothing, if its row stands. */
  readonly unsent?: string;
}

/** Ask the provider what a call did. */
export interface FindAsk extends RunAsk {
  readonly step: string;
  readonly direction: Direction;
  readonly key: string;
}

/** Read what became of one attempt. */
export interface ReadAsk extends RunAsk {
  readonly step: string;
  readonly direction: Direction;
  readonly attempt: number;
  readonly unsent?: string;
}

export interface RecordAsk extends CallAsk {
  /** The outcome, sealed; only this process's keys open it. */
  readonly sealed: string;
}

export interface UnwindAsk extends RunAsk {
  readonly because: Because;
}

export interface FinishAsk extends RunAsk {
  readonly as: Ending;
}

export interface OpenCaseAsk extends RunAsk {
  readonly step: string;
  readonly direction: Direction;
  readonly problem: Problem;
}

/** What every activity of the engine answers. */
export interface Answer {
  /** The lines after `knows`, in order. */
  readonly lines: readonly JournalLine[];
  /** Nothing could be done yet: come again after this many milliseconds. */
  readonly hold_ms?: number;
  /** Forward work may not begin, because the deadline has passed by the database's clock. */
  readonly stopped?: 'deadline';
  /** The call was made but its outcome could not be written: `record` must write it first. */
  readonly sealed?: string;
  /** The begin of this name sent nothing, though its row may stand. */
  readonly unsent?: string;
  /** The run was taken over from an earlier execution, and nothing else was done. */
  readonly taken?: true;
}

/** The engine's own activities, by the names they have on the task queue. */
export interface EngineActivities {
  record(ask: RecordAsk): Promise<Answer>;
  'read-attempt'(ask: ReadAsk): Promise<Answer>;
  'read-journal'(ask: RunAsk): Promise<Answer>;
  unwind(ask: UnwindAsk): Promise<Answer>;
  finish(ask: FinishAsk): Promise<Answer>;
  'open-case'(ask: OpenCaseAsk): Promise<Answer>;
  'note-cancel'(ask: RunAsk): Promise<Answer>;
  'retry-now'(ask: RunAsk): Promise<Answer>;
}

/** What a workflow of the engine is started with. */
export interface RunStart {
  readonly run: string;
  readonly saga: string;
  readonly version: number;
  /** When its deadline is, as RFC 3339; null: it has none. */
  readonly deadline_at: string | null;
}
