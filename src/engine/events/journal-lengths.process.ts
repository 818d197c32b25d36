import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../database/database.js';
import { readLengths } from '../runs/run-facts.store.js';

/** How long a watcher may not know of a step. A change of status is told at once. */
const POLL_MS = 1_000;

interface Waiter {
  readonly seq: number;
  readonly wake: () => void;
}

/** Tells when the journals of runs grow: one statement a second for all that are watched. */
export interface JournalLengths {
  /**
   * Ends when the journal of the run may have a line beyond `seq`: at the latest a second after it
   * has; or when `signal` is aborted. While the database is away it waits on.
   */
  untilLonger(run: string, seq: number, signal: AbortSignal): Promise<void>;
  /** Has everybody who waits for this run look at once. */
  tell(run: string): void;
}

/** Asks nothing while nobody waits. */
export function watchLengths(database: Database, closing: AbortSignal): JournalLengths {
  const waiting = new Map<string, Set<Waiter>>();
  let asking = false;

  const askOnce = async (): Promise<void> => {
    const lengths = await readLengths(database, [...waiting.keys()]).catch(() => []);
    for (const { run, seq } of lengths) {
      for (const waiter of [...(waiting.get(run) ?? [])]) {
        if (waiter.seq < seq) waiter.wake();
      }
    }
  };
  const keepAsking = async (): Promise<void> => {
    if (asking) return;
    asking = true;
    while (waiting.size > 0 && !closing.aborted) {
      await pause(POLL_MS, null, { signal: closing }).catch(() => null);
      await askOnce();
    }
    asking = false;
  };

  return {
    async untilLonger(run, seq, signal) {
      const ended = AbortSignal.any([signal, closing]);
      if (ended.aborted) return;
      await new Promise<void>((resolve) => {
        const waiter: Waiter = { seq, wake: () => leave() };
        const waiters = waiting.get(run) ?? new Set();
        const leave = () => {
          waiters.delete(waiter);
          if (waiters.size === 0 && waiting.get(run) === waiters) waiting.delete(run);
          ended.removeEventListener('abort', leave);
          resolve();
        };
        waiting.set(run, waiters.add(waiter));
        ended.addEventListener('abort', leave);
        void keepAsking();
      });
    },
    tell: (run) => [...(waiting.get(run) ?? [])].forEach(({ wake }) => wake()),
  };
}
