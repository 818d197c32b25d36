/** Longer than the two clocks ever drift apart between two looks, unless the machine slept. */
const SLEPT_MS = 500;

/**
 * A clock that only goes forward, in milliseconds, and counts the time in which the machine was
 * suspended: the monotonic clock of Linux does not, and a call that was begun before would be sent
 * after its time. A wall clock that is set forward counts as sleep, so that at worst we send
 * nothing and ask; set back it counts for nothing.
 */
export function steadyClock(monotonicMs: () => number, wallMs: () => number): () => number {
  let slept = 0;
  let last = { monotonic: monotonicMs(), wall: wallMs() };
  return () => {
    const now = { monotonic: monotonicMs(), wall: wallMs() };
    const gap = now.wall - last.wall - (now.monotonic - last.monotonic);
    if (gap > SLEPT_MS) slept += gap;
    last = now;
    return now.monotonic + slept;
  };
}
