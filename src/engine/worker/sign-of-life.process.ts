import type { Database } from '../database/database.js';
import { forgetWorker, seeWorker } from './workers.store.js';

/** Three signs may be missed before a worker counts as gone. */
const SIGN_EVERY_MS = 5_000;

/** Keeps this worker's row fresh; answers what ends that and removes the row. */
export async function giveSignsOfLife(
  database: Database,
  id: string,
  versions: readonly string[],
): Promise<() => Promise<void>> {
  // A sign that fails is only late: the next one follows.
  const sign = (): Promise<void> => seeWorker(database, id, versions).catch(() => undefined);
  await sign();
  const timer = setInterval(() => void sign(), SIGN_EVERY_MS);
  return async () => {
    clearInterval(timer);
    await forgetWorker(database, id).catch(() => undefined);
  };
}
