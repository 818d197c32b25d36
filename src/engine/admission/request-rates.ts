/** Reads are GET and HEAD; all else is a write. */
export type RequestKind = 'reads' | 'writes';

/** A part of what an account may ask for in its window, given to one process. */
export interface Lease {
  /** So many requests may be let in; 0: the window is used up. */
  readonly granted: number;
  /** What is left for further leases, of whomever. */
  readonly remaining: number;
  /** What the account may ask for in a window. */
  readonly quota: number;
  /** When the window ends, in milliseconds from now. */
  readonly endsInMs: number;
}

/** What came of asking for one request. */
export interface Taken {
  readonly isGranted: boolean;
  readonly quota: number;
  /** What is left in the window as far as is known here: others may have taken of it since. */
  readonly left: number;
  readonly endsInMs: number;
}

interface Window {
  /** Granted to this process and not used yet. */
  own: number;
  remaining: number;
  quota: number;
  /** By the monotonic clock; never later than the database says. */
  endsAtMs: number;
}

/** Windows of that many accounts are kept; those that are over are forgotten then. */
const MOST_WINDOWS = 10_000;

/**
 * Lets an account make as many requests in a window as it may, over all processes. A process takes
 * a part at a time, so a busy account costs one statement for many requests, and one that has used
 * up its window none. What it knows is lost with it: then the rest of its part is lost to the
 * account until the window ends, and nothing is let in twice.
 */
export class RequestRates {
  readonly #windows = new Map<string, Window>();
  readonly #asking = new Map<string, Promise<void>>();

  constructor(
    private readonly lease: (account: string, kind: RequestKind) => Promise<Lease>,
    private readonly monotonicMs: () => number,
  ) {}

  /** Takes one request of an account's window, if there is one. Rejects as the lease does. */
  async take(account: string, kind: RequestKind): Promise<Taken> {
    const name = `${kind} ${account}`;
    for (;;) {
      const window = this.#windows.get(name);
      const leftMs = window === undefined ? 0 : window.endsAtMs - this.monotonicMs();
      if (window !== undefined && leftMs > 0) {
        const isGranted = window.own > 0;
        if (isGranted) window.own -= 1;
        if (isGranted || window.remaining === 0) {
          const left = window.own + window.remaining;
          return { isGranted, quota: window.quota, left, endsInMs: leftMs };
        }
      }
      await this.#ask(name, account, kind);
    }
  }

  /** Many ask at once, and one statement answers them. */
  #ask(name: string, account: string, kind: RequestKind): Promise<void> {
    const asking = this.#asking.get(name);
    if (asking !== undefined) return asking;
    const answer = this.#askNow(name, account, kind).finally(() => this.#asking.delete(name));
    this.#asking.set(name, answer);
    return answer;
  }

  async #askNow(name: string, account: string, kind: RequestKind): Promise<void> {
    // From before the asking: so the window ends here no later than there.
    const askedAtMs = this.monotonicMs();
    const { granted, remaining, quota, endsInMs } = await this.lease(account, kind);
    const endsAtMs = askedAtMs + endsInMs;
    this.#forgetOld(askedAtMs);
    this.#windows.set(name, {
      own: granted,
      // Nothing was granted: whatever the number says, there is nothing to ask for.
      remaining: granted === 0 ? 0 : remaining,
      quota,
      endsAtMs,
    });
  }

  #forgetOld(nowMs: number): void {
    if (this.#windows.size < MOST_WINDOWS) return;
    for (const [name, { endsAtMs }] of this.#windows) {
      if (endsAtMs <= nowMs) this.#windows.delete(name);
    }
  }
}
