import type { RetryPolicy } from './definition.js';

/** Ten seconds: longer than nearly every honest answer, short enough to ask instead of hoping. */
export const CALL_TIMEOUT_MS = 10_000;

/**
 * How a step is tried when its author does not say. Five attempts span at most 3 s of waiting:
 * that rides out a restart or a moment of overload while a customer looks on. No single wait is
 * longer than 10 s, however many attempts an author allows.
 */
export const FORWARD_RETRY: RetryPolicy = Object.freeze({
  attempts: 5,
  firstDelayMs: 200,
  capMs: 10_000,
  withinMs: null,
});

/**
 * How an undo is tried when its author does not say: for as long as it takes, because giving up
 * would leave the customer with half a booking. Five minutes between attempts spare a provider
 * that is down for hours, and still end the run soon after it is back.
 */
export const UNDO_RETRY: RetryPolicy = Object.freeze({
  attempts: null,
  firstDelayMs: 200,
  capMs: 5 * 60_000,
  withinMs: null,
});

/** An undo that takes longer than half a minute no longer holds up the undos before it. */
export const SLOW_UNDO_MS = 30_000;

/** A quarter of an hour: providers restart in less, and a person should look at what takes more. */
export const STUCK_AFTER_MS = 15 * 60_000;

/**
 * The longest Retry-After that is obeyed. A provider that wants more than five minutes, or sends
 * nonsense such as 10^9 s, is asked again after five, and may say it again.
 */
export const LONGEST_RETRY_AFTER_MS = 5 * 60_000;

/** Doubling stops here: any first delay of at least 1 ms has passed every possible cap by then. */
const MOST_DOUBLINGS = 53;

/**
 * How many milliseconds to wait after attempt number `attempt` (from 1): a whole number, evenly
 * spread over 0 to `firstDelayMs` doubled with every attempt, at most `capMs`. `random` answers a
 * number in [0, 1). The spread is the point ("full jitter"): callers that failed together do not
 * come back together.
 * Source: M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.
 */
export function backoffMs(attempt: number, policy: RetryPolicy, random: () => number): number {
  const doubled = policy.firstDelayMs * 2 ** Math.min(attempt - 1, MOST_DOUBLINGS);
  return Math.floor(random() * (Math.min(policy.capMs, doubled) + 1));
}

/**
 * How many milliseconds to wait after attempt number `attempt` when the provider may have said how
 * long (`afterMs`, its Retry-After). What it said is obeyed, beyond `capMs` too, because earlier
 * attempts would be wasted: we never come back sooner than `LONGEST_RETRY_AFTER_MS`, or than it
 * asked if that is less. Our own backoff is added on top, so that all who were told the same second
 * do not come back in it. Without it, or when it is not a number above 0, our own backoff alone.
 * Source: RFC 9110, 10.2.3 (Retry-After).
 */
export function waitMs(
  attempt: number,
  policy: RetryPolicy,
  afterMs: number | undefined,
  random: () => number,
): number {
  const own = backoffMs(attempt, policy, random);
  if (afterMs === undefined || Number.isNaN(afterMs) || afterMs <= 0) {
    return own;
  }
  return Math.ceil(Math.min(afterMs, LONGEST_RETRY_AFTER_MS)) + own;
}
