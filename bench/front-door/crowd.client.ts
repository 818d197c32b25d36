import { quantileOf } from '../result/numbers.js';
import type { Asked, Client } from './post.client.js';

/** What came of many who sent one key at the same moment, over several processes. */
export interface CrowdFigures {
  readonly rounds: number;
  readonly posts_each: number;
  /** Of all rounds; each round has one booking, and every 202 of it is that one. */
  readonly accepted_or_replayed: number;
  readonly told_to_ask_again: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
}

/** Who posts, and how often. */
export interface Crowd {
  readonly clients: readonly Client[];
  readonly rounds: number;
  readonly postsEach: number;
  /** The request of a round; the same for everybody in it. */
  readonly request: (round: number) => Asked;
}

/**
 * Sends each round's request from everybody at once. Throws when two of the 202 of a round differ
 * in a byte, when a round has none, and on any answer beside 202 and 409.
 */
export async function crowd(wishes: Crowd): Promise<CrowdFigures> {
  const took: number[] = [];
  let accepted = 0;
  for (let round = 0; round < wishes.rounds; round += 1) {
    accepted += await oneRound(wishes, round, took);
  }
  const { rounds, postsEach } = wishes;
  return {
    rounds,
    posts_each: postsEach,
    accepted_or_replayed: accepted,
    told_to_ask_again: rounds * postsEach - accepted,
    p50_ms: quantileOf(took, 0.5),
    p99_ms: quantileOf(took, 0.99),
  };
}

async function oneRound(
  { clients, postsEach, request }: Crowd,
  round: number,
  took: number[],
): Promise<number> {
  const asked = request(round);
  const answers = await Promise.all(
    Array.from({ length: postsEach }, async (_, n) => {
      const sentAt = performance.now();
      const client = clients[n % clients.length];
      if (client === undefined) throw new RangeError('nobody was told whom to ask');
      const answered = await client.ask(asked);
      took.push(performance.now() - sentAt);
      return answered;
    }),
  );
  const strange = answers.find(({ status }) => status !== 202 && status !== 409);
  if (strange !== undefined) throw new Error(`round ${round}: ${strange.status} ${strange.text}`);
  const accepted = answers.filter(({ status }) => status === 202);
  const bookings = new Set(accepted.map(({ text }) => text));
  if (bookings.size !== 1) throw new Error(`round ${round}: ${bookings.size} different answers`);
  return accepted.length;
}
