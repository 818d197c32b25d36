import { defineSearchAttributeKey } from '@temporalio/common';
import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { Move } from '../../src/engine/saga/next-moves.js';
import type { RunState } from '../../src/engine/saga/run-state.js';
import { viewRun } from '../../src/engine/saga/run-view.js';
import { stepTable } from './words.js';

const SagaState = defineSearchAttributeKey('SagaState', 'KEYWORD');
const SagaDirection = defineSearchAttributeKey('SagaDirection', 'KEYWORD');
const SagaStep = defineSearchAttributeKey('SagaStep', 'KEYWORD');
const SagaProblem = defineSearchAttributeKey('SagaProblem', 'KEYWORD');
const SagaStuckSince = defineSearchAttributeKey('SagaStuckSince', 'DATETIME');

/** Keeps what Temporal's own pages and filters show of a run true: names only, nothing personal. */
export interface Showcase {
  show(run: RunState, moves: readonly Move[]): void;
}

interface Shown {
  readonly state: string;
  readonly direction: string;
  readonly step: string | null;
  readonly problem: string | null;
}

/**
 * Writes search attributes only when they change, because each change is an event in the history.
 */
export function createShowcase(): Showcase {
  let last: Shown | null = null;
  return {
    show(run, moves) {
      const view = viewRun(run);
      const { state, direction, problem } = view;
      const step = problem === null ? (stepInHand(moves) ?? view.step) : view.step;
      const next: Shown = { state, direction, step, problem };
      if (JSON.stringify(next) !== JSON.stringify(last)) publish(last, next);
      last = next;
      setCurrentDetails(stepTable(run));
    },
  };
}

function stepInHand(moves: readonly Move[]): string | null {
  const move = moves.find((one) => one.kind === 'call' || one.kind === 'ask');
  return move !== undefined && 'step' in move ? move.step : null;
}

function publish(last: Shown | null, next: Shown): void {
  const stuck = next.problem !== null;
  const wasStuck = last !== null && last.problem !== null;
  // The workflow's clock stands still while it decides and is the same in a replay.
  const since =
    stuck === wasStuck ? [] : [{ key: SagaStuckSince, value: stuck ? new Date() : null }];
  upsertSearchAttributes([
    { key: SagaState, value: next.state },
    { key: SagaDirection, value: next.direction },
    { key: SagaStep, value: next.step },
    { key: SagaProblem, value: next.problem },
    ...since,
  ]);
}
