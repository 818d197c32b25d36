import type { Ending } from '../saga/journal.js';
import { callState, pivotDone, type StepState } from '../saga/run-state.js';
import { viewRun } from '../saga/run-view.js';
import { first, ofEach, undos, type Invariant } from './invariant.js';
import type { Played } from './played.js';

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
    const { finishedAs, steps } = played.run;
    if (finishedAs === null) return null;
    if (finishedAs === 'closed_by_hand') return isGoneUnlessItRemains(played);
    const check = ENDINGS[finishedAs];
    return ofEach(steps, (step) => check(played, step));
  },
};

type ByItself = Exclude<Ending, 'closed_by_hand'>;

const ENDINGS: Readonly<Record<ByItself, (played: Played, state: StepState) => string | null>> = {
  completed: isThere,
  undone: isGone,
  cancelled: isGone,
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

function isGoneUnlessItRemains(played: Played): string | null {
  const { run } = played;
  const remains = viewRun(run).remains.map(({ step }) => step);
  if (remains.length === 0 && !run.abandoned) return 'closed by hand, and nothing remains';
  const turned = run.unwindingBecause !== null || (run.abandoned && !pivotDone(run));
  return ofEach(run.steps, (state) => {
    if (remains.includes(state.step.name) || cameLate(played, state)) return null;
    if (turned) return isGone(played, state);
    return state.forward.phase === 'not-begun' ? null : isThere(played, state);
  });
}

/** It was told of after the end, and went to the desk. */
function cameLate({ written }: Played, { step }: StepState): boolean {
  return written.some(({ line }) => {
    const isOpened = line.kind === 'case-opened' && line.problem === 'contradiction';
    return isOpened && line.step === step.name;
  });
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
