import { isSettled, type CallState } from './call-state.js';
import type { Fact, Problem } from './journal.js';
import type { RunState } from './run-state.js';
import type { Direction } from './step-key.js';

/**
 * The facts that follow from the facts so far, and belong into the same transaction: a
 * contradiction goes to the desk, a case whose question has been answered leaves it. Empty: nothing
 * more follows.
 */
export function consequencesOf(run: RunState, newCase: () => string): readonly Fact[] {
  const [contradiction] = run.contradictions;
  if (contradiction !== undefined) {
    return [{ kind: 'case-opened', case: newCase(), problem: 'contradiction', ...contradiction }];
  }
  if (run.openCases.size === 0) return [];
  return calls(run).flatMap(({ step, direction, call }): Fact[] => {
    const { openCase } = call;
    if (openCase === null || !isAnswered(call, openCase.problem)) return [];
    return [{ kind: 'case-settled', case: openCase.id, step, direction }];
  });
}

/** Whether a fact has answered what a person was asked. */
function isAnswered(call: CallState, problem: Problem): boolean {
  switch (problem) {
    case 'unknown-outcome':
    case 'key-window-passed':
      return call.phase !== 'unknown' && call.phase !== 'sending';
    case 'undo-stuck':
    case 'forward-stuck':
    case 'nothing-to-undo':
    case 'found-differs':
      return isSettled(call) && call.phase !== 'refused';
    case 'contradiction':
      return false;
  }
}

/** Every call that the run may make, with where it stands. */
export function calls(
  run: RunState,
): readonly { step: string; direction: Direction; call: CallState }[] {
  return run.steps.flatMap(({ step, forward, undo }) => [
    { step: step.name, direction: 'do' as const, call: forward },
    { step: step.name, direction: 'undo' as const, call: undo },
  ]);
}
