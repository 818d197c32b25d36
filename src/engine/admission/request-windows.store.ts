import { theRow, type Queryable } from '../database/database.js';
import { isReadOnly } from '../database/unavailable.js';
import type { Lease, RequestKind } from './request-rates.js';

/** How long a window is. */
export const WINDOW_S = 10;

/**
 * Takes a part of what an account may still ask for in its window, by the database's clock. A part
 * that is not used, as when the process dies, is lost to the account until the window ends. While
 * the database only reads, nothing can be counted there: then each process gives an account's reads
 * a window of its own.
 */
export async function leaseRequests(
  database: Queryable,
  account: string,
  kind: RequestKind,
): Promise<Lease> {
  try {
    const { rows } = await database.query<Lease>(
      `select granted, remaining, quota, ends_in_ms as "endsInMs"
       from lease_requests($1::text, $2::text, $3::integer)`,
      [account, kind, WINDOW_S * 1_000],
    );
    return theRow(rows);
  } catch (error) {
    if (kind === 'reads' && isReadOnly(error)) return ownWindow(database, account);
    throw error;
  }
}

async function ownWindow(database: Queryable, account: string): Promise<Lease> {
  const { rows } = await database.query<Pick<Lease, 'granted' | 'quota'>>(
    `select reads_per_window as granted, reads_per_window as quota
     from accounts where id = $1::text`,
    [account],
  );
  return { ...theRow(rows), remaining: 0, endsInMs: WINDOW_S * 1_000 };
}
