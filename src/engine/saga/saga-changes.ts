import { callChanges, insteadOf, sayLimit } from './call-changes.js';
import type { Place, SagaDefinition, StepDefinition } from './definition.js';
import type { Sample } from './fingerprint.js';
import { inputChanges } from './input-changes.js';
import { orderChanges } from './order-changes.js';
import { sayMs } from './say-call.js';

/** What is known of the difference between two versions of a saga. */
export interface SagaChanges {
  /** Sentences, one a change; none: nothing that can be seen has changed. */
  readonly changes: readonly string[];
  /** Sentences about what could not be compared: no change there is not known to be none. */
  readonly unseen: readonly string[];
}

const PLACE_WORDS: Readonly<Record<Place, string>> = {
  'before-pivot': 'before the pivot',
  pivot: 'the pivot',
  'after-pivot': 'after the pivot',
};

/**
 * What a later version of a saga does otherwise than an earlier one, as sentences with units: its
 * times, its steps, their order, and of each step the provider, the acts, what is done when an
 * outcome is unknown, the tries and the way back. Steps are the same when they have the same name.
 *
 * An `input` is a function, so of two only the text can be compared, and a changed text may compute
 * the same. With `samples` (as `fingerprintOf` takes them, with the results of the steps of both
 * versions) both are computed on each sample, and compared by that.
 *
 * Throws `RangeError` when the two are different sagas, and, with samples, as `fingerprintOf` does.
 */
export function sagaChanges(
  before: SagaDefinition,
  after: SagaDefinition,
  samples: readonly Sample[] = [],
): SagaChanges {
  if (before.name !== after.name) {
    throw new RangeError(`${before.name} and ${after.name} are two sagas, not two versions of one`);
  }
  const kept = after.steps.flatMap((step) => {
    const was = before.steps.find(({ name }) => name === step.name);
    return was === undefined ? [] : [[was, step] as const];
  });
  return {
    changes: [
      ...sagaOptions(before, after),
      ...orderChanges(before, after),
      ...kept.flatMap(([was, is]) => stepChanges(was, is)),
      ...inputChanges(before, after, samples),
    ],
    unseen: [
      'What an act, an undo or a find does, and what its parse accepts, is code elsewhere.',
      samples.length > 0
        ? 'Inputs were compared on the samples alone: on other data they may differ.'
        : 'Of an input only its text was compared, not what it calls: samples would show more.',
    ],
  };
}

function sagaOptions(was: SagaDefinition, is: SagaDefinition): string[] {
  return [
    ...insteadOf('The rules are number', String(was.rules), String(is.rules)),
    ...insteadOf('The deadline is', sayLimit(was.deadlineMs), sayLimit(is.deadlineMs)),
    ...insteadOf(
      'An undo no longer holds up the others after',
      sayMs(was.slowUndoMs),
      sayMs(is.slowUndoMs),
    ),
    ...insteadOf(
      'What is not settled becomes a case after',
      sayMs(was.stuckAfterMs),
      sayMs(is.stuckAfterMs),
    ),
  ];
}

function stepChanges(was: StepDefinition, is: StepDefinition): string[] {
  const { name } = is;
  return [
    ...insteadOf(`${name} is`, PLACE_WORDS[was.place], PLACE_WORDS[is.place]),
    ...insteadOf(`${name}: the provider is`, was.at, is.at),
    ...callChanges(name, 'do', was.forward, is.forward),
    ...wayBackChanges(was, is),
  ];
}

function wayBackChanges(was: StepDefinition, is: StepDefinition): string[] {
  const undoName = `undo of ${is.name}`;
  if (was.undo !== null && is.undo !== null) {
    return [
      ...callChanges(undoName, 'undo', was.undo, is.undo),
      ...insteadOf(`${undoName}: while it is stuck the others`, was.onStuckUndo, is.onStuckUndo),
    ];
  }
  return insteadOf(`${is.name} is`, sayWayBack(was), sayWayBack(is));
}

function sayWayBack({ place, undo, nothingToUndo }: StepDefinition): string {
  if (undo !== null) return `undone by ${undo.run}`;
  if (place !== 'before-pivot') return 'never undone';
  return `not undone ("${nothingToUndo}")`;
}
