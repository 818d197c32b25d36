import type { Finding, Outcome } from './outcome.js';

/** What an act is given: one attempt under one key. */
export interface Call<Input> {
  /** Sent as `Idempotency-Key` and as `reference`; the same in every attempt of a step. */
  readonly key: string;
  readonly input: Input;
  /** Nothing may be sent after this instant; passed on as `Recourse-Deadline`. */
  readonly sendBy: Date;
  /** Milliseconds left until `sendBy` when the call was handed over, by the monotonic clock. */
  readonly msLeft: number;
  /** Aborted at `sendBy`. */
  readonly signal: AbortSignal;
}

/** Does one thing at one provider. */
export interface Act<Provider extends string, Input, Value> {
  readonly kind: 'act';
  readonly provider: Provider;
  /** Reads a value from the provider or from a person's verdict; throws when it is not one. */
  readonly parse: (value: unknown) => Value;
  /** How a value looks, for a person who must give one. */
  readonly sample?: Value;
  readonly perform: (call: Call<Input>) => Promise<Outcome<Value>>;
}

/** Undoes what the act named `Of` did; it is given that act's input and value. */
export interface UndoOf<Of extends string, Input, Value, Undone> {
  readonly kind: 'undo';
  readonly of: Of;
  readonly parse: (value: unknown) => Undone;
  readonly perform: (
    call: Call<{ readonly input: Input; readonly value: Value }>,
  ) => Promise<Outcome<Undone>>;
}

/** Asks the provider, by key, what the act or undo named `Of` did. */
export interface FindOf<Of extends string, Value> {
  readonly kind: 'find';
  readonly of: Of;
  readonly perform: (call: Call<unknown>) => Promise<Finding<Value>>;
}

/** Any act, undo or find, as a registry holds it. */
export type AnyAct =
  Act<string, never, unknown> | UndoOf<string, never, never, unknown> | FindOf<string, unknown>;
