import type { CancelRefusal } from './journal.js';
import { pivotBegun, pivotDone, type RunState } from './run-state.js';

/** What a cancel that comes now is answered. `unchanged`: it turned back, or ended so, already. */
export type CancelAnswer = 'accepted' | 'unchanged' | CancelRefusal;

/**
 * The table of docs/states.md. It only words the answer: whether a cancel is accepted is decided by
 * one conditional update, which the pivot's own update excludes.
 */
export function answerCancel(run: RunState): CancelAnswer {
  if (run.finishedAs === 'cancelled') return 'unchanged';
  if (pivotDone(run)) return 'past-pivot';
  if (run.finishedAs !== null) return 'already-ended';
  if (run.unwindingBecause !== null || run.cancelAccepted) return 'unchanged';
  return pivotBegun(run) ? 'pivot-in-progress' : 'accepted';
}
