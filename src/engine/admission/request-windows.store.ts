import { theRow, type Queryable } from '../database/database.js';
import type { Lease, RequestKind } from './request-rates.js';

/** How long a window is. */
export const WINDOW_S = 10;

/**
 * Takes a part of what an account may still ask for in its window, by the database's clock. A part
 * that is not used, as when the process dies, is lost to the account until the window ends.
 */
export async function leaseRequests(
  database: Queryable,
  account: string,
  kind: RequestKind,
): Promise<Lease> {
  const { rows } = await database.query<Lease>(
    `select granted, remaining, quota, ends_in_ms as "endsInMs"
     from lease_requests($1::text, $2::text, $3::integer)`,
    [account, kind, WINDOW_S * 1_000],
  );
  return theRow(rows);
}
