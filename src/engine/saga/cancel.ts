import type { CancelRefusal, Ending } from './journal.js';

/** What a cancel that comes now is answered. `unchanged`: it turned back, or ended so, already. */
export type CancelAnswer = 'accepted' | 'unchanged' | CancelRefusal;

/** What the row of a run says about a cancel. */
export interface CancelSubject {
  readonly endedAs: Ending | null;
  readonly unwinding: boolean;
  readonly cancelRequested: boolean;
  readonly pivotBegun: boolean;
  readonly pivotDone: boolean;
}

/**
 * The table of docs/states.md. It only words the answer: whether a cancel is accepted is decided by
 * one conditional update, which the pivot's own update excludes.
 */
export function answerCancel(run: CancelSubject): CancelAnswer {
  if (run.endedAs === 'cancelled') return 'unchanged';
  if (run.pivotDone) return 'past-pivot';
  if (run.endedAs !== null) return 'already-ended';
  if (run.unwinding || run.cancelRequested) return 'unchanged';
  return run.pivotBegun ? 'pivot-in-progress' : 'accepted';
}
