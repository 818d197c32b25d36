import type { CallDefinition, SagaDefinition, StepDefinition } from '../engine/saga/definition.js';
import type { SagaChanges } from '../engine/saga/saga-changes.js';
import { sayMs } from '../engine/saga/say-call.js';
import { table } from './table.js';

/** The sagas of an installation, a version a line, as they are listed. */
export function showSagas(sagas: readonly SagaDefinition[]): string {
  if (sagas.length === 0) return 'No saga is installed.';
  const rows = inOrder(sagas).map((saga) => [
    `${saga.name}@${saga.version}`,
    saga.steps.length,
    saga.steps.find((step) => step.place === 'pivot')?.name ?? null,
    saga.deadlineMs === null ? null : sayMs(saga.deadlineMs),
    [...new Set(saga.steps.map((step) => step.at))].join(', '),
  ]);
  return table(['saga', 'steps', 'pivot', 'deadline', 'providers'], rows);
}

/** By name, the newest version of each first. */
export function inOrder(sagas: readonly SagaDefinition[]): readonly SagaDefinition[] {
  return sagas.toSorted(
    (one, other) => one.name.localeCompare(other.name, 'en') || other.version - one.version,
  );
}

/** What changed from one version to another, and what cannot be seen of it. */
export function showChanges(
  from: SagaDefinition,
  to: SagaDefinition,
  { changes, unseen }: SagaChanges,
): string {
  const which = `${from.name}, from version ${from.version} to version ${to.version}`;
  const head = changes.length === 0 ? `${which}: no change that can be seen.` : `${which}:`;
  return [
    [head, ...changes.map((change) => `- ${change}`)].join('\n'),
    ['What cannot be seen here:', ...unseen.map((limit) => `- ${limit}`)].join('\n'),
  ].join('\n\n');
}

/** A definition for programs: all of it that is data, every default filled in, times in ms. */
export function sagaAsData(saga: SagaDefinition): object {
  return {
    name: saga.name,
    version: saga.version,
    rules: saga.rules,
    deadline_ms: saga.deadlineMs,
    slow_undo_ms: saga.slowUndoMs,
    stuck_after_ms: saga.stuckAfterMs,
    steps: saga.steps.map(stepAsData),
  };
}

function stepAsData(step: StepDefinition): object {
  return {
    name: step.name,
    place: step.place,
    at: step.at,
    group: step.group,
    forward: callAsData(step.forward),
    undo: step.undo === null ? null : callAsData(step.undo),
    nothing_to_undo: step.nothingToUndo,
    on_stuck_undo: step.onStuckUndo,
  };
}

function callAsData({ run, whenUnknown, find, why, retry, timeoutMs }: CallDefinition): object {
  return {
    run,
    when_unknown: whenUnknown,
    find,
    why,
    retry: {
      attempts: retry.attempts,
      first_delay_ms: retry.firstDelayMs,
      cap_ms: retry.capMs,
      within_ms: retry.withinMs,
    },
    timeout_ms: timeoutMs,
  };
}
