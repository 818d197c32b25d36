import type { Fact, Tick } from './journal.js';
import { movesOf } from './next-moves.js';
import type { RunState } from './run-state.js';

/** What an operator can do about a run, beside the verdicts on its cases. */
export type RunAction = 'retry-now' | 'cancel' | 'abandon';

/** What "now" is answered. */
export type RetryAnswer = 'accepted' | 'nothing-to-retry' | 'already-ended';

/** What the wish to close a run as it is is answered. */
export type AbandonAnswer = 'accepted' | 'call-in-progress' | 'already-ended';

/** "Now" is taken while an attempt or a question waits for its time, and changes nothing else. */
export function answerRetry(run: RunState, ticks: readonly Tick[]): RetryAnswer {
  if (run.finishedAs !== null) return 'already-ended';
  const waits = movesOf(run, ticks).some(
    (move) => move.kind === 'wait' && move.then.kind === 'due',
  );
  return waits ? 'accepted' : 'nothing-to-retry';
}

/**
 * A run is abandoned at any point before its end, past the pivot too, but not while a call of it
 * can still be sent: what remains would not be known to remain.
 */
export function answerAbandon(run: RunState, callMayBeSent: boolean): AbandonAnswer {
  if (run.finishedAs !== null) return 'already-ended';
  return callMayBeSent ? 'call-in-progress' : 'accepted';
}

/** All that becomes true when a run is abandoned: its cases are closed with it, and it ends. */
export function factsOfAbandoning(run: RunState): readonly Fact[] {
  const settled = [...run.openCases].map(([id, { of }]): Fact => ({
    kind: 'case-settled',
    case: id,
    ...of,
    because: 'abandoned',
  }));
  return [{ kind: 'abandoned' }, ...settled, { kind: 'finished', as: 'closed_by_hand' }];
}
