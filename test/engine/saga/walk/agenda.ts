/** What happens when: the only clock of a walk, in milliseconds from its start. */
export class Agenda {
  now = 0;
  readonly log: string[] = [];
  #entries: { readonly at: number; readonly happen: () => void; dropped: boolean }[] = [];

  /** Lets something happen in a while; the answer calls it off. */
  after(ms: number, happen: () => void): () => void {
    const entry = { at: this.now + ms, happen, dropped: false };
    this.#entries.push(entry);
    return () => {
      entry.dropped = true;
    };
  }

  /** Goes on to the next thing and lets it happen; false when there is none. */
  next(): boolean {
    this.#entries = this.#entries.filter(({ dropped }) => !dropped);
    const [first, ...others] = this.#entries;
    if (first === undefined) return false;
    const soonest = others.reduce((one, other) => (other.at < one.at ? other : one), first);
    this.#entries = this.#entries.filter((entry) => entry !== soonest);
    this.now = soonest.at;
    soonest.happen();
    return true;
  }

  /** Writes down what happened, for whoever has to understand a walk that went wrong. */
  note(words: string): void {
    const seconds = (this.now / 1_000).toFixed(2).padStart(11);
    this.log.push(`${seconds} s  ${words}`);
  }
}
