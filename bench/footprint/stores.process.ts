import { statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Stores } from './footprint.js';
import { STATISTICS_LAG_MS, type DatabaseLook } from './postgres.store.js';

/** Looks at both stores, when Postgres has counted what was done before. */
export async function lookAtStores(look: DatabaseLook, temporalFile: string): Promise<Stores> {
  await pause(STATISTICS_LAG_MS);
  return { database: await look.state(), temporalBytes: sizeWithLog(temporalFile) };
}

/** A SQLite file, and the log beside it if there is one. */
function sizeWithLog(file: string): number {
  return [file, `${file}-wal`].reduce(
    (sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}
