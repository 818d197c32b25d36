import { isDatabaseUnavailable } from '../database/unavailable.js';
import type { Problem } from '../http/problem.js';
import type { Claim } from './claim.js';
import {
  claimTogether,
  doneOf,
  onceHere,
  type ClaimedAnswer,
  type SharedWork,
  wishOf,
  type Wish,
} from './claims.store.js';
import type { GateParts } from './gate.js';

/** How much goes together. */
export interface GroupLimits {
  /** In one transaction. */
  readonly most: number;
  /** Transactions of one account at once in this process; while they last, others gather. */
  readonly atOnce: number;
  /** Transactions of all accounts at once, so that other requests find a connection too. */
  readonly inAll: number;
}

/** What one more costs in a transaction is little next to the transaction. */
export const GROUP_LIMITS: GroupLimits = { most: 64, atOnce: 2, inAll: 12 };

interface Waiting<Ask> extends Wish<Ask> {
  readonly resolve: (outcome: ClaimedAnswer | Problem) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Gives requests their effects, each exactly once as `idempotently` does, and those of an account
 * that come while the database is busy with earlier ones in one transaction: nobody waits for
 * company, and the more come the less each costs. A request that makes its group fail is found out
 * by doing each of them alone, so it costs the others a moment and nothing else. Source: group
 * commit (DeWitt et al., Implementation Techniques for Main Memory Database Systems, 1984).
 */
export class GroupCommit<Ask, Ground> {
  /** By account, the one whose turn it is first. */
  readonly #waiting = new Map<string, Waiting<Ask>[]>();
  /** How many transactions of each account last now. */
  readonly #running = new Map<string, number>();
  #inAll = 0;

  constructor(
    private readonly gate: GateParts,
    private readonly shared: SharedWork<Ask, Ground>,
    private readonly limits: GroupLimits = GROUP_LIMITS,
  ) {}

  /** Throws as `idempotently` does, and the Problem that the work answers for this request. */
  do(claim: Claim, ask: Ask): Promise<ClaimedAnswer> {
    return onceHere(this.gate, claim, async (tell) =>
      doneOf(
        await new Promise<ClaimedAnswer | Problem>((resolve, reject) => {
          const queue = this.#waiting.get(claim.account) ?? [];
          this.#waiting.set(claim.account, queue);
          queue.push({ ...wishOf(claim, ask, tell), resolve, reject });
          this.#next();
        }),
      ),
    );
  }

  #next(): void {
    while (this.#inAll < this.limits.inAll) {
      const account = this.#turn();
      if (account === undefined) return;
      this.#count(account, 1);
      void this.#settle(this.#take(account)).finally(() => {
        this.#count(account, -1);
        this.#next();
      });
    }
  }

  /** Who has waited for a turn the longest, of those who may have one more transaction. */
  #turn(): string | undefined {
    for (const account of this.#waiting.keys()) {
      if ((this.#running.get(account) ?? 0) < this.limits.atOnce) return account;
    }
    return undefined;
  }

  #count(account: string, change: 1 | -1): void {
    const running = (this.#running.get(account) ?? 0) + change;
    if (running === 0) this.#running.delete(account);
    else this.#running.set(account, running);
    this.#inAll += change;
  }

  /** The next group of an account: no key is in it twice. */
  #take(account: string): readonly Waiting<Ask>[] {
    const group = new Map<string, Waiting<Ask>>();
    const later: Waiting<Ask>[] = [];
    for (const one of this.#waiting.get(account) ?? []) {
      if (group.size < this.limits.most && !group.has(one.id)) group.set(one.id, one);
      else later.push(one);
    }
    this.#waiting.delete(account);
    if (later.length > 0) this.#waiting.set(account, later);
    return [...group.values()];
  }

  async #settle(group: readonly Waiting<Ask>[]): Promise<void> {
    try {
      const outcomes = await claimTogether(this.gate, group, this.shared);
      for (const [index, outcome] of outcomes.entries()) group[index]?.resolve(outcome);
    } catch (error) {
      if (group.length === 1 || isDatabaseUnavailable(error)) {
        for (const { reject } of group) reject(error);
      } else {
        for (const one of group) await this.#settle([one]);
      }
    }
  }
}
