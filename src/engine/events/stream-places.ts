import { Problem } from '../http/problem.js';

/** Each stream costs some tens of kilobytes and a socket; an account shall not take all of them. */
const MOST_STREAMS = 1_000;
const MOST_OF_ACCOUNT = 250;

/** When a place may be free again: streams end when their runs do, which takes seconds. */
const RETRY_AFTER = { 'Retry-After': '5' };
const OF_ACCOUNT = {
  headers: RETRY_AFTER,
  members: { limited_by: 'streams' },
  turnedAway: 'account-streams',
} as const;
const OF_PROCESS = { headers: RETRY_AFTER, turnedAway: 'streams' } as const;

/** How many streams, or answers that are held, one process serves. */
export interface StreamPlaces {
  /**
   * Takes a place and answers how to leave it. Throws Problem: rate-limited when the account has
   * too many, overloaded when the process has.
   */
  enter(account: string): () => void;
}

/** No place is taken yet. */
export function streamPlaces(
  most: { readonly all: number; readonly account: number } = {
    all: MOST_STREAMS,
    account: MOST_OF_ACCOUNT,
  },
): StreamPlaces {
  const taken = new Map<string, number>();
  let all = 0;
  return {
    enter(account) {
      const own = taken.get(account) ?? 0;
      if (own >= most.account) throw new Problem('rate-limited', OF_ACCOUNT);
      if (all >= most.all) throw new Problem('overloaded', OF_PROCESS);
      taken.set(account, own + 1);
      all += 1;
      let isIn = true;
      return () => {
        if (!isIn) return;
        isIn = false;
        all -= 1;
        const left = (taken.get(account) ?? 1) - 1;
        if (left === 0) taken.delete(account);
        else taken.set(account, left);
      };
    },
  };
}
