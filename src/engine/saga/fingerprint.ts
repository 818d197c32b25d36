import type { SagaDefinition, StepDefinition } from './definition.js';

/**
 * One imagined run: what it is started with, under `input`, and a result for every step whose
 * result a later step may read, under the step's name.
 */
export type Sample = Readonly<Record<string, unknown>>;

/**
 * The whole of a definition as text: its options, its steps, the names of their acts, and what
 * every `input` makes of every sample, because a changed `input` is otherwise seen by nothing, a
 * replay of stored histories included. It is kept beside a released version, and a test compares:
 * another text means that a file was edited that must not be. The text is stable (keys are sorted)
 * and in lines, so that a comparison shows what changed. Not in it: what an act's `parse` accepts.
 *
 * Throws `RangeError` without a sample, when a sample lacks what a step may read, when an `input`
 * throws, answers the same sample in two ways, or answers what JSON cannot carry unchanged.
 */
export function fingerprintOf(definition: SagaDefinition, samples: readonly Sample[]): string {
  if (samples.length === 0) {
    throw new RangeError(`${definition.name}: no sample, so a changed input would not be noticed`);
  }
  const steps = definition.steps.map((step) => ({
    ...step,
    input: inputsOn(definition, step, samples),
  }));
  return JSON.stringify(plain({ ...definition, steps }, definition.name), null, 2);
}

/**
 * What the `input` of a step makes of every sample: plain data, its keys sorted.
 * Throws `RangeError` as `fingerprintOf` does, but for the want of a sample.
 */
export function inputsOn(
  definition: SagaDefinition,
  step: StepDefinition,
  samples: readonly Sample[],
): readonly unknown[] {
  return samples.map((sample, index) => {
    const where = `${definition.name} › ${step.name} › input of sample ${index + 1}`;
    return inputOn(definition, step, sample, where);
  });
}

function inputOn(
  definition: SagaDefinition,
  step: StepDefinition,
  sample: Sample,
  where: string,
): unknown {
  const earlier = definition.steps.filter((other) => other.group < step.group);
  const readable = ['input', ...earlier.map((other) => other.name)];
  const missing = readable.find((name) => !Object.hasOwn(sample, name));
  if (missing !== undefined) {
    throw new RangeError(`${where}: the sample has no "${missing}"`);
  }
  const at = () =>
    Object.fromEntries(readable.map((name) => [name, plain(sample[name], `${where} › ${name}`)]));
  const answer = plain(mapped(step, at(), where), where);
  if (JSON.stringify(plain(mapped(step, at(), where), where)) !== JSON.stringify(answer)) {
    throw new RangeError(`${where}: two calls answer differently, so it is not pure`);
  }
  return answer;
}

function mapped(step: StepDefinition, at: Sample, where: string): unknown {
  try {
    return step.input(at);
  } catch (cause) {
    throw new RangeError(`${where}: it throws`, { cause });
  }
}

/** A copy with sorted keys, of what JSON carries unchanged; an undefined property is left out. */
function plain(value: unknown, where: string): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') {
    return value;
  }
  if (typeof value === 'number' && Number.isFinite(value)) {
    return value;
  }
  if (Array.isArray(value)) {
    return value.map((item, index) => plain(item, `${where}[${index}]`));
  }
  if (typeof value === 'object' && isPlainObject(value)) {
    const entries = Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(entries.map(([key, item]) => [key, plain(item, `${where}.${key}`)]));
  }
  throw new RangeError(
    `${where}: JSON cannot carry it unchanged: ${Object.prototype.toString.call(value)}`,
  );
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
