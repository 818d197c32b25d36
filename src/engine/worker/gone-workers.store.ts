import type { Queryable } from '../database/database.js';

/** Deletes workers that were not seen for `ms`, and answers how many. */
export async function deleteGoneWorkers(database: Queryable, ms: number): Promise<number> {
  const { rowCount } = await database.query(
    `delete from workers where seen_at < now() - $1::integer * interval '1 millisecond'`,
    [ms],
  );
  return rowCount ?? 0;
}
