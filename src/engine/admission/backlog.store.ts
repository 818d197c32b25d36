import { theRow, type Queryable } from '../database/database.js';

/**
 * How long the oldest accepted run has waited for Temporal to be told of it, in milliseconds, by
 * the database's clock; 0 when none waits. Reads one entry of an index.
 */
export async function oldestStartMs(database: Queryable): Promise<number> {
  const { rows } = await database.query<{ age_ms: number }>(
    `select coalesce(extract(epoch from now() - min(created_at))::float8 * 1000, 0) as age_ms
     from outbox where kind = 'start' and sent_at is null`,
  );
  return theRow(rows).age_ms;
}
