import type { Direction } from './step-key.js';

/** What is done when nobody can say whether a call took effect. */
export type WhenUnknown =
  'retry-with-key' | 'ask-provider' | 'ask-person' | 'repeat' | 'prefer-duplicate' | 'prefer-miss';

export interface RetryPolicy {
  /** How many attempts may be made; null: no limit. */
  readonly attempts: number | null;
  readonly firstDelayMs: number;
  readonly capMs: number;
  /** No new attempt later than this after the first; null: no limit. */
  readonly withinMs: number | null;
}

/** One call of a step, forward or undo, with everything the kernel needs to decide about it. */
export interface CallDefinition {
  /** The act's name, which is the Temporal activity type too. */
  readonly run: string;
  readonly whenUnknown: WhenUnknown;
  readonly find: string | null;
  readonly why: string | null;
  readonly retry: RetryPolicy;
  readonly timeoutMs: number;
}

/** Where a step stands to the pivot: before it everything can be undone, after it nothing is. */
export type Place = 'before-pivot' | 'pivot' | 'after-pivot';

export interface StepDefinition {
  readonly name: string;
  readonly place: Place;
  /** The provider: names the task queue and the stated properties; undo and find go there too. */
  readonly at: string;
  readonly forward: CallDefinition;
  readonly undo: CallDefinition | null;
  readonly nothingToUndo: string | null;
  readonly onStuckUndo: 'continue' | 'stop';
  /** Steps of one group run side by side; a sequential step is a group of its own. */
  readonly group: number;
  /** Pure: from the saga's input and the results of earlier steps to the act's input. */
  readonly input: (at: Readonly<Record<string, unknown>>) => unknown;
}

/** A saga: frozen data that every driver reads and none changes. */
export interface SagaDefinition {
  readonly name: string;
  readonly version: number;
  /** The number of the kernel's rules this version was released under. */
  readonly rules: 1;
  /** Ends forward work until the pivot is begun; counted from acceptance; null: none. */
  readonly deadlineMs: number | null;
  /** An undo that takes longer no longer holds up the next one. */
  readonly slowUndoMs: number;
  /** What is not settled for this long becomes a case while it goes on. */
  readonly stuckAfterMs: number;
  readonly steps: readonly StepDefinition[];
}

/** The call of a step in one direction; null where there is nothing to undo. */
export function callOf(step: StepDefinition, direction: Direction): CallDefinition | null {
  return direction === 'do' ? step.forward : step.undo;
}

/** Finds a step by name; throws when the definition has none of that name. */
export function stepNamed(definition: SagaDefinition, name: string): StepDefinition {
  const step = definition.steps.find((candidate) => candidate.name === name);
  if (step === undefined) {
    throw new RangeError(`${definition.name} version ${definition.version} has no step ${name}`);
  }
  return step;
}
