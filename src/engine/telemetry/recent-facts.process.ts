import { within } from './within.process.js';

/** Older facts are read anew: scrapes come every 10 s or more, and several may watch. */
const FRESH_MS = 5_000;
/** A scrape that has not read them by then goes without: it must answer within a second. */
const LIMIT_MS = 500;

export interface RecentFactsSettings<Facts> {
  readonly read: () => Promise<Facts>;
  /** A clock that never jumps, in milliseconds. */
  readonly monotonicMs: () => number;
}

/**
 * Answers facts that are at most 5 s old, or null when they could not be read within 500 ms. One
 * reading at a time: who comes while it lasts waits for the same one, so a database that hangs is
 * not asked by every scrape anew.
 */
export function recentFacts<Facts>(
  settings: RecentFactsSettings<Facts>,
): () => Promise<Facts | null> {
  let known: { readonly facts: Facts; readonly atMs: number } | null = null;
  let reading: Promise<Facts | null> | null = null;

  const read = async (): Promise<Facts | null> => {
    try {
      const facts = await settings.read();
      known = { facts, atMs: settings.monotonicMs() };
      return facts;
    } catch {
      return null;
    }
  };
  return async () => {
    if (known !== null && settings.monotonicMs() - known.atMs < FRESH_MS) return known.facts;
    reading ??= read().finally(() => {
      reading = null;
    });
    return within(LIMIT_MS, reading);
  };
}
