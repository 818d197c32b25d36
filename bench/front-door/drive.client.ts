import { quantileOf } from '../result/numbers.js';
import type { Answered, Asked, Client } from './post.client.js';

/** What was seen of a server that was asked again and again. */
export interface Driven {
  readonly count: number;
  readonly per_second: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
}

/** Who asks, how many at once, for how long, and what counts as an answer. */
export interface Drive {
  readonly client: Client;
  readonly atOnce: number;
  readonly seconds: number;
  /** The n-th request, from 0; undefined: there are no more. */
  readonly next: (n: number) => Asked | undefined;
  /** Whether it is the answer to the n-th request. */
  readonly isRight: (answered: Answered, n: number) => boolean;
}

/**
 * Asks with so many at once, each the next as soon as it has its answer. Throws on the first answer
 * that is not right: a figure of answers that are wrong means nothing.
 */
export async function drive({ client, atOnce, seconds, next, isRight }: Drive): Promise<Driven> {
  const took: number[] = [];
  const began = performance.now();
  const until = began + seconds * 1_000;
  let n = 0;
  const one = async (): Promise<void> => {
    while (performance.now() < until) {
      const mine = n++;
      const asked = next(mine);
      if (asked === undefined) return;
      const sentAt = performance.now();
      const answered = await client.ask(asked);
      took.push(performance.now() - sentAt);
      if (!isRight(answered, mine)) {
        throw new Error(`${asked.method} ${asked.path}: ${answered.status} ${answered.text}`);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  const lasted = performance.now() - began;
  return {
    count: took.length,
    per_second: (took.length * 1_000) / lasted,
    p50_ms: quantileOf(took, 0.5),
    p99_ms: quantileOf(took, 0.99),
  };
}
