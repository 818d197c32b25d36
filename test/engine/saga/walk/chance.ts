/**
 * Luck, written down beforehand as numbers from 0. Each choice takes the next number; 0 is the
 * first option, and the first option is always the good one, so a list that has run out means that
 * everything goes well from there on, and a shorter or smaller list is a simpler story.
 */
export class Chance {
  #next = 0;

  constructor(readonly numbers: readonly number[]) {}

  pick<Option>(good: Option, ...others: readonly Option[]): Option {
    const number = this.numbers[this.#next] ?? 0;
    this.#next += 1;
    const options = [good, ...others];
    return options[number % options.length] ?? good;
  }

  /** Each of the options about once in `often` times, and mostly none. */
  seldom<Option>(often: number, ...options: readonly Option[]): Option | null {
    const number = this.numbers[this.#next] ?? 0;
    this.#next += 1;
    return options[often - 1 - (number % often)] ?? null;
  }
}
