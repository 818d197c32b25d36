import type { Happening } from './happening.js';

interface Entry {
  readonly at: number;
  readonly what: Happening;
  /** It happens at a provider, whose clock goes on while ours stands still. */
  readonly elsewhere: boolean;
}

/** What happens when: the only clock of a played run, in milliseconds from its start. */
export class Agenda {
  now = 0;
  /** The soonest last; of those at the same moment, the one that was entered first comes first. */
  #entries: Entry[] = [];

  copy(): Agenda {
    const other = new Agenda();
    other.now = this.now;
    other.#entries = [...this.#entries];
    return other;
  }

  /** Enters what will happen in a while. */
  after(ms: number, what: Happening, elsewhere = false): void {
    const at = this.now + ms;
    let place = this.#entries.length;
    while (place > 0 && (this.#entries[place - 1]?.at ?? 0) <= at) place -= 1;
    this.#entries.splice(place, 0, { at, what, elsewhere });
  }

  /** Whether anything is due later than in the one and not later than in the other time. */
  hasWithin(laterThanMs: number, upToMs: number): boolean {
    return this.#entries.some(({ at }) => at > this.now + laterThanMs && at <= this.now + upToMs);
  }

  /** Takes out whatever is not wanted any more. */
  strike(isUnwanted: (what: Happening) => boolean): void {
    this.#entries = this.#entries.filter(({ what }) => !isUnwanted(what));
  }

  /** Goes on to the next thing, and answers it; undefined when there is none. */
  next(): Happening | undefined {
    const entry = this.#entries.pop();
    if (entry === undefined) return undefined;
    this.now = Math.max(this.now, entry.at);
    return entry.what;
  }

  /**
   * As `next`, for what happens at providers up to a moment while everything of ours stands still:
   * what was due meanwhile stays, and happens late. Undefined once there is none; it is then that
   * moment.
   */
  nextElsewhere(untilMs: number): Happening | undefined {
    const place = this.#entries.findLastIndex(({ at, elsewhere }) => elsewhere && at <= untilMs);
    const [entry] = place === -1 ? [] : this.#entries.splice(place, 1);
    this.now = Math.max(this.now, entry?.at ?? untilMs);
    return entry?.what;
  }
}
