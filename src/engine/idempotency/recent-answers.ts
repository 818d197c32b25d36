import { Answer } from '../http/answer.js';
import { isAlive, type Moment } from '../moment.js';
import type { Claim } from './claim.js';

export type { Moment } from '../moment.js';

export interface RecentLimits {
  readonly count: number;
  readonly bytes: number;
}

/** Some thousand bookings, and no more memory than a few requests at their largest. */
export const RECENT_LIMITS: RecentLimits = { count: 10_000, bytes: 16 * 2 ** 20 };

/**
 * An answer is given from memory for so long, then it is read again. Client retries come within
 * seconds; and where an older copy took the database's place unseen, as behind a proxy that kept
 * our connections, the memory contradicts it no longer than this.
 */
export const RECENT_MS = 60_000;
/** Before the end of a key the database alone says whether it is still honoured. */
const MARGIN_MS = 1_000;
/** What an entry costs beside its bytes: objects, headers and their places. */
const ENTRY_BYTES = 1_000;

interface Entry {
  readonly fingerprint: Buffer;
  readonly replay: Answer;
  readonly asOf: Moment;
  readonly lifeMs: number;
  readonly bytes: number;
}

/**
 * The answers that this process has read from its database or committed to it within the last
 * minute, so that a client that repeats itself costs no query. It only ever says what the database
 * has said: for the same account, key and fingerprint, and not beyond the key's end. It is cleared
 * when a connection is lost, because an older copy may take the database's place. Whatever it has
 * not, the database is asked for, so losing it changes nothing.
 */
export class RecentAnswers {
  /** In the order in which they were kept: the first one goes first. */
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;
  #since = Number.NEGATIVE_INFINITY;

  constructor(
    /** Both clocks of this process now. */
    readonly now: () => Moment,
    private readonly limits: RecentLimits = RECENT_LIMITS,
  ) {}

  /** The answer to this very request, as a replay; null: the database has to be asked. */
  find(claim: Claim): Answer | null {
    const name = nameOf(claim);
    const entry = this.#entries.get(name);
    if (entry === undefined || !entry.fingerprint.equals(claim.fingerprint)) return null;
    if (isAlive(entry, this.now())) return entry.replay;
    this.#forget(name, entry);
    return null;
  }

  /**
   * Remembers an answer that is committed. `asOf` is a moment before the database was asked, and
   * `leftMs` how long the key was still honoured by the database's clock when it answered.
   */
  keep(claim: Claim, replay: Answer, asOf: Moment, leftMs: number): void {
    const name = nameOf(claim);
    const lifeMs = Math.min(RECENT_MS, leftMs - MARGIN_MS);
    const before = this.#entries.get(name);
    if (before !== undefined) this.#forget(name, before);
    const bytes = replay.body.length + name.length + ENTRY_BYTES;
    if (lifeMs <= 0 || bytes > this.limits.bytes || asOf.monotonicMs <= this.#since) return;
    this.#entries.set(name, { fingerprint: claim.fingerprint, replay, asOf, lifeMs, bytes });
    this.#bytes += bytes;
    for (const [oldest, entry] of this.#entries) {
      if (this.#entries.size <= this.limits.count && this.#bytes <= this.limits.bytes) return;
      this.#forget(oldest, entry);
    }
  }

  /** Forgets all of it, and whatever the database was asked before now. */
  clear(): void {
    this.#since = this.now().monotonicMs;
    this.#entries.clear();
    this.#bytes = 0;
  }

  #forget(name: string, { bytes }: Entry): void {
    this.#entries.delete(name);
    this.#bytes -= bytes;
  }
}

const nameOf = ({ account, key }: Claim): string => `${account}:${key}`;
