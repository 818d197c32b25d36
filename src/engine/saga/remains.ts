import { pivotDone, type RunState, type StepState } from './run-state.js';
import type { Direction } from './step-key.js';

/**
 * `unknown`: nobody knows whether it took effect, or whether its undo did. `not-undone`: it took
 * effect, and was not undone. `not-done`: it was to be done, past the pivot, and was not.
 */
export type RemainsAs = 'unknown' | 'not-undone' | 'not-done';

/** Something that a run leaves behind: a step, or the undo of one. */
export interface Remainder {
  readonly step: string;
  readonly direction: Direction;
  readonly what: RemainsAs;
}

/**
 * What a person left as it was, call by call; and of a run that was abandoned everything that is
 * there or may be there and was not undone, or past the pivot was not done: the table of
 * docs/states.md.
 */
export function remainsOf(run: RunState): readonly Remainder[] {
  return run.steps.flatMap((state) => [
    ...left(state),
    ...(run.abandoned ? given(run, state) : []),
  ]);
}

function left({ step, forward, undo }: StepState): readonly Remainder[] {
  const { name } = step;
  return [
    ...(forward.phase === 'left' ? [remainder(name, 'do', 'unknown')] : []),
    ...(undo.phase === 'left' ? [remainder(name, 'undo', 'not-undone')] : []),
  ];
}

/** What nothing was done about any more when the run was given up. */
function given(run: RunState, { step, forward, undo }: StepState): readonly Remainder[] {
  const { name } = step;
  // One that is settled and yet in flight may take effect once more.
  const mayHappen = forward.phase === 'unknown' || forward.inFlight !== null;
  const open = mayHappen ? [remainder(name, 'do', 'unknown')] : [];
  // Once the pivot took effect, what is done before it is what was wanted.
  if (pivotDone(run) && run.unwindingBecause === null) {
    const isMissing = ['not-begun', 'not-happened', 'refused'].includes(forward.phase);
    return step.place === 'after-pivot' && isMissing ? [remainder(name, 'do', 'not-done')] : open;
  }
  if (forward.phase !== 'done' || step.undo === null) return open;
  if (undo.phase === 'unknown') return [...open, remainder(name, 'undo', 'unknown')];
  const isOver = undo.phase === 'done' || undo.phase === 'by-hand' || undo.phase === 'left';
  return isOver ? open : [...open, remainder(name, 'undo', 'not-undone')];
}

function remainder(step: string, direction: Direction, what: RemainsAs): Remainder {
  return { step, direction, what };
}

/** What remains by a row that an earlier version has written: it knew only what a person left. */
export function remainsAs(kept: Pick<Remainder, 'direction'> & Partial<Remainder>): RemainsAs {
  return kept.what ?? (kept.direction === 'do' ? 'unknown' : 'not-undone');
}
