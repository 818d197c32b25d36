import { type CallSpec, type CallKind, CALL_OPTIONS, checkCall } from './check-call.js';
import {
  type Path,
  type Written,
  LONGEST_MS,
  checkName,
  checkNumber,
  checkObject,
  checkText,
  checkThere,
  refuse,
  shown,
} from './check-values.js';
import type { Place, SagaDefinition, StepDefinition } from './definition.js';
import { FORWARD_RETRY, SLOW_UNDO_MS, STUCK_AFTER_MS, UNDO_RETRY } from './retry-policy.js';
import type { SagaOptions } from './saga-types.js';

/** Every move reads the whole journal, and a person reads the step table: more is several sagas. */
const MOST_STEPS = 200;

/** What a step says of itself, once it has been checked; the types of its acts are forgotten. */
export interface StepSpec extends CallSpec {
  readonly at: string;
  readonly input: StepDefinition['input'];
  readonly undo?: CallSpec;
  readonly nothingToUndo?: string;
  readonly onStuckUndo?: 'continue' | 'stop';
}

const LEAST_SIBLINGS = 2;
const SAGA_TIMES = ['deadlineMs', 'slowUndoMs', 'stuckAfterMs'];
const WAY_BACK = ['undo', 'nothingToUndo', 'onStuckUndo'];
const STEP_OPTIONS = [...CALL_OPTIONS, 'at', 'input', ...WAY_BACK];

/**
 * Checks what a saga is begun with.
 * Throws `SagaDefinitionError` on the first thing that is wrong.
 */
export function checkOptions(name: string, options: unknown): asserts options is SagaOptions {
  checkName([`saga ${shown(name)}`], name);
  if (name === 'default') {
    refuse([`saga ${shown(name)}`], 'Temporal takes a workflow of this name for any it lacks');
  }
  const path = [name];
  checkObject(path, options, ['version', ...SAGA_TIMES]);
  checkThere(path, options, 'version', 'the first is 1');
  checkNumber(path, 'version', options['version'], Number.MAX_SAFE_INTEGER);
  const [, slow = SLOW_UNDO_MS, stuck = STUCK_AFTER_MS] = SAGA_TIMES.map((key) =>
    checkNumber(path, key, options[key], LONGEST_MS),
  );
  if (slow > stuck) {
    const [slowShown, stuckShown] = [
      options['slowUndoMs'] === undefined ? `${slow} (the default)` : slow,
      options['stuckAfterMs'] === undefined ? `${stuck} (the default)` : stuck,
    ];
    const why = 'an undo that is a case already holds up nothing';
    refuse(path, `slowUndoMs ${slowShown} is above stuckAfterMs ${stuckShown}: ${why}`);
  }
}

/**
 * Checks a step that is to stand at `place`, behind the steps that `saga` has: what the types
 * refuse, for those who call without them, and what types cannot see, such as contradictory times.
 * Whether its acts exist and belong together is for the types, and for whoever holds the acts.
 * Throws `SagaDefinitionError` on the first thing that is wrong.
 */
export function checkStep(
  saga: SagaDefinition,
  name: string,
  place: Place,
  spec: unknown,
): asserts spec is StepSpec {
  checkName([saga.name, `step ${shown(name)}`], name);
  const path = [saga.name, name];
  checkPlace(path, saga, name, place);
  checkObject(path, spec, STEP_OPTIONS);
  checkThere(path, spec, 'at', 'the name of the provider');
  checkName([...path, 'at'], spec['at']);
  if (typeof spec['input'] !== 'function') {
    refuse(path, `input must be a function of what came before, not ${shown(spec['input'])}`);
  }
  if (spec['input'].constructor.name === 'AsyncFunction') {
    refuse(path, 'input must not be async: it is computed, and asks nobody');
  }
  checkWayBack(path, spec, place);
  checkCall(path, spec, kindOf(place, spec), FORWARD_RETRY);
  checkDeadline(path, saga, place, spec);
  if (spec['undo'] !== undefined) {
    const undoPath = [...path, 'undo'];
    checkObject(undoPath, spec['undo'], CALL_OPTIONS);
    checkCall(undoPath, spec['undo'], 'undo', UNDO_RETRY);
  }
}

/** Refuses what cannot stand in a parallel group. Throws `SagaDefinitionError`. */
export function refuseInGroup(before: SagaDefinition, name: string, problem: string): never {
  refuse([before.name, name], problem);
}

/** Checks where a parallel group begins. Throws `SagaDefinitionError`. */
export function checkParallel(
  saga: SagaDefinition,
  build: unknown,
): asserts build is (group: unknown) => unknown {
  const path = [saga.name, 'parallel'];
  if (saga.steps.some((step) => step.place === 'pivot')) {
    refuse(path, 'stands after the pivot, where one step follows the other');
  }
  if (typeof build !== 'function') {
    refuse(path, `must be given a function that adds steps to a group, not ${shown(build)}`);
  }
}

/**
 * Checks what came of a parallel group: the saga with its steps, or null when something else was
 * answered. Throws `SagaDefinitionError`.
 */
export function checkGroup<Saga extends SagaDefinition>(
  before: SagaDefinition,
  built: Saga | null,
): asserts built is Saga {
  const path = [before.name, 'parallel'];
  if (built === null) {
    refuse(path, 'the function must answer the group it was given, with steps added to it');
  }
  const siblings = built.steps.length - before.steps.length;
  if (siblings < LEAST_SIBLINGS) {
    const found = siblings === 0 ? 'no step' : 'one step alone';
    refuse(path, `${found} is no group: add the steps that go on side by side, two or more`);
  }
}

/**
 * Checks what is only known of a chain when it is used: that it has a step. Whoever is handed a
 * saga to run, draw or explore calls it first. Throws `SagaDefinitionError`.
 */
export function checkSaga(saga: SagaDefinition): void {
  if (saga.steps.length === 0) {
    refuse([saga.name], 'has no step; add one with .step, .parallel or .pivot');
  }
}

function checkPlace(path: Path, saga: SagaDefinition, name: string, place: Place): void {
  if (name === 'input') {
    refuse(path, '"input" is what the saga was started with, so no step can be called that');
  }
  if (saga.steps.some((step) => step.name === name)) {
    refuse(path, 'another step has this name, and the name makes the key');
  }
  const pivot = saga.steps.find((step) => step.place === 'pivot');
  if (place === 'pivot' && pivot !== undefined) {
    refuse(path, `a saga has one pivot, and it is "${pivot.name}" already`);
  }
  if (saga.steps.length >= MOST_STEPS) {
    refuse(path, `a saga has at most ${MOST_STEPS} steps; make it several sagas`);
  }
}

/** The pivot and what follows may outlive the deadline; an undo does not know it. */
function checkDeadline(
  path: Path,
  { deadlineMs }: SagaDefinition,
  place: Place,
  { timeoutMs }: Written,
): void {
  const isBounded = place === 'before-pivot' && deadlineMs !== null;
  if (isBounded && typeof timeoutMs === 'number' && timeoutMs > deadlineMs) {
    const why = 'forward work ends before one attempt has to';
    refuse(path, `timeoutMs ${timeoutMs} is above deadlineMs ${deadlineMs} of the saga: ${why}`);
  }
}

/** Before the pivot a step says how it is undone or why not; from it on nothing is undone. */
function checkWayBack(path: Path, spec: Written, place: Place): void {
  const { undo, nothingToUndo, onStuckUndo } = spec;
  if (place !== 'before-pivot') {
    const where = place === 'pivot' ? 'is the pivot' : 'stands after the pivot';
    const found = WAY_BACK.find((key) => spec[key] !== undefined);
    if (found !== undefined) {
      const what = `"${found}" has no place here: the step ${where} and is never undone`;
      refuse(path, `${what}; leave it out`);
    }
    return;
  }
  if (undo === undefined && nothingToUndo === undefined) {
    refuse(path, 'stands before the pivot: say "undo", or "nothingToUndo" with the reason');
  }
  if (undo !== undefined && nothingToUndo !== undefined) {
    refuse(path, 'says both "undo" and "nothingToUndo": keep the one that is true');
  }
  checkText(path, 'nothingToUndo', nothingToUndo);
  if (onStuckUndo === undefined) {
    return;
  }
  if (undo === undefined) {
    refuse(path, '"onStuckUndo" is for a step that has an "undo": leave it out');
  }
  if (onStuckUndo !== 'continue' && onStuckUndo !== 'stop') {
    refuse(path, `onStuckUndo must be "continue" or "stop", not ${shown(onStuckUndo)}`);
  }
}

function kindOf(place: Place, spec: Written): CallKind {
  if (place !== 'before-pivot') {
    return place;
  }
  return spec['undo'] === undefined ? 'nothing-to-undo' : 'undoable';
}
