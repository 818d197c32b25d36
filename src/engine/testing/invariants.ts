import { isSettled, type CallState } from '../saga/call-state.js';
import { stepNamed } from '../saga/definition.js';
import type { Ending } from '../saga/journal.js';
import { callState, hasTicked, pivotDone, type StepState } from '../saga/run-state.js';
import { statusOf, viewRun, type BookingStatus } from '../saga/run-view.js';
import type { Played, Sent } from './played.js';

/** Something that must hold of every run, whatever happened in it. */
export interface Invariant {
  /** In a few words, as a promise. */
  readonly name: string;
  /** Answers how it was broken, in a sentence; null when it held. */
  readonly broken: (played: Played) => string | null;
}

/** The first of these that was broken, or null. */
function first(...checks: readonly (string | null)[]): string | null {
  return checks.find((broken) => broken !== null) ?? null;
}

/** The first answer of a check of each, or null. */
function ofEach<One>(all: readonly One[], check: (one: One) => string | null): string | null {
  for (const one of all) {
    const broken = check(one);
    if (broken !== null) return broken;
  }
  return null;
}

function count(
  { effects }: Played,
  step: string,
): { readonly did: number; readonly undid: number } {
  let did = 0;
  let undid = 0;
  for (const one of effects) {
    if (one.step !== step) continue;
    if (one.direction === 'do') did += 1;
    else undid += 1;
  }
  return { did, undid };
}

/** S1: each run ends, and nothing stays on the desk that a person has looked at. */
export const endsOrIsDecided: Invariant = {
  name: 'a run ends, or lies on the desk until it is decided',
  broken: ({ run, endless }) => {
    if (endless !== null) return endless;
    if (run.finishedAs === null) return 'it neither ended nor lies on the desk';
    return run.openCases.size > 0 ? 'a case stays open' : null;
  },
};

/** S2: nothing takes effect twice, but where its author prefers that to a miss. */
export const atMostOnce: Invariant = {
  name: 'nothing takes effect twice',
  broken: (played) =>
    ofEach(played.saga.steps, ({ name, forward }) => {
      const { did } = count(played, name);
      if (did < 2 || forward.whenUnknown === 'prefer-duplicate') return null;
      return `${name} took effect ${did} times`;
    }),
};

/** S3: what ended says the truth: completed has everything, undone and cancelled have nothing. */
export const endsAsItSays: Invariant = {
  name: 'an ending says what is so',
  broken: (played) => {
    const { finishedAs } = played.run;
    const check = finishedAs === null ? undefined : ENDINGS[finishedAs];
    return check === undefined ? null : ofEach(played.run.steps, (step) => check(played, step));
  },
};

const ENDINGS: Readonly<Record<Ending, (played: Played, state: StepState) => string | null>> = {
  completed: isThere,
  undone: isGone,
  cancelled: isGone,
  closed_by_hand: isGoneUnlessItRemains,
};

function isThere(played: Played, { step }: StepState): string | null {
  const { did, undid } = count(played, step.name);
  if (undid > 0) return `completed, and yet ${step.name} was undone`;
  const mayBeMissed = step.forward.whenUnknown === 'prefer-miss';
  return did > 0 || mayBeMissed ? null : `completed, and yet ${step.name} never took effect`;
}

function isGone(played: Played, { step }: StepState): string | null {
  const { did, undid } = count(played, step.name);
  const leavesNothing = step.place === 'before-pivot' && step.undo === null;
  return did === undid || leavesNothing ? null : `turned back, and yet ${step.name} is still there`;
}

function isGoneUnlessItRemains(played: Played, state: StepState): string | null {
  const remains = viewRun(played.run).remains.map(({ step }) => step);
  if (remains.length === 0) return 'closed by hand, and nothing remains';
  if (remains.includes(state.step.name)) return null;
  if (played.run.unwindingBecause !== null) return isGone(played, state);
  return state.forward.phase === 'not-begun' ? null : isThere(played, state);
}

/** S4: nothing is undone that did not happen. */
export const undoesOnlyWhatHappened: Invariant = {
  name: 'nothing is undone that did not happen',
  broken: (played) =>
    first(
      ofEach(played.saga.steps, ({ name }) => {
        const { did, undid } = count(played, name);
        return undid > did ? `${name} was undone ${undid} times of ${did}` : null;
      }),
      ofEach(undos(played), ({ step, at }) => {
        const before = played.effects.some(
          (one) => one.step === step && one.direction === 'do' && one.at <= at,
        );
        return before ? null : `the undo of ${step} was sent, and ${step} never took effect`;
      }),
    ),
};

function undos({ sent }: Played): readonly Sent[] {
  return sent.filter(({ direction }) => direction === 'undo');
}

/** S5: no undo is sent before it is known what it undoes, and nothing of that comes after it. */
export const knowsBeforeItUndoes: Invariant = {
  name: 'an undo is sent only once it is known what it undoes',
  broken: (played) =>
    ofEach(undos(played), ({ step, at, record }) => {
      const forward = callState(record, step, 'do');
      if (forward.phase !== 'done' || forward.inFlight !== null) {
        return `${step} was undone before its outcome was known`;
      }
      const isLate = (one: { step: string; direction: string; at: number }): boolean =>
        one.step === step && one.direction === 'do' && one.at > at;
      if (played.sent.some(isLate)) return `${step} was sent after its undo`;
      return played.effects.some(isLate) ? `${step} took effect after its undo was sent` : null;
    }),
};

/** S6: undos come in the reverse order of the starts, unless one is slow or on the desk. */
export const undoesInReverse: Invariant = {
  name: 'undos come in the reverse order of the starts',
  broken: (played) =>
    ofEach(firstUndos(played), (sent) => {
      const { steps } = sent.driver.run;
      const order = callState(sent.driver.run, sent.step, 'do').order ?? 0;
      const later = steps.filter(({ forward }) => (forward.order ?? 0) > order);
      return ofEach(later, (state) => passes(played, sent, state));
    }),
};

function firstUndos(played: Played): readonly Sent[] {
  const all = undos(played);
  return all.filter((one) => all.find(({ step }) => step === one.step) === one);
}

function passes(played: Played, sent: Sent, { step, forward, undo }: StepState): string | null {
  const isOwed = !isSettled(forward) || (forward.phase === 'done' && step.undo !== null);
  if (!isOwed || ['done', 'by-hand', 'left'].includes(undo.phase)) return null;
  const broken = `the undo of ${sent.step} passed that of ${step.name}`;
  if (step.onStuckUndo === 'stop') return `${broken}, which stops it`;
  const call = isSettled(forward) ? undo : forward;
  if (call.openCase !== null) return null;
  const isSlow = hasTicked(sent.driver.ticks, { kind: 'undo-slow', step: step.name });
  const since = heldUpSince(played, step.name);
  if (!isSlow || since === undefined) return `${broken} too soon`;
  const ms = sent.at - since;
  return ms < played.saga.slowUndoMs ? `${broken} after ${ms} ms` : null;
}

/** Since when the way back waits for a step: since it turned, or since its undo was begun. */
function heldUpSince(played: Played, step: string): number | undefined {
  const { turned } = played;
  if (turned !== null && !isSettled(callState(turned.record, step, 'do'))) return turned.at;
  return undos(played).find((one) => one.step === step)?.at;
}

/** S7: once it has turned nothing new is done forward; a key is sent again only to learn. */
export const turnsForGood: Invariant = {
  name: 'nothing new is done forward once it has turned',
  broken: (played) =>
    ofEach(played.sent, ({ step: name, direction, record }) => {
      if (direction === 'undo') return null;
      const step = stepNamed(played.saga, name);
      const turned = record.unwindingBecause !== null || record.cancelAccepted;
      if (!turned || step.place === 'after-pivot') return null;
      const learns = callState(record, name, 'do').unknowns.length > 0;
      const isKeyed = step.forward.whenUnknown === 'retry-with-key';
      return learns && isKeyed ? null : `${name} was sent after the run had turned`;
    }),
};

/** S8: nothing is undone on the way forward, nor once the pivot took effect. */
export const keepsThePivot: Invariant = {
  name: 'nothing is undone past the pivot',
  broken: (played) =>
    ofEach(undos(played), ({ step, record }) => {
      if (record.unwindingBecause === null) return `${step} was undone on the way forward`;
      return pivotDone(record) ? `${step} was undone past the pivot` : null;
    }),
};

/** S9: what nobody knows is not sent again, where twice would be twice. */
export const doesNotGuess: Invariant = {
  name: 'what nobody knows is not tried again blindly',
  broken: (played) =>
    ofEach(played.sent, ({ step: name, direction, record }) => {
      const step = stepNamed(played.saga, name);
      const call = direction === 'do' ? step.forward : step.undo;
      const { unknowns } = callState(record, name, direction);
      const isBlind = call?.whenUnknown === 'ask-person' || call?.whenUnknown === 'ask-provider';
      return isBlind && unknowns.length > 0
        ? `${name} was sent again while nobody knew what an earlier attempt had done`
        : null;
    }),
};

/** Where a customer may see a booking go from what is seen now. */
const NEXT: Readonly<Record<BookingStatus, readonly BookingStatus[]>> = {
  pending: ['in_review', 'cancelling', 'failing', 'confirmed'],
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

/** S11: attempts of one call never overlap. */
export const oneAttemptAtATime: Invariant = {
  name: 'one call has one attempt at a time',
  broken: (played) =>
    ofEach(played.sent, ({ step, direction, record }) => {
      const call: CallState = callState(record, step, direction);
      return call.inFlight === null ? null : `two attempts of ${step} were on their way at once`;
    }),
};

/** S13: no forward work is begun after the deadline, up to the pivot. */
export const keepsTheDeadline: Invariant = {
  name: 'nothing is begun after the deadline',
  broken: ({ saga, sent }) =>
    ofEach(sent, ({ step, direction, attempt, at }) => {
      const { deadlineMs } = saga;
      if (deadlineMs === null || at < deadlineMs || direction === 'undo' || attempt > 1)
        return null;
      const isPast = stepNamed(saga, step).place === 'after-pivot';
      return isPast ? null : `${step} was begun after the deadline`;
    }),
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
  endsOrIsDecided,
  atMostOnce,
  endsAsItSays,
  undoesOnlyWhatHappened,
  knowsBeforeItUndoes,
  undoesInReverse,
  turnsForGood,
  keepsThePivot,
  doesNotGuess,
  statusOnlyGoesOn,
  oneAttemptAtATime,
  keepsTheDeadline,
  keepsACancel,
];
