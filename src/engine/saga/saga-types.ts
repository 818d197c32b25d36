import type { Act, FindOf, UndoOf } from './act.js';
import type { SagaDefinition } from './definition.js';
import type { StepName } from './step-name.js';

declare const startedWith: unique symbol;
declare const because: unique symbol;

/**
 * What nothing can be assigned to. Unlike `never` it tells the author why, in the error. A sentence
 * that is used twice is an alias of the text alone: the error would show an alias of the whole.
 */
interface Refused<Reason extends string> {
  readonly [because]: Reason;
}

/** It stands first in what a call says, so that an error about what is missing shows `Ask`. */
interface Needed<Ask extends string, When extends string> {
  readonly whenUnknown: When;
  readonly [because]?: Ask;
}

type NoDefault =
  'say what is done when nobody knows whether it took effect: nothing is right for all';

/** A finished definition that also knows, for the compiler only, what a run of it starts with. */
export interface Saga<Input> extends SagaDefinition {
  readonly [startedWith]?: (input: Input) => void;
}

export interface SagaOptions {
  /** From 1. A released version is never edited: a change is the next version. */
  readonly version: number;
  /** Ends forward work until the pivot is begun, in ms from acceptance. @default none */
  readonly deadlineMs?: number;
  /** An undo that takes longer no longer holds up the next one. @default 30_000 (ms) */
  readonly slowUndoMs?: number;
  /** What is not settled for this long becomes a case. @default 900_000 (ms) */
  readonly stuckAfterMs?: number;
}

/** What the author says of the retry policy; the rest is `FORWARD_RETRY` or `UNDO_RETRY`. */
export interface Retry {
  /**
   * How many attempts may be made, the first included. For an undo it bounds only blind attempts
   * after an unknown outcome: one that certainly did not happen is still owed, and goes on.
   * @default 5; an undo: no limit
   */
  readonly attempts?: number;
  /** The most that is waited after the first attempt; it doubles. @default 200 (ms) */
  readonly firstDelayMs?: number;
  /** The most that is waited after any attempt. @default 10_000 (ms); an undo: 300_000 */
  readonly capMs?: number;
  /** No new attempt later than this after the first. @default no limit (ms) */
  readonly withinMs?: number;
}

type ProviderOf<Named> = Named extends Act<infer Provider, never, unknown> ? Provider : never;
type InputOf<Named> = Named extends Act<string, infer Input, unknown> ? Input : never;
/** What an act or an undo answers, and so what a find of it must answer. */
type ValueOf<Named> =
  Named extends Act<string, never, infer Value>
    ? Value
    : Named extends UndoOf<string, never, never, infer Undone>
      ? Undone
      : never;

/** The names in `Acts` that do something. */
type ActName<Acts> = {
  [Name in keyof Acts]: Acts[Name] extends Act<string, never, unknown> ? Name : never;
}[keyof Acts] &
  string;

/** The names in `Acts` that undo the act named `Run`: paired by that name, never by shape. */
type UndoName<Acts, Run extends keyof Acts & string> = {
  [Name in keyof Acts]: Acts[Name] extends UndoOf<
    Run,
    InputOf<Acts[Run]>,
    ValueOf<Acts[Run]>,
    unknown
  >
    ? Name
    : never;
}[keyof Acts] &
  string;

/** The names in `Acts` that ask what the act or undo named `Of` did. */
type FindName<Acts, Of extends keyof Acts & string> = {
  [Name in keyof Acts]: Acts[Name] extends FindOf<Of, ValueOf<Acts[Of]>> ? Name : never;
}[keyof Acts] &
  string;

/** The author must answer; `ask-provider` needs a `find`. */
type Answer<Acts, Of extends keyof Acts & string> =
  | {
      readonly whenUnknown: 'retry-with-key';
      readonly find?: FindName<Acts, Of>;
      readonly why?: string;
    }
  | {
      readonly whenUnknown: 'ask-provider';
      readonly find: FindName<Acts, Of>;
      readonly why?: string;
    }
  | {
      readonly whenUnknown: 'ask-person';
      readonly find?: Refused<NeverAsked>;
      readonly why?: string;
    };

type NeverAsked = 'only "retry-with-key" and "ask-provider" ever ask a find';

/** What a forward call may answer; which of them, where it stands. */
type ForwardAnswer =
  'retry-with-key' | 'ask-provider' | 'ask-person' | 'prefer-duplicate' | 'prefer-miss';

/** For what can be neither keyed nor asked, and has nothing to undo: which failure is smaller? */
interface Prefer {
  readonly whenUnknown: 'prefer-duplicate' | 'prefer-miss';
  readonly why: string;
  readonly find?: Refused<NeverAsked>;
}

/** For undos only: to do it twice is harmless. */
interface Repeat {
  readonly whenUnknown: 'repeat';
  readonly why: string;
  readonly find?: Refused<NeverAsked>;
}

interface Timing {
  readonly retry?: Retry;
  /** One attempt is given up after this; its outcome is unknown then. @default 10_000 (ms) */
  readonly timeoutMs?: number;
}

/** An undo is a call like any other. */
type Undo<Acts, Run extends keyof Acts & string> = {
  [Name in UndoName<Acts, Run>]: Needed<NoDefault, (Answer<Acts, Name> | Repeat)['whenUnknown']> & {
    readonly run: Name;
  } & Timing &
    (Answer<Acts, Name> | Repeat);
}[UndoName<Acts, Run>];

interface Forward<Input, Acts, Results, Run extends ActName<Acts>> extends Timing {
  readonly run: Run;
  /** The provider, so that the workflow knows the task queue; undo and find go there too. */
  readonly at: ProviderOf<Acts[Run]>;
  /** Pure: from the saga's input and the results of earlier steps to the act's input. */
  readonly input: (at: { readonly input: Input } & Results) => InputOf<Acts[Run]>;
}

/** A step before the pivot: it says how it is undone, or why there is nothing to undo. */
type Undoable<Input, Acts, Results, Run extends ActName<Acts>> = Needed<
  NoDefault,
  (Answer<Acts, Run> | Prefer)['whenUnknown']
> &
  Forward<Input, Acts, Results, Run> &
  (
    | (Answer<Acts, Run> & {
        readonly undo: Undo<Acts, Run>;
        /** Do earlier steps wait when this undo is slow or stuck? @default 'continue' */
        readonly onStuckUndo?: 'continue' | 'stop';
        readonly nothingToUndo?: Refused<OneOfBoth>;
      })
    | (Answer<Acts, Run> & {
        readonly nothingToUndo: string;
        readonly undo?: Refused<WhyNoUndo<Acts, Run>>;
        readonly onStuckUndo?: Refused<OneOfBoth>;
      })
    | (Prefer & {
        readonly nothingToUndo: string;
        readonly undo?: Refused<MustKnow>;
        readonly onStuckUndo?: Refused<OneOfBoth>;
      })
  );

type OneOfBoth =
  'a step has "undo", and perhaps "onStuckUndo", or else "nothingToUndo" says why it has none';
type MustKnow =
  '"prefer-duplicate" and "prefer-miss" need "nothingToUndo": an undo must know what happened';
type WhyNoUndo<Acts, Run extends keyof Acts & string> = [UndoName<Acts, Run>] extends [never]
  ? 'none of the acts is an UndoOf of this one: write it, or say "nothingToUndo" with the reason'
  : OneOfBoth;

type NeverUndone = 'from the pivot on nothing is undone';

interface NoUndo {
  readonly undo?: Refused<NeverUndone>;
  readonly nothingToUndo?: Refused<NeverUndone>;
  readonly onStuckUndo?: Refused<NeverUndone>;
}

/** The pivot: of it, too, it must become known what happened. */
type Pivot<Input, Acts, Results, Run extends ActName<Acts>> = Needed<
  NoDefault,
  Answer<Acts, Run>['whenUnknown']
> &
  Forward<Input, Acts, Results, Run> &
  Answer<Acts, Run> &
  NoUndo;

/** A step after the pivot. */
type Onward<Input, Acts, Results, Run extends ActName<Acts>> = Needed<
  NoDefault,
  (Answer<Acts, Run> | Prefer)['whenUnknown']
> &
  Forward<Input, Acts, Results, Run> &
  (Answer<Acts, Run> | Prefer) &
  NoUndo;

/**
 * What one step adds to what later steps may read. It is added with `&` in the open: a named type
 * around the sum would nest once for each step, and the compiler gives up at a hundred.
 */
type Result<Name extends string, Value> = { readonly [Key in Name]: Value };

/** A step that prefers a miss may have no value. */
type ResultOf<Acts, Run extends ActName<Acts>, When> = When extends 'prefer-miss'
  ? ValueOf<Acts[Run]> | null
  : ValueOf<Acts[Run]>;

/** A chain that has no step yet: not a saga, so nothing can be started with it. */
export interface SagaStart<Input, Acts, Results> {
  /** Adds a step that can be undone, or has nothing to undo. */
  step<const Name extends string, Run extends ActName<Acts>, const When extends ForwardAnswer>(
    name: StepName<Name, Results>,
    spec: Undoable<Input, Acts, Results, Run> & { readonly whenUnknown: When },
  ): UndoableSaga<Input, Acts, Results & Result<Name, ResultOf<Acts, Run, When>>>;
  /**
   * Adds steps that go on side by side; none of them reads a result of another. The next step
   * begins when all are done. When one of them fails, what is on its way is awaited, and all that
   * took effect is undone, the one that was started last first.
   *
   * @example
   * .parallel((group) => group.step('flight', { … }).step('hotel', { … }))
   */
  parallel<Added>(
    build: (group: GroupStart<Input, Acts, Results>) => Group<Input, Acts, Results, Added>,
  ): UndoableSaga<Input, Acts, Results & Added>;
  /** Adds the step after which nothing is undone. */
  pivot<const Name extends string, Run extends ActName<Acts>>(
    name: StepName<Name, Results>,
    spec: Pivot<Input, Acts, Results, Run>,
  ): ForwardSaga<Input, Acts, Results & Result<Name, ValueOf<Acts[Run]>>>;
}

/** A parallel group that has no step yet. */
export interface GroupStart<Input, Acts, Before> {
  /** Adds the first step of the group. */
  step<const Name extends string, Run extends ActName<Acts>, const When extends ForwardAnswer>(
    name: StepName<Name, Before>,
    spec: Undoable<Input, Acts, Before, Run> & { readonly whenUnknown: When },
  ): GroupOfOne<Input, Acts, Before, Result<Name, ResultOf<Acts, Run, When>>>;
}

/** One step alone is no group: write it without `.parallel`. */
export interface GroupOfOne<Input, Acts, Before, Added> {
  /** Adds a step beside the others. It reads what they read, and not what they come to. */
  step<const Name extends string, Run extends ActName<Acts>, const When extends ForwardAnswer>(
    name: StepName<Name, Before & Added>,
    spec: Undoable<Input, Acts, Before, Run> & { readonly whenUnknown: When },
  ): Group<Input, Acts, Before, Added & Result<Name, ResultOf<Acts, Run, When>>>;
}

declare const twoStepsOrMore: unique symbol;

/** Steps that go on side by side. */
export interface Group<Input, Acts, Before, Added> extends GroupOfOne<Input, Acts, Before, Added> {
  /** What the steps after the group may read. */
  readonly [twoStepsOrMore]: Added;
}

/** Before the pivot: everything so far can be undone. */
export interface UndoableSaga<Input, Acts, Results>
  extends SagaStart<Input, Acts, Results>, Saga<Input> {}

/** Past the pivot: steps have no undo. */
export interface ForwardSaga<Input, Acts, Results> extends Saga<Input> {
  /** Adds a step that is only ever tried forward. */
  step<const Name extends string, Run extends ActName<Acts>, const When extends ForwardAnswer>(
    name: StepName<Name, Results>,
    spec: Onward<Input, Acts, Results, Run> & { readonly whenUnknown: When },
  ): ForwardSaga<Input, Acts, Results & Result<Name, ResultOf<Acts, Run, When>>>;
}
