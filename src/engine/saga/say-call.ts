import type { CallDefinition, RetryPolicy, SagaDefinition, StepDefinition } from './definition.js';
import type { Direction } from './step-key.js';

const UNITS: readonly (readonly [ms: number, unit: string])[] = [
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
];

/** A length of time in the largest unit of which it is a whole number: 90_000 ms is `90 s`. */
export function sayMs(ms: number): string {
  const [size, unit] = UNITS.find(([size]) => ms >= size && ms % size === 0) ?? [1, 'ms'];
  return `${ms / size} ${unit}`;
}

/** `flight`, `flight and hotel`, `flight, hotel and car`. */
export function sayNames(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}

/** What is done when nobody can say whether this call took effect: the author's word, in words. */
export function sayUnknown(call: CallDefinition): string {
  const said = `${call.whenUnknown}: ${whatIsDone(call)}`;
  return call.why === null ? said : `${said} (${call.why})`;
}

function whatIsDone({ whenUnknown, find }: CallDefinition): string {
  switch (whenUnknown) {
    case 'retry-with-key': {
      const then = find === null ? 'a person is asked' : `${find} asks the provider`;
      return `the same key is sent again; when that is used up, ${then}`;
    }
    case 'ask-provider':
      return `${find ?? 'nothing'} asks the provider what happened`;
    case 'ask-person':
      return 'a person is asked';
    case 'repeat':
      return 'it is done once more, because twice is harmless';
    case 'prefer-duplicate':
      return 'it is done once more, because twice is better than not at all';
    case 'prefer-miss':
      return 'it is left, because not at all is better than twice; its result may be missing';
  }
}

/** How often it is tried. A limit on an undo bounds only what is repeated without knowing. */
export function sayAttempts({ attempts }: RetryPolicy, direction: Direction): string {
  if (direction === 'do') return attempts === null ? 'without a limit' : `at most ${attempts}`;
  const blind = attempts === null ? '' : `; after an unknown outcome at most ${attempts}`;
  return `as many as it takes${blind}`;
}

/** How long is waited between the tries of a call, and until when another may begin. */
export function sayWaits({ firstDelayMs, capMs, withinMs }: RetryPolicy): string {
  const waits = `up to ${sayMs(firstDelayMs)} after the first, doubling to ${sayMs(capMs)}`;
  return withinMs === null ? waits : `${waits}; none begins later than ${sayMs(withinMs)} after it`;
}

/** Steps by what goes on at one time, in the order in which they are started. */
export function groupsOf({ steps }: SagaDefinition): readonly (readonly StepDefinition[])[] {
  const groups = new Map<number, StepDefinition[]>();
  for (const step of steps) groups.set(step.group, [...(groups.get(step.group) ?? []), step]);
  return [...groups.values()];
}
