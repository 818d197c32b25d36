import type { OfAttempt, OfCall } from './happening.js';

/** The row of one attempt. */
export interface Attempt extends OfAttempt {
  readonly beganAt: number;
  readonly sendBy: number;
  readonly state: 'sending' | 'unknown' | 'settled';
  /** Its request may still take effect. */
  readonly onTheWay: boolean;
  /** What the provider calls what it did; null: nothing yet. */
  readonly effect: string | null;
}

/** The rows of all attempts, and what of them may still take effect. */
export class Attempts {
  #rows: Attempt[] = [];
  #firstAsked: { readonly of: OfCall; readonly at: number }[] = [];

  copy(): Attempts {
    const other = new Attempts();
    other.#rows = [...this.#rows];
    other.#firstAsked = [...this.#firstAsked];
    return other;
  }

  add(row: Attempt): void {
    this.#rows.push(row);
  }

  row(of: OfAttempt): Attempt | undefined {
    return this.#rows.find((row) => row.attempt === of.attempt && isSameCall(row, of));
  }

  alter(of: OfAttempt, change: Partial<Attempt>): void {
    this.#rows = this.#rows.map((row) =>
      row.attempt === of.attempt && isSameCall(row, of) ? { ...row, ...change } : row,
    );
  }

  /** When the first attempt of a call was begun; undefined before. */
  firstBegun(of: OfCall): number | undefined {
    return this.#rows.find((row) => isSameCall(row, of))?.beganAt;
  }

  /** Until when an attempt of a call may be sent. */
  sendableUntil(of: OfCall): number {
    return this.#rows.reduce((ms, row) => (isSameCall(row, of) ? Math.max(ms, row.sendBy) : ms), 0);
  }

  /** Whether an attempt of any call may still be sent. */
  maySend(now: number): boolean {
    return this.#rows.some(({ state, sendBy }) => state === 'sending' && sendBy > now);
  }

  /** Nobody waits for their outcomes any more; what comes of them all the same is kept. */
  giveUp(): void {
    this.#rows = this.#rows.map((row) =>
      row.state === 'sending' ? { ...row, state: 'unknown' } : row,
    );
  }

  /** How many requests of a call may still take effect. */
  onTheWay(of: OfCall): number {
    return this.#rows.filter((row) => row.onTheWay && isSameCall(row, of)).length;
  }

  /** Notes that the provider is asked, and answers since when it has been. */
  askedSince(of: OfCall, now: number): number {
    const first = this.#firstAsked.find((one) => isSameCall(one.of, of));
    if (first !== undefined) return first.at;
    this.#firstAsked.push({ of, at: now });
    return now;
  }
}

export function isSameCall(one: OfCall, other: OfCall): boolean {
  return one.step === other.step && one.direction === other.direction;
}
