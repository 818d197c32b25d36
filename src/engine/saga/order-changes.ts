import type { SagaDefinition, StepDefinition } from './definition.js';
import { groupsOf, sayNames } from './say-call.js';

/** Which steps are gone, new, moved, side by side now, or one after the other. */
export function orderChanges(before: SagaDefinition, after: SagaDefinition): string[] {
  return [
    ...missingFrom(after, before).map(({ name }) => `${name} is gone.`),
    ...missingFrom(before, after).map(
      (step) => `${step.name} is new, ${placeOf(step, after)}: ${step.forward.run} at ${step.at}.`,
    ),
    ...moved(before, after).map((name) => {
      const [was, is] = [before, after].map((saga) => placeIn(saga, name));
      return `${name} has moved: it begins ${is}; it began ${was}.`;
    }),
    ...parallelChanges(before, after),
  ];
}

function missingFrom(saga: SagaDefinition, other: SagaDefinition): readonly StepDefinition[] {
  const names = new Set(saga.steps.map(({ name }) => name));
  return other.steps.filter(({ name }) => !names.has(name));
}

function placeIn(saga: SagaDefinition, name: string): string {
  return (
    saga.steps.filter((step) => step.name === name).map((step) => placeOf(step, saga))[0] ?? ''
  );
}

/** `first`, `after flight and hotel`, `after charge, and behind its sibling flight`. */
function placeOf(step: StepDefinition, saga: SagaDefinition): string {
  const groups = groupsOf(saga);
  const index = groups.findIndex((group) => group.includes(step));
  const waitsFor = groups[index - 1]?.map(({ name }) => name) ?? [];
  const sibling = groups[index]?.[(groups[index]?.indexOf(step) ?? 0) - 1];
  const place = waitsFor.length === 0 ? 'first' : `after ${sayNames(waitsFor)}`;
  return sibling === undefined ? place : `${place}, and behind its sibling ${sibling.name}`;
}

/** The fewest steps of both versions that have to be put elsewhere to make one order the other. */
function moved(before: SagaDefinition, after: SagaDefinition): readonly string[] {
  const is = after.steps.map(({ name }) => name);
  const was = before.steps.map(({ name }) => name).filter((name) => is.includes(name));
  const common = is.filter((name) => was.includes(name));
  const kept = longestRising(common.map((name) => was.indexOf(name)));
  return common.filter((_, index) => !kept.has(index));
}

/** The indices of a longest rising subsequence, the earliest where there are several. */
function longestRising(numbers: readonly number[]): ReadonlySet<number> {
  const best: number[][] = [];
  numbers.forEach((number, index) => {
    const lower = best.filter((indices) => (numbers[indices.at(-1) ?? index] ?? number) < number);
    best.push([...longestOf(lower), index]);
  });
  return new Set(longestOf(best));
}

function longestOf(lists: readonly number[][]): number[] {
  return lists.reduce((longest, list) => (list.length > longest.length ? list : longest), []);
}

function parallelChanges(before: SagaDefinition, after: SagaDefinition): string[] {
  const [was, is] = [siblingsOf(before), siblingsOf(after)];
  const joined = is.filter((names) => !was.some((group) => holdsAll(group, names)));
  const parted = was
    .map((names) => names.filter((name) => after.steps.some((step) => step.name === name)))
    .filter((names) => names.length > 1 && !is.some((group) => holdsAll(group, names)));
  return [
    ...joined.map((names) => `${sayNames(names)} go on side by side now.`),
    ...parted.map((names) => `${sayNames(names)} no longer all go on side by side.`),
  ];
}

/** The names in each group of two and more. */
function siblingsOf(saga: SagaDefinition): readonly (readonly string[])[] {
  return groupsOf(saga)
    .map((group) => group.map(({ name }) => name))
    .filter((names) => names.length > 1);
}

function holdsAll(group: readonly string[], names: readonly string[]): boolean {
  return names.every((name) => group.includes(name));
}
