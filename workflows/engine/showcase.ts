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

/** What a workflow is started with, beside its account. */
const AT_START: Shown = { state: 'running', direction: 'forward', step: null, problem: null };

/**
 * Writes search attributes only when they change, because each change is an event in the history
 * and a write into Temporal's index: a tenth of all that a trip costs the server. So the step is
 * not written while the run goes straight on: it follows as soon as it waits, tries once more or
 * asks, which is after the time-out of one call at the latest, and with every other change.
 */
export function createShowcase(): Showcase {
  let last: Shown = AT_START;
  return {
    show(run, moves) {
      const view = viewRun(run);
      const { state, direction, problem } = view;
      const step = problem === null ? (stepInHand(moves) ?? view.step) : view.step;
      const next: Shown = { state, direction, step, problem };
      const isNews = state !== last.state || direction !== last.direction;
      setCurrentDetails(stepTable(run));
      if (!isNews && problem === last.problem && goesStraightOn(moves)) return;
      publish(last, next);
      last = next;
    },
  };
}

function goesStraightOn(moves: readonly Move[]): boolean {
  return moves.some((move) => move.kind === 'call' && move.attempt === 1);
}

function stepInHand(moves: readonly Move[]): string | null {
  const move = moves.find((one) => one.kind === 'call' || one.kind === 'ask');
  return move !== undefined && 'step' in move ? move.step : null;
}

function publish(last: Shown, next: Shown): void {
  const stuck = next.problem !== null;
  const changes = [
    ...(next.state === last.state ? [] : [{ key: SagaState, value: next.state }]),
    ...(next.direction === last.direction ? [] : [{ key: SagaDirection, value: next.direction }]),
    ...(next.step === last.step ? [] : [{ key: SagaStep, value: next.step }]),
    ...(next.problem === last.problem ? [] : [{ key: SagaProblem, value: next.problem }]),
  ];
  // The workflow's clock stands still while it decides and is the same in a replay.
  const since =
    stuck === (last.problem !== null)
      ? []
      : [{ key: SagaStuckSince, value: stuck ? new Date() : null }];
  if (changes.length > 0) upsertSearchAttributes([...changes, ...since]);
}
