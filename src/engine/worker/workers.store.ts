import type { Queryable } from '../database/database.js';

/** Says that a worker is alive, and which sagas it has as `saga@version`. */
export async function seeWorker(
  database: Queryable,
  id: string,
  versions: readonly string[],
): Promise<void> {
  await database.query(
    `insert into workers (id, versions) values ($1::text, $2::text[])
     on conflict (id) do update set seen_at = now(), versions = excluded.versions`,
    [id, versions],
  );
}

/** Takes a worker that has ended off the list. */
export async function forgetWorker(database: Queryable, id: string): Promise<void> {
  await database.query(`delete from workers where id = $1::text`, [id]);
}
