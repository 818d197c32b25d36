/** So many looks in a row, over so long a time: what passes by itself is no overload. */
const LOOKS_LEAST = 3;
const STANDS_AFTER_MS = 2_000;

/**
 * Tells a state that stands from a moment: a burst, or one long pause, is over before it could be
 * helped by turning anybody away. Times are of a monotonic clock, in milliseconds.
 */
export class Standing {
  #since: number | null = null;
  #looks = 0;

  /** A look found it so, or not; `beganAt`: since when it is so by this look alone. */
  look(isSo: boolean, beganAt: number): void {
    if (!isSo) {
      this.#since = null;
      this.#looks = 0;
      return;
    }
    this.#since ??= beganAt;
    this.#looks += 1;
  }

  /** Whether it has been so for longer than a moment. */
  stands(nowMs: number): boolean {
    if (this.#since === null || this.#looks < LOOKS_LEAST) return false;
    return nowMs - this.#since >= STANDS_AFTER_MS;
  }
}
