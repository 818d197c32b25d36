import { stepKey } from '../../../../src/engine/saga/step-key.js';
import type { StepState } from '../../../../src/engine/saga/run-state.js';
import type { BookingStatus } from '../../../../src/engine/saga/run-view.js';
import { BrokenPromise } from './promises.js';
import type { Providers } from './providers.js';
import type { RunRecord } from './record.js';

/** What must hold of a run that has ended, seen from its record and from its providers. */
export function checkTheEnd(record: RunRecord, providers: Providers, cancelled: boolean): void {
  const { finishedAs, steps, cancelAccepted } = record.state;
  for (const state of steps) {
    checkOnce(state, providers);
    if (finishedAs === 'completed') checkCompleted(state, providers);
    if (finishedAs === 'undone' || finishedAs === 'cancelled') checkUndone(state, providers);
    if (finishedAs === 'closed_by_hand') checkClosed(state, record, providers);
  }
  if (cancelled !== cancelAccepted) throw new BrokenPromise('an accepted cancel was forgotten');
  if (cancelled && finishedAs !== 'cancelled' && finishedAs !== 'closed_by_hand') {
    throw new BrokenPromise(`cancelled, and yet ${finishedAs}`);
  }
  checkStatuses(record);
}

/** How often it happened, and how often it was undone. */
function countOf({ step }: StepState, providers: Providers): { did: number; undid: number } {
  return {
    did: providers.under(stepKey('run', step.name, 'do')).length,
    undid: providers.under(stepKey('run', step.name, 'undo')).length,
  };
}

/** Nothing happens twice, but where the author prefers that. Nothing is undone that never was. */
function checkOnce(state: StepState, providers: Providers): void {
  const { did, undid } = countOf(state, providers);
  const mayBeDoubled = state.step.forward.whenUnknown === 'prefer-duplicate';
  if (did > 1 && !mayBeDoubled) throw new BrokenPromise(`${state.step.name} happened ${did} times`);
  if (undid > did)
    throw new BrokenPromise(`${state.step.name} was undone ${undid} times of ${did}`);
}

function checkCompleted(state: StepState, providers: Providers): void {
  const { did, undid } = countOf(state, providers);
  const { name, forward } = state.step;
  if (undid > 0) throw new BrokenPromise(`completed, and yet ${name} was undone`);
  if (did === 0 && forward.whenUnknown !== 'prefer-miss') {
    throw new BrokenPromise(`completed, and yet ${name} never happened`);
  }
}

function checkUndone(state: StepState, providers: Providers): void {
  const { did, undid } = countOf(state, providers);
  const leavesNothing = state.step.place === 'before-pivot' && state.step.undo === null;
  if (did !== undid && !leavesNothing) {
    throw new BrokenPromise(`turned back, and yet ${state.step.name} is still there`);
  }
}

/** What is not listed as remaining is as it should be. */
function checkClosed(state: StepState, record: RunRecord, providers: Providers): void {
  const view = record.views.at(-1);
  const remains = view?.remains.map(({ step }) => step) ?? [];
  if (remains.length === 0) throw new BrokenPromise('closed by hand, and nothing remains');
  if (remains.includes(state.step.name)) return;
  if (record.state.unwindingBecause !== null) checkUndone(state, providers);
  else if (state.forward.phase !== 'not-begun') checkCompleted(state, providers);
}

/** Where a customer may see a booking go from what is seen now. */
const nextStatuses: Readonly<Record<BookingStatus, readonly BookingStatus[]>> = {
  pending: ['in_review', 'cancelling', 'failing', 'confirmed'],
  in_review: ['pending', 'cancelling', 'failing', 'confirmed', 'failed', 'closed'],
  cancelling: ['cancelled', 'closed'],
  failing: ['in_review', 'failed', 'closed'],
  confirmed: [],
  cancelled: [],
  failed: [],
  closed: [],
};

function checkStatuses({ views }: RunRecord): void {
  views.reduce<BookingStatus>((before, { status }) => {
    if (before !== status && !nextStatuses[before].includes(status)) {
      throw new BrokenPromise(`a booking that was ${before} is ${status}`);
    }
    return status;
  }, 'pending');
}
