import type { Queryable } from '../database/database.js';

/**
 * Takes the lease `name` for `ms`, by the database's clock. Answers its fencing number, which grows
 * with every lease that is granted, or null while somebody holds it, the asker included. A holder
 * that dies loses it when the time is over.
 *
 * A lease alone proves nothing: its holder may be stopped, and go on when another one holds it.
 * So every write that it guards names the number and compares it (`where fence = …`).
 */
export async function tryLease(
  database: Queryable,
  name: string,
  holder: string,
  ms: number,
): Promise<number | null> {
  const { rows } = await database.query<{ fence: string }>(
    `insert into locks (name, holder, until)
     values ($1::text, $2::text, now() + $3::integer * interval '1 millisecond')
     on conflict (name) do update
     set holder = excluded.holder, until = excluded.until, fence = locks.fence + 1
     where locks.until <= now()
     returning fence`,
    [name, holder, ms],
  );
  return rows[0] === undefined ? null : Number(rows[0].fence);
}

/**
 * Gives a lease back before its time. False when it is not this holder's lease any more, and then
 * it changes nothing. The row stays, so that the fencing number goes on growing.
 */
export async function releaseLease(
  database: Queryable,
  name: string,
  holder: string,
  fence: number,
): Promise<boolean> {
  const { rowCount } = await database.query(
    `update locks set until = now()
     where name = $1::text and holder = $2::text and fence = $3::bigint and until > now()`,
    [name, holder, fence],
  );
  return rowCount === 1;
}
