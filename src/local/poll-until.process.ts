import { setTimeout as sleep } from 'node:timers/promises';

export interface PollLimits {
  /** How long to go on asking, in milliseconds. */
  readonly limitMs: number;
  /** @default 50 ms: short beside any start we wait for, and cheap. */
  readonly everyMs?: number;
  /** Nobody waits for the answer any more. @default never aborted */
  readonly signal?: AbortSignal;
}

/**
 * Asks `check` again and again until it answers something else than `undefined` or `false`, and
 * answers that; `undefined` when the limit has passed or the signal is aborted. What `check` throws
 * is thrown on.
 */
export async function pollUntil<T>(
  check: () => Promise<T | undefined | false> | T | undefined | false,
  { limitMs, everyMs = 50, signal }: PollLimits,
): Promise<T | undefined> {
  const until = performance.now() + limitMs;
  for (;;) {
    const answer = await check();
    if (answer !== undefined && answer !== false) return answer;
    if (performance.now() >= until || signal?.aborted) return undefined;
    await sleep(everyMs, undefined, { signal }).catch(() => undefined);
  }
}
