import type { SagaDefinition, StepDefinition } from './definition.js';
import { inputsOn, type Sample } from './fingerprint.js';

/**
 * What the steps of both versions hand to their acts, compared on each sample; without samples the
 * text of the functions is, in which a mere space is a difference already.
 * Throws `RangeError` as `fingerprintOf` does.
 */
export function inputChanges(
  before: SagaDefinition,
  after: SagaDefinition,
  samples: readonly Sample[],
): string[] {
  return after.steps.flatMap((is) => {
    const was = before.steps.find(({ name }) => name === is.name);
    if (was === undefined) return [];
    if (samples.length === 0) return textChange(was, is);
    const [old, now] = [inputsOn(before, was, samples), inputsOn(after, is, samples)];
    return now.flatMap((input, index) => {
      const [oldText, text] = [JSON.stringify(old[index]), JSON.stringify(input)];
      if (oldText === text) return [];
      return [`${is.name}: on sample ${index + 1} its input is ${text}; it was ${oldText}.`];
    });
  });
}

function textChange(was: StepDefinition, is: StepDefinition): string[] {
  return String(was.input) === String(is.input)
    ? []
    : [`${is.name}: its input is written otherwise, and may come to something else.`];
}
