import type {
  CallDefinition,
  Place,
  RetryPolicy,
  SagaDefinition,
  StepDefinition,
  WhenUnknown,
} from '../../../src/engine/saga/definition.js';
import {
  FORWARD_RETRY,
  SLOW_UNDO_MS,
  STUCK_AFTER_MS,
  UNDO_RETRY,
} from '../../../src/engine/saga/retry-policy.js';

/** What matters of a call to the kernel; the rest is as it is for everybody. */
export interface CallPlan {
  readonly whenUnknown: WhenUnknown;
  readonly find?: boolean;
  readonly retry?: Partial<RetryPolicy>;
}

export interface StepPlan extends CallPlan {
  /** @default 'before-pivot' */
  readonly place?: Place;
  /** The provider. @default 'keyed' */
  readonly at?: string;
  readonly undo?: CallPlan;
  readonly onStuckUndo?: 'continue' | 'stop';
  /** Steps with the same number run side by side. @default its own */
  readonly group?: number;
}

type SagaPlan = Partial<Omit<SagaDefinition, 'steps'>>;

/**
 * A saga by hand: the definitions of the language allow less than the kernel has to be right for.
 */
export function sagaOf(
  steps: Readonly<Record<string, StepPlan>>,
  plan: SagaPlan = {},
): SagaDefinition {
  return {
    name: 'small',
    version: 1,
    rules: 1,
    deadlineMs: null,
    slowUndoMs: SLOW_UNDO_MS,
    stuckAfterMs: STUCK_AFTER_MS,
    ...plan,
    steps: Object.entries(steps).map(([name, step], index) => stepOf(name, step, index)),
  };
}

function stepOf(name: string, plan: StepPlan, index: number): StepDefinition {
  return {
    name,
    place: plan.place ?? 'before-pivot',
    at: plan.at ?? 'keyed',
    forward: callOf(name, plan, FORWARD_RETRY),
    undo: plan.undo === undefined ? null : callOf(`undo-${name}`, plan.undo, UNDO_RETRY),
    nothingToUndo: plan.undo === undefined ? 'nothing is left behind' : null,
    onStuckUndo: plan.onStuckUndo ?? 'continue',
    group: plan.group ?? index,
    input: () => null,
  };
}

function callOf(run: string, plan: CallPlan, retry: RetryPolicy): CallDefinition {
  return {
    run,
    whenUnknown: plan.whenUnknown,
    find: plan.find === true ? `find-${run}` : null,
    why: null,
    retry: { ...retry, ...plan.retry },
    timeoutMs: 10_000,
  };
}

export const byKey: CallPlan = { whenUnknown: 'retry-with-key', find: true };
export const byKeyAlone: CallPlan = { whenUnknown: 'retry-with-key' };
export const byAsking: CallPlan = { whenUnknown: 'ask-provider', find: true };
export const byPerson: CallPlan = { whenUnknown: 'ask-person' };
export const byRepeating: CallPlan = { whenUnknown: 'repeat' };

const tripSteps = {
  charge: { ...byKey, at: 'keyed', undo: byKey },
  flight: { ...byAsking, at: 'askable', undo: byRepeating },
  hotel: { ...byPerson, at: 'mute', undo: byRepeating },
  ticket: { ...byAsking, at: 'askable', place: 'pivot' },
  receipt: { whenUnknown: 'prefer-duplicate', at: 'mute', place: 'after-pivot' },
} satisfies Record<string, StepPlan>;

/** Four providers of four natures, as in a booking: the smallest saga with everything in it. */
export const trip = sagaOf(tripSteps);

/** The trip with a deadline. */
export const hurriedTrip = sagaOf(tripSteps, { deadlineMs: 900_000 });

/** The trip whose flight and hotel run side by side. */
export const widerTrip = sagaOf({
  ...tripSteps,
  flight: { ...tripSteps.flight, group: 1 },
  hotel: { ...tripSteps.hotel, group: 1 },
});

/** No pivot: it can turn back until it has ended. */
export const roundTrip = sagaOf({
  charge: tripSteps.charge,
  flight: tripSteps.flight,
  hotel: { ...tripSteps.hotel, undo: byPerson },
});
