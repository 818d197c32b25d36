import { statusOf, type BookingStatus } from '../saga/run-view.js';
import {
  atMostOnce,
  endsAsItSays,
  knowsBeforeItUndoes,
  undoesOnlyWhatHappened,
} from './effect-invariants.js';
import type { Invariant } from './invariant.js';
import { believesLateWords } from './late-invariants.js';
import {
  doesNotGuess,
  keepsTheDeadline,
  keepsThePivot,
  letsUndosPass,
  oneAttemptAtATime,
  turnsForGood,
  undoesInReverse,
} from './order-invariants.js';
import { triesNoMoreOften } from './retry-invariants.js';

/** S1: each run ends, and nothing stays on the desk that a person has looked at. */
export const endsOrIsDecided: Invariant = {
  name: 'a run ends, or lies on the desk until it is decided',
  broken: ({ run, endless }) => {
    if (endless !== null) return endless;
    if (run.finishedAs === null) return 'it neither ended nor lies on the desk';
    return run.openCases.size > 0 ? 'a case stays open' : null;
  },
};

/** Whoever has looked can say what is so. */
export const letsTheTruthBeSaid: Invariant = {
  name: 'what is true is among the verdicts that are offered',
  broken: ({ unspoken }) => unspoken,
};

/** Where a customer may see a booking go from what is seen now. */
const NEXT: Readonly<Record<BookingStatus, readonly BookingStatus[]>> = {
  pending: ['in_review', 'cancelling', 'failing', 'confirmed', 'closed'],
  in_review: ['pending', 'cancelling', 'failing', 'confirmed', 'failed', 'closed'],
  cancelling: ['cancelled', 'closed'],
  failing: ['in_review', 'failed', 'closed'],
  confirmed: [],
  cancelled: [],
  failed: [],
  closed: [],
};

/** S10: what a customer sees only goes on, and never back. */
export const statusOnlyGoesOn: Invariant = {
  name: 'what a customer sees only goes on',
  broken: ({ states }) => {
    let seen: BookingStatus = 'pending';
    for (const state of states) {
      const status = statusOf(state);
      if (status !== seen && !NEXT[seen].includes(status)) {
        return `a booking that was ${seen} became ${status}`;
      }
      seen = status;
    }
    return null;
  },
};

/** S15: an accepted cancel is a promise, and a second one changes nothing. */
export const keepsACancel: Invariant = {
  name: 'an accepted cancel is kept',
  broken: ({ cancels, run }) => {
    const accepted = cancels.filter(({ answer }) => answer === 'accepted').length;
    if (accepted > 1) return 'a second cancel was accepted';
    if ((accepted === 1) !== run.cancelAccepted) return 'an accepted cancel was forgotten';
    if (accepted === 0 || run.finishedAs === null) return null;
    const isKept = run.finishedAs === 'cancelled' || run.finishedAs === 'closed_by_hand';
    return isKept ? null : `cancelled, and yet ${run.finishedAs}`;
  },
};

/** What the engine promises of every saga. */
export const PROMISES: readonly Invariant[] = [
  letsTheTruthBeSaid,
  endsOrIsDecided,
  atMostOnce,
  endsAsItSays,
  undoesOnlyWhatHappened,
  knowsBeforeItUndoes,
  undoesInReverse,
  letsUndosPass,
  turnsForGood,
  keepsThePivot,
  doesNotGuess,
  believesLateWords,
  statusOnlyGoesOn,
  oneAttemptAtATime,
  triesNoMoreOften,
  keepsTheDeadline,
  keepsACancel,
];
