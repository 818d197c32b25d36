import { performance } from 'node:perf_hooks';
import pg from 'pg';

/**
 * Who finds every connection in use waits no longer than this. Opening one may take longer, and is
 * no sign that there is too much to do.
 */
const WAIT_LIMIT_MS = 1_000;

type Connected = Parameters<pg.Pool['connect']>[0];

/** A pool that knows how long it has been waited for. */
export class WatchedPool extends pg.Pool {
  readonly #waiting = new Set<{ readonly sinceMs: number }>();
  /** Since when somebody wanted a connection and nobody got one; null: it goes on. */
  #stuckSinceMs: number | null = null;
  #open = 0;
  #lastOpenedAtMs = 0;

  constructor(settings: pg.PoolConfig) {
    super(settings);
    this.on('connect', () => {
      this.#open += 1;
      this.#lastOpenedAtMs = performance.now();
    });
    this.on('remove', () => {
      this.#open -= 1;
    });
    const goesOn = () => {
      this.#stuckSinceMs = null;
    };
    for (const event of ['acquire', 'release', 'remove'] as const) this.on(event, goesOn);
  }

  /**
   * For how long the first of those who wait has found every connection in use, in milliseconds,
   * or the first of those who gave up, as long as none came free; 0: there is one to be had. The
   * time in which connections were opened does not count.
   */
  waitMs(): number {
    if (!this.#mustWait()) return 0;
    const [first] = this.#waiting;
    const sinceMs = this.#stuckSinceMs ?? first?.sinceMs;
    if (sinceMs === undefined) return 0;
    return performance.now() - Math.max(sinceMs, this.#lastOpenedAtMs);
  }

  #mustWait(): boolean {
    return this.totalCount >= this.options.max && this.idleCount === 0;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | void {
    if (!this.#mustWait())
      return callback === undefined ? super.connect() : super.connect(callback);
    const waiter = { sinceMs: performance.now() };
    this.#waiting.add(waiter);
    this.#stuckSinceMs ??= waiter.sinceMs;
    const leave = () => this.#waiting.delete(waiter);
    return this.#withLimit(() => {
      if (callback === undefined) return super.connect().finally(leave);
      super.connect((...came) => {
        leave();
        callback(...came);
      });
    });
  }

  /** The pool reads its limit when it is asked: it is that of opening while any one is opened. */
  #withLimit<Result>(ask: () => Result): Result {
    const { connectionTimeoutMillis: openingMs } = this.options;
    if (this.#open < this.totalCount) return ask();
    this.options.connectionTimeoutMillis = WAIT_LIMIT_MS;
    try {
      return ask();
    } finally {
      this.options.connectionTimeoutMillis = openingMs;
    }
  }
}
