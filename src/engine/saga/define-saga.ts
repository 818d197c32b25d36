import type { CallSpec } from './check-call.js';
import {
  type StepSpec,
  checkGroup,
  checkOptions,
  checkParallel,
  checkStep,
  refuseInGroup,
} from './check-definition.js';
import type {
  CallDefinition,
  Place,
  RetryPolicy,
  SagaDefinition,
  StepDefinition,
} from './definition.js';
import {
  CALL_TIMEOUT_MS,
  FORWARD_RETRY,
  SLOW_UNDO_MS,
  STUCK_AFTER_MS,
  UNDO_RETRY,
} from './retry-policy.js';
import type { SagaOptions, SagaStart } from './saga-types.js';

/**
 * Begins the definition of a saga: `Input` is what a run is started with, `Acts` names every act,
 * undo and find that its steps may use.
 *
 * Each `.step`, `.parallel` and `.pivot` answers a new chain and leaves the old one as it was. A
 * chain with at least one step is itself the definition: frozen data (`name`, `version`, `steps` …)
 * that can be kept, printed and compared, and that every driver reads. Nothing runs and nothing is
 * registered.
 *
 * Throws `SagaDefinitionError` on the first thing that is wrong, so a wrong saga fails when its
 * file is loaded. That it has a step is checked where it is used: `checkSaga`.
 *
 * @example
 * export const bookTripV1 = defineSaga<BookTripInput, BookingActs>('book-trip', { version: 1 })
 *   .step('charge', {
 *     run: 'chargeCard',
 *     at: 'payments',
 *     whenUnknown: 'retry-with-key',
 *     find: 'findCharge',
 *     input: ({ input }) => ({ source: input.source, total: input.total }),
 *     undo: { run: 'refundCard', whenUnknown: 'retry-with-key', find: 'findRefund' },
 *   })
 *   .pivot('ticket', { … });
 */
export function defineSaga<Input, Acts>(
  name: string,
  options: SagaOptions,
): SagaStart<Input, Acts, object> {
  checkOptions(name, options);
  const { version, deadlineMs, slowUndoMs, stuckAfterMs } = options;
  const saga = {
    name,
    version,
    rules: 1,
    deadlineMs: deadlineMs ?? null,
    slowUndoMs: slowUndoMs ?? SLOW_UNDO_MS,
    stuckAfterMs: stuckAfterMs ?? STUCK_AFTER_MS,
  } as const;
  return new Chain(saga, []);
}

/** The one chain behind the types `SagaStart`, `UndoableSaga` and `ForwardSaga`. */
class Chain implements SagaDefinition {
  readonly name: string;
  readonly version: number;
  readonly rules: 1;
  readonly deadlineMs: number | null;
  readonly slowUndoMs: number;
  readonly stuckAfterMs: number;
  readonly steps: readonly StepDefinition[];

  constructor(saga: Omit<SagaDefinition, 'steps'>, steps: StepDefinition[]) {
    this.name = saga.name;
    this.version = saga.version;
    this.rules = saga.rules;
    this.deadlineMs = saga.deadlineMs;
    this.slowUndoMs = saga.slowUndoMs;
    this.stuckAfterMs = saga.stuckAfterMs;
    this.steps = Object.freeze(steps);
    Object.freeze(this);
  }

  step(name: string, spec: unknown): Chain {
    const pivoted = this.steps.some((step) => step.place === 'pivot');
    return this.#with(name, pivoted ? 'after-pivot' : 'before-pivot', spec);
  }

  pivot(name: string, spec: unknown): Chain {
    return this.#with(name, 'pivot', spec);
  }

  parallel(build: unknown): Chain {
    checkParallel(this, build);
    const built = build(new Siblings(this, this));
    const chain = built instanceof Siblings && built.before === this ? built.chain : null;
    checkGroup(this, chain);
    return chain;
  }

  #with(name: string, place: Place, spec: unknown): Chain {
    return withStep(this, { name, place, group: this.steps.length, spec });
  }
}

/** A group that is being built: the chain before it, and the chain with all of it so far. */
class Siblings {
  constructor(
    readonly before: Chain,
    readonly chain: Chain,
  ) {
    Object.freeze(this);
  }

  step(name: string, spec: unknown): Siblings {
    const group = this.before.steps.length;
    const chain = withStep(this.chain, { name, place: 'before-pivot', group, spec });
    return new Siblings(this.before, chain);
  }

  pivot(name: string): never {
    return refuseInGroup(this.before, name, 'the pivot stands alone: add it behind the group');
  }

  parallel(): never {
    const problem = 'a group has no group in it: add its steps to the outer one, or behind it';
    return refuseInGroup(this.before, 'parallel', problem);
  }
}

interface Added {
  readonly name: string;
  readonly place: Place;
  readonly group: number;
  readonly spec: unknown;
}

function withStep(saga: Chain, { name, place, group, spec }: Added): Chain {
  checkStep(saga, name, place, spec);
  return new Chain(saga, [...saga.steps, stepDefinition(name, place, group, spec)]);
}

function stepDefinition(name: string, place: Place, group: number, spec: StepSpec): StepDefinition {
  return Object.freeze({
    name,
    place,
    at: spec.at,
    forward: callDefinition(spec, FORWARD_RETRY),
    undo: spec.undo === undefined ? null : callDefinition(spec.undo, UNDO_RETRY),
    nothingToUndo: spec.nothingToUndo ?? null,
    onStuckUndo: spec.onStuckUndo ?? 'continue',
    group,
    input: spec.input,
  });
}

function callDefinition(spec: CallSpec, defaults: RetryPolicy): CallDefinition {
  return Object.freeze({
    run: spec.run,
    whenUnknown: spec.whenUnknown,
    find: spec.find ?? null,
    why: spec.why ?? null,
    retry: retryPolicy(spec, defaults),
    timeoutMs: spec.timeoutMs ?? CALL_TIMEOUT_MS,
  });
}

function retryPolicy({ retry = {} }: CallSpec, defaults: RetryPolicy): RetryPolicy {
  return Object.freeze({
    attempts: retry.attempts ?? defaults.attempts,
    firstDelayMs: retry.firstDelayMs ?? defaults.firstDelayMs,
    capMs: retry.capMs ?? defaults.capMs,
    withinMs: retry.withinMs ?? defaults.withinMs,
  });
}
