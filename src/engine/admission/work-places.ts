import { Problem } from '../http/problem.js';

/** Work ends in less than that, or is stuck. */
const RETRY_AFTER = { 'Retry-After': '1' };

/** A crowd under one key is one piece of work, and yet each of it costs memory and a socket. */
const CROWD_TO_WORK = 8;

/** What several may ask for at the same time, and one of them does. */
export interface Work {
  /** The Idempotency-Key. */
  readonly key: string;
  /** The method, and the target with its query. */
  readonly asks: string;
  readonly body: Uint8Array;
}

interface Asked {
  readonly work: Work | null;
  requests: number;
}

interface Own {
  readonly works: Map<string | symbol, Asked>;
  requests: number;
}

/** A request is let in. */
export interface Place {
  /** Another request is at the same work, so that this one only waits for it. */
  readonly isShared: boolean;
  readonly leave: () => void;
}

/**
 * How much one process works on at once, and how much of it for one account: so that no account
 * takes the memory and the time of the others. Requests that ask for the same under one key are one
 * piece of work: one does it, the others wait for it.
 */
export class WorkPlaces {
  readonly #accounts = new Map<string, Own>();
  #works = 0;

  constructor(private readonly most: { readonly all: number; readonly account: number }) {}

  /**
   * Takes a place. `work`: null where nobody else can ask for the same. Throws Problem:
   * rate-limited when the account has too much in work, overloaded when the process has.
   */
  enter(account: string, work: Work | null): Place {
    const own: Own = this.#accounts.get(account) ?? { works: new Map(), requests: 0 };
    const found = work === null ? undefined : own.works.get(work.key);
    const isShared = found !== undefined && isSame(found.work, work);
    const { account: most, all } = this.most;
    if (own.requests >= most * CROWD_TO_WORK || (!isShared && own.works.size >= most)) {
      throw tooMuchOfAccount();
    }
    if (!isShared && this.#works >= all) throw tooMuch();
    this.#accounts.set(account, own);
    // Something else under the same key is work by itself: it has to be looked at, and refused.
    const name = work === null || (found !== undefined && !isShared) ? Symbol(account) : work.key;
    return { isShared, leave: this.#take(account, own, name, work) };
  }

  #take(account: string, own: Own, name: string | symbol, work: Work | null): () => void {
    const asked = own.works.get(name) ?? { work, requests: 0 };
    if (asked.requests === 0) this.#works += 1;
    own.works.set(name, asked);
    asked.requests += 1;
    own.requests += 1;
    let isIn = true;
    return () => {
      if (!isIn) return;
      isIn = false;
      own.requests -= 1;
      asked.requests -= 1;
      if (asked.requests > 0) return;
      own.works.delete(name);
      this.#works -= 1;
      if (own.works.size === 0) this.#accounts.delete(account);
    };
  }
}

function isSame(one: Work | null, other: Work | null): boolean {
  if (one === null || other === null) return false;
  return one.asks === other.asks && Buffer.compare(one.body, other.body) === 0;
}

const tooMuchOfAccount = () =>
  new Problem('rate-limited', {
    detail: 'The account has as many requests in work at this process as it may have.',
    members: { limited_by: 'in-flight' },
    headers: RETRY_AFTER,
    turnedAway: 'account-in-flight',
  });

const tooMuch = () => new Problem('overloaded', { headers: RETRY_AFTER, turnedAway: 'in-flight' });
