import type { Answer } from '../http/answer.js';
import type { Claim } from './claim.js';

/** What is found under a key: the answer to replay, or null: it is being worked on. */
export type Found = Answer | null;

/**
 * Requests of this process under the same claim at the same time ask the database once: one looks,
 * the others hear what it found. So a thousand of them need one connection, and nobody waits behind
 * them for another. Losing it changes nothing: between processes the database decides.
 */
export class ClaimsInFlight {
  readonly #looks = new Map<string, Promise<Found>>();

  /** What the request that is at it finds, or why it cannot look; undefined: nobody is at it. */
  find(claim: Claim): Promise<Found> | undefined {
    return this.#looks.get(nameOf(claim));
  }

  /**
   * Is at a claim until `work` has ended. `work` tells what it has found as soon as it knows; when
   * it ends before that, those who wait are told what it throws.
   */
  async hold<Result>(
    claim: Claim,
    work: (tell: (found: Found) => void) => Promise<Result>,
  ): Promise<Result> {
    const name = nameOf(claim);
    const { promise, resolve, reject } = look();
    this.#looks.set(name, promise);
    try {
      return await work(resolve);
    } catch (error) {
      reject(error);
      throw error;
    } finally {
      this.#looks.delete(name);
    }
  }
}

function look() {
  let resolve!: (found: Found) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<Found>((found, failed) => {
    resolve = found;
    reject = failed;
  });
  // Often nobody waits for it.
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}

const nameOf = ({ account, key, fingerprint }: Claim): string =>
  `${fingerprint.toString('hex')}:${account}:${key}`;
