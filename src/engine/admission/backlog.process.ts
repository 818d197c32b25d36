import type { Queryable } from '../database/database.js';
import { oldestStartMs } from './backlog.store.js';

/** A backlog grows by a second a second. */
const EVERY_MS = 1_000;

/** Whether accepted runs wait too long for Temporal. */
export interface Backlog {
  /** As of the last look; false while the database does not answer, which refuses by itself. */
  isOld(): boolean;
  close(): void;
}

/** Looks once a second how long the oldest start has waited, and never while somebody asks. */
export function watchBacklog(database: Queryable, limitMs: number): Backlog {
  let isOld = false;
  let looking = false;
  const look = async (): Promise<void> => {
    if (looking) return;
    looking = true;
    try {
      isOld = (await oldestStartMs(database)) > limitMs;
    } catch {
      isOld = false;
    } finally {
      looking = false;
    }
  };
  const timer = setInterval(() => void look(), EVERY_MS);
  timer.unref();
  void look();
  return { isOld: () => isOld, close: () => clearInterval(timer) };
}
