import { setTimeout as sleep } from 'node:timers/promises';

export interface PollLimits {
  /** How long to go on asking, in milliseconds. */
  readonly limitMs: number;
  /** @default 50 ms: short beside any start we wait for, and cheap. */
  readonly everyMs?: number;
}

/**
 * Asks `check` again and again until it answers something else than `undefined` or `false`, and
 * answers that; `undefined` when the limit has passed. What `check` throws is thrown on.
 */
export async function pollUntil<T>(
  check: () => Promise<T | undefined | false> | T | undefined | false,
  { limitMs, everyMs = 50 }: PollLimits,
): Promise<T | undefined> {
  const until = performance.now() + limitMs;
  for (;;) {
    const answer = await check();
    if (answer !== undefined && answer !== false) return answer;
    if (performance.now() >= until) return undefined;
    await sleep(everyMs);
  }
}
