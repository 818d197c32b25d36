import type { Queryable } from '../database/database.js';

/**
 * Deletes claims whose time is over, oldest first, and answers how many. A batch a call, so that no
 * statement is long and no lock is held for long. Safe to run by many at once.
 */
export async function deleteExpiredClaims(database: Queryable, batch: number): Promise<number> {
  const { rowCount } = await database.query(
    `delete from claims
     where (account, key) in (
       select account, key from claims
       where expires_at <= now()
       order by expires_at
       limit $1::integer
       for update skip locked)`,
    [batch],
  );
  return rowCount ?? 0;
}
