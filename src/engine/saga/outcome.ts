/** What one call to a provider came to. There are four ends, not two: see ARCHITECTURE.md. */
export type Outcome<Value> =
  | Done<Value>
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'again'; readonly reason: string; readonly afterMs?: number }
  | { readonly kind: 'unknown'; readonly cause: string; readonly afterMs?: number };

/** It took effect. */
export interface Done<Value> {
  readonly kind: 'done';
  readonly value: Value;
}

/** What the provider says when it is asked, by key, what a call did. */
export type Finding<Value> =
  | { readonly kind: 'found'; readonly value: Value }
  | { readonly kind: 'not-there' }
  | { readonly kind: 'cannot-tell'; readonly cause: string; readonly afterMs?: number }
  | { readonly kind: 'differs'; readonly cause: string };

/** It took effect, and this is what the provider answered. */
export function done<Value>(value: Value): Outcome<Value> {
  return { kind: 'done', value };
}

/** The provider said no: nothing happened. `code` is the provider's, never its prose. */
export function refused(code: string): Outcome<never> {
  return { kind: 'refused', code };
}

/** Certainly nothing happened, and a later attempt may succeed. `afterMs` is a Retry-After. */
export function again(reason: string, afterMs?: number): Outcome<never> {
  return afterMs === undefined ? { kind: 'again', reason } : { kind: 'again', reason, afterMs };
}

/** Nobody can say yet whether it took effect. `afterMs` is a Retry-After, of a 503 for example. */
export function unknown(cause: string, afterMs?: number): Outcome<never> {
  return afterMs === undefined ? { kind: 'unknown', cause } : { kind: 'unknown', cause, afterMs };
}

/** The provider holds exactly one thing under this key. */
export function found<Value>(value: Value): Finding<Value> {
  return { kind: 'found', value };
}

/** The provider holds nothing under this key. Believed only once the provider has settled. */
export function notThere(): Finding<never> {
  return { kind: 'not-there' };
}

/** The provider did not say; it is asked again. */
export function cannotTell(cause: string, afterMs?: number): Finding<never> {
  return afterMs === undefined
    ? { kind: 'cannot-tell', cause }
    : { kind: 'cannot-tell', cause, afterMs };
}

/** The provider holds something else than was asked for: two results, or another amount. */
export function differs(cause: string): Finding<never> {
  return { kind: 'differs', cause };
}
