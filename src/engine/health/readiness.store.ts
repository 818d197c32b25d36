import type { Queryable } from '../database/database.js';

/** A worker that was not seen for this long counts for nothing; it says so every few seconds. */
export const WORKER_ALIVE_MS = 30_000;

/**
 * The versions of sagas, as `saga@version`, that have runs which go on, and no live worker.
 */
export async function versionsWithoutWorker(database: Queryable): Promise<readonly string[]> {
  const { rows } = await database.query<{ version: string }>(
    `with living as (
       select distinct runs.saga || '@' || runs.version as version
       from runs where runs.ended_at is null
     )
     select living.version from living
     where not exists (
       select from workers
       where living.version = any(workers.versions)
         and workers.seen_at > now() - $1::integer * interval '1 millisecond')
     order by living.version`,
    [WORKER_ALIVE_MS],
  );
  return rows.map((row) => row.version);
}
