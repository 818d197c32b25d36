import type { Database } from '../database/database.js';
import { forgetWorker, runsLacking, seeWorker, type LackedRuns } from './workers.store.js';

/** Three signs may be missed before a worker counts as gone. */
const SIGN_EVERY_MS = 5_000;

export interface SignsOfLife {
  readonly database: Database;
  readonly id: string;
  readonly versions: readonly string[];
  /** Told with each sign which runs live whose version this worker lacks. */
  readonly onLacking: (runs: readonly LackedRuns[]) => void;
}

/**
 * Keeps this worker's row fresh, and looks for runs that it cannot go on with; answers what ends
 * that and removes the row.
 */
export async function giveSignsOfLife(of: SignsOfLife): Promise<() => Promise<void>> {
  const { database, id, versions, onLacking } = of;
  const look = async (): Promise<void> => {
    await seeWorker(database, id, versions);
    onLacking(await runsLacking(database, versions));
  };
  // A sign that fails is only late: the next one follows.
  const sign = (): Promise<void> => look().catch(() => undefined);
  await sign();
  const timer = setInterval(() => void sign(), SIGN_EVERY_MS);
  return async () => {
    clearInterval(timer);
    await forgetWorker(database, id).catch(() => undefined);
  };
}
