import type { Queryable } from '../database/database.js';

/**
 * Deletes messages that were sent longer than `keptMs` ago, oldest first, and answers how many.
 * What they were about stays in the journal. A batch a call; safe to run by many at once.
 */
export async function deleteSentMessages(
  database: Queryable,
  keptMs: number,
  batch: number,
): Promise<number> {
  const { rowCount } = await database.query(
    `delete from outbox
     where id in (
       select id from outbox
       where sent_at <= now() - $1::bigint * interval '1 millisecond'
       order by sent_at
       limit $2::integer
       for update skip locked)`,
    [keptMs, batch],
  );
  return rowCount ?? 0;
}
