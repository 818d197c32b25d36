import { Problem } from '../http/problem.js';

interface Line {
  atWork: number;
  readonly waiting: (() => void)[];
}

/**
 * Lets so many requests of an account work at the same time, fewer than there are connections to
 * the database: the others of this account stand in a line of their own, and those of other
 * accounts pass by. Who has stood there for `limitMs` is sent away.
 */
export class Turns {
  readonly #lines = new Map<string, Line>();

  constructor(
    private readonly most: number,
    private readonly limitMs: number,
  ) {}

  /** Waits for a turn and answers how to end it. Rejects with Problem: rate-limited. */
  async take(account: string): Promise<() => void> {
    const line = this.#lines.get(account) ?? { atWork: 0, waiting: [] };
    this.#lines.set(account, line);
    if (line.atWork >= this.most) await this.#stand(line);
    else line.atWork += 1;
    let isAtWork = true;
    return () => {
      if (!isAtWork) return;
      isAtWork = false;
      const next = line.waiting.shift();
      // Whoever is next takes over the turn, so that nobody comes in between.
      if (next !== undefined) return next();
      line.atWork -= 1;
      if (line.atWork === 0) this.#lines.delete(account);
    };
  }

  #stand(line: Line): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        line.waiting.splice(line.waiting.indexOf(proceed), 1);
        reject(tooSlow());
      }, this.limitMs);
      const proceed = () => {
        clearTimeout(timer);
        resolve();
      };
      line.waiting.push(proceed);
    });
  }
}

const tooSlow = () =>
  new Problem('rate-limited', {
    detail: 'What the account asked for before takes too long. Nothing was done.',
    members: { limited_by: 'in-flight' },
    headers: { 'Retry-After': '1' },
    turnedAway: 'account-in-flight',
  });
