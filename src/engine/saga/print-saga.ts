import { checkSaga } from './check-definition.js';
import type { CallDefinition, Place, SagaDefinition, StepDefinition } from './definition.js';
import { groupsOf, sayAttempts, sayMs, sayUnknown, sayWaits } from './say-call.js';
import type { Direction } from './step-key.js';

const PLACE_WORDS: Readonly<Record<Place, string>> = {
  'before-pivot': '',
  pivot: ', the pivot',
  'after-pivot': ', after the pivot',
};

/**
 * A definition as text for people: its times, then each step in the order of its start, with what
 * is done when its outcome is unknown and how it is undone. Every default is written out, every
 * time has its unit. The same definition gives the same text; nothing is read but the definition,
 * so what an `input` computes and what an act does is not in it.
 *
 * Throws `SagaDefinitionError` when the saga has no step.
 */
export function printSaga(saga: SagaDefinition): string {
  checkSaga(saga);
  const numbers = new Map(saga.steps.map((step, index) => [step.name, index + 1]));
  const groups = groupsOf(saga).map((group) => {
    const printed = group.map((step) => printStep(step, numbers.get(step.name) ?? 0));
    return group.length === 1
      ? printed.flat()
      : ['side by side:', ...indented(printed.flat(), '  ')];
  });
  return [head(saga), ...groups].map((lines) => lines.join('\n')).join('\n\n');
}

function head(saga: SagaDefinition): string[] {
  const { deadlineMs, slowUndoMs, stuckAfterMs } = saga;
  const deadline =
    deadlineMs === null
      ? 'none'
      : `${sayMs(deadlineMs)} after it is accepted, until the pivot is begun`;
  return [
    `${saga.name}, version ${saga.version}, rules ${saga.rules}`,
    `deadline: ${deadline}`,
    `an undo no longer holds up those of earlier steps after: ${sayMs(slowUndoMs)}`,
    `what is not settled becomes a case after: ${sayMs(stuckAfterMs)}`,
  ];
}

function printStep(step: StepDefinition, number: number): string[] {
  const { name, place, at, forward } = step;
  return [
    `${number}. ${name}${PLACE_WORDS[place]}: ${forward.run} at ${at}`,
    ...indented([...printCall(forward, 'do'), ...wayBack(step)], '   '),
  ];
}

function printCall(call: CallDefinition, direction: Direction): string[] {
  const { retry, timeoutMs } = call;
  const isTriedOnce = direction === 'do' && retry.attempts === 1;
  return [
    `attempts: ${sayAttempts(retry, direction)}, each given up after ${sayMs(timeoutMs)}`,
    ...(isTriedOnce ? [] : [`waits between them: ${sayWaits(retry)}`]),
    `when unknown: ${sayUnknown(call)}`,
  ];
}

function wayBack({ place, undo, nothingToUndo, onStuckUndo }: StepDefinition): string[] {
  if (place === 'pivot') return ['from here on nothing is undone'];
  if (place === 'after-pivot') return [];
  if (undo === null) return [`nothing to undo: ${nothingToUndo ?? 'no reason was given'}`];
  const waits =
    onStuckUndo === 'stop' ? ['when stuck: the undos of earlier steps wait for it'] : [];
  return [`undo: ${undo.run}`, ...indented([...printCall(undo, 'undo'), ...waits], '  ')];
}

function indented(lines: readonly string[], by: string): string[] {
  return lines.map((line) => `${by}${line}`);
}
