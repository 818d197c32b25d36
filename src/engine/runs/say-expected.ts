import { callOf, stepNamed, type SagaDefinition } from '../saga/definition.js';
import type { Expectation } from '../saga/forecast.js';
import { BECAUSE_WORDS, PROBLEM_WORDS } from '../saga/reason-words.js';
import type { Direction } from '../saga/step-key.js';

/** What is expected of a run, in words for a person who is about to decide. */
export function sayExpected(definition: SagaDefinition, expected: Expectation): string {
  switch (expected.kind) {
    case 'call': {
      const { attempt, onlyIf } = expected;
      const nth = attempt === 1 ? '' : `, attempt ${attempt}`;
      const condition = onlyIf === null ? '' : ', if it took effect';
      return `${sayCall(definition, expected)}${nth}${condition}`;
    }
    case 'learn':
      return `send ${expected.step} again under the same key, to learn whether it took effect`;
    case 'await':
      return `await the outcome of ${name(expected)}, which is on its way`;
    case 'ask': {
      const { at } = stepNamed(definition, expected.step);
      return `ask ${at} whether ${name(expected)} took effect`;
    }
    case 'wait':
      return `wait for the next try of ${name(expected)}, at most ${sayMs(expected.ms)}`;
    case 'person':
      return `a person decides about ${name(expected)}: ${PROBLEM_WORDS[expected.problem]}`;
    case 'turn-back':
      return `turn back, because ${BECAUSE_WORDS[expected.because]}`;
    case 'end':
      return `end as ${expected.as}`;
  }
}

interface OfCall {
  readonly step: string;
  readonly direction: Direction;
}

function sayCall(definition: SagaDefinition, of: OfCall): string {
  const step = stepNamed(definition, of.step);
  const verb = of.direction === 'do' ? 'send' : 'undo';
  return `${verb} ${of.step} (${callOf(step, of.direction)?.run} at ${step.at})`;
}

function name({ step, direction }: OfCall): string {
  return direction === 'do' ? step : `the undo of ${step}`;
}

function sayMs(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${Math.ceil(ms / 1_000)} s`;
}
