import type { JournalLine } from './journal.js';
import { addLine, type RunState } from './run-state.js';
import {
  statusOf,
  viewRun,
  type BookingStatus,
  type Failure,
  type RunView,
  type StepView,
} from './run-view.js';

/** The status of a run has changed, or the run was accepted. */
export interface StatusChange {
  /** The line of the journal by which it changed. */
  readonly seq: number;
  readonly status: BookingStatus;
  readonly failure: Failure | null;
}

/** Something that who looks at a run sees change, and how the run stood then. */
export interface RunEvent extends StatusChange {
  /** Which one it is of those of its line: 1 is the first. */
  readonly nth: number;
  /** The step that changed; null when it was the status. */
  readonly step: StepView | null;
}

/** The changes of status that these lines bring to a run, in their order. */
export function statusChanges(run: RunState, lines: readonly JournalLine[]): StatusChange[] {
  const changes: StatusChange[] = [];
  let before = run;
  for (const line of lines) {
    const after = addLine(before, line);
    const status = statusOf(after);
    if (before.lastSeq === 0 || status !== statusOf(before)) {
      changes.push({ seq: line.seq, status, failure: viewRun(after).failure });
    }
    before = after;
  }
  return changes;
}

/**
 * All that becomes visible by one line: of each step whose state or undo changes, in the order of
 * the saga, then of the status. The same line gives the same events whenever it is read, numbered
 * alike.
 */
export function eventsOfLine(
  before: RunState,
  line: JournalLine,
): { readonly run: RunState; readonly events: readonly RunEvent[] } {
  const run = addLine(before, line);
  const view = viewRun(run);
  const steps = before.lastSeq === 0 ? [] : changedSteps(viewRun(before), view);
  const isNew = before.lastSeq === 0 || view.status !== statusOf(before);
  const subjects: (StepView | null)[] = isNew ? [...steps, null] : [...steps];
  const events = subjects.map((step, index): RunEvent => {
    const { status, failure } = view;
    return { seq: line.seq, nth: index + 1, step, status, failure };
  });
  return { run, events };
}

function changedSteps(before: RunView, after: RunView): readonly StepView[] {
  return after.steps.filter((step, index) => {
    const old = before.steps[index];
    return old?.state !== step.state || old.undo !== step.undo;
  });
}
