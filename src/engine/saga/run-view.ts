import type { CallState } from './call-state.js';
import type { Ending, Problem } from './journal.js';
import { remainsOf, type Remainder } from './remains.js';
import { pivotDone, type RunState, type StepState } from './run-state.js';

export type RunStateName = 'running' | 'undoing' | 'needs_reconciliation' | Ending;
export type BookingStatus =
  | 'pending'
  | 'confirmed'
  | 'closed'
  | 'cancelled'
  | 'failed'
  | 'cancelling'
  | 'in_review'
  | 'failing';
export type StepStateName =
  'not_started' | 'in_progress' | 'waiting' | 'done' | 'refused' | 'unknown' | 'missed' | 'skipped';
export type UndoStateName =
  'not_owed' | 'owed' | 'in_progress' | 'done' | 'stuck' | 'by_hand' | 'left';

export interface StepView {
  readonly name: string;
  readonly state: StepStateName;
  readonly undo: UndoStateName;
}

export interface Failure {
  /** The provider's refusal code, or `deadline-passed`, or `closed-by-hand`. */
  readonly code: string;
  readonly step: string | null;
}

/**
 * What is shown of a run: names and states, no values. The columns of `runs` are written from it.
 */
export interface RunView {
  readonly state: RunStateName;
  readonly direction: 'forward' | 'undo';
  readonly status: BookingStatus;
  readonly steps: readonly StepView[];
  readonly failure: Failure | null;
  readonly problem: Problem | null;
  /** The step with the problem, else the last one begun. */
  readonly step: string | null;
  readonly remains: readonly Remainder[];
}

/** Shows where a run stands, by the tables of docs/states.md. */
export function viewRun(run: RunState): RunView {
  const first = run.openCases.values().next();
  const problem = first.done === true ? null : first.value;
  return {
    state: stateName(run),
    direction: run.unwindingBecause === null ? 'forward' : 'undo',
    status: statusOf(run),
    steps: run.steps.map((state) => viewStep(run, state)),
    failure: failure(run),
    problem: problem?.problem ?? null,
    step: problem?.of.step ?? lastBegun(run),
    remains: remainsOf(run),
  };
}

function stateName(run: RunState): RunStateName {
  if (run.finishedAs !== null) return run.finishedAs;
  if (run.openCases.size > 0) return 'needs_reconciliation';
  return run.unwindingBecause === null ? 'running' : 'undoing';
}

/** The first row that matches is the answer. */
export function statusOf(run: RunState): BookingStatus {
  if (run.finishedAs === 'completed' || pivotDone(run)) return 'confirmed';
  if (run.finishedAs === 'closed_by_hand') return 'closed';
  if (run.finishedAs === 'cancelled') return 'cancelled';
  if (run.finishedAs === 'undone') return 'failed';
  if (run.unwindingBecause === 'cancel' || run.cancelAccepted) return 'cancelling';
  if (run.openCases.size > 0) return 'in_review';
  return run.unwindingBecause === null ? 'pending' : 'failing';
}

function viewStep(run: RunState, state: StepState): StepView {
  return { name: state.step.name, state: stepName(run, state.forward), undo: undoName(run, state) };
}

function stepName(run: RunState, call: CallState): StepStateName {
  switch (call.phase) {
    case 'not-begun':
      return run.finishedAs === null ? 'not_started' : 'skipped';
    case 'sending':
      return 'in_progress';
    case 'not-happened':
      return 'skipped';
    case 'by-hand':
      return 'done';
    case 'left':
      return 'unknown';
    case 'waiting':
    case 'unknown':
    case 'done':
    case 'refused':
    case 'missed':
      return call.phase;
  }
}

function undoName(run: RunState, state: StepState): UndoStateName {
  if (state.forward.phase === 'by-hand' || state.undo.phase === 'by-hand') return 'by_hand';
  if (state.forward.phase === 'left' || state.undo.phase === 'left') return 'left';
  if (state.undo.phase === 'done') return 'done';
  if (run.abandoned && remainsOf(run).some((one) => isLeftOf(state, one))) return 'left';
  if (state.undo.openCase !== null) return 'stuck';
  if (state.undo.phase !== 'not-begun') return 'in_progress';
  if (state.step.undo === null) return 'not_owed';
  const mayHaveHappened = ['sending', 'unknown', 'done'].includes(state.forward.phase);
  return mayHaveHappened ? 'owed' : 'not_owed';
}

/** What took effect or may have, and what was to take it back was given up. */
function isLeftOf({ step }: StepState, one: Remainder): boolean {
  return one.step === step.name && one.what !== 'not-done';
}

function failure(run: RunState): Failure | null {
  switch (run.unwindingBecause) {
    case 'refused': {
      const refusal = run.steps.find((state) => state.forward.phase === 'refused');
      return { code: refusal?.forward.refusedAs ?? 'refused', step: refusal?.step.name ?? null };
    }
    case 'deadline':
      return { code: 'deadline-passed', step: lastBegun(run) };
    case 'person':
      return { code: 'closed-by-hand', step: decidedByPerson(run) };
    case 'cancel':
      return null;
    case null:
      return givenUp(run);
  }
}

function givenUp(run: RunState): Failure | null {
  const failed = run.abandoned && !pivotDone(run);
  return failed ? { code: 'closed-by-hand', step: lastBegun(run) } : null;
}

function decidedByPerson(run: RunState): string | null {
  const decided = run.steps.find((state) => ['by-hand', 'left'].includes(state.forward.phase));
  return decided?.step.name ?? null;
}

function lastBegun(run: RunState): string | null {
  const begun = run.steps.flatMap(({ step, forward, undo }) => [
    { name: step.name, order: forward.order },
    { name: step.name, order: undo.order },
  ]);
  const last = begun.reduce((one, other) => ((other.order ?? 0) > (one.order ?? 0) ? other : one));
  return last.order === null ? null : last.name;
}
