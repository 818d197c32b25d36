import { Standing } from './standing.js';

/** Short beside what is too late, long beside what a look costs. */
const EVERY_MS = 50;

/** Whether timers of this process run late. */
export interface LoopDelay {
  /** True once they have been later than the limit for longer than a moment. */
  isLate(): boolean;
  close(): void;
}

/**
 * Watches how late a timer comes: what the event loop does for longer than `limitMs` at a time,
 * each request waits for. Closed, it watches no more.
 */
export function watchLoopDelay(limitMs: number, monotonicMs: () => number): LoopDelay {
  const standing = new Standing();
  let dueAt = monotonicMs() + EVERY_MS;
  const timer = setInterval(() => {
    const nowMs = monotonicMs();
    standing.look(nowMs - dueAt > limitMs, dueAt);
    dueAt = nowMs + EVERY_MS;
  }, EVERY_MS);
  timer.unref();
  return {
    isLate: () => standing.stands(monotonicMs()),
    close: () => clearInterval(timer),
  };
}
