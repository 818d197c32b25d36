import type { Queryable } from '../database/database.js';

/** What an account may ask for; a window is ten seconds. */
export interface AccountLimits {
  /** Requests GET and HEAD in a window. */
  readonly readsPerWindow: number;
  /** All other requests in a window. */
  readonly writesPerWindow: number;
  /** Runs that have not ended, at the same time. */
  readonly activeRuns: number;
}

/** An account as it is listed. */
export interface Account extends AccountLimits {
  readonly id: string;
  readonly name: string;
  /** How many of its runs have not ended. */
  readonly runsNow: number;
}

/** All accounts with their limits, by id. */
export async function listAccounts(database: Queryable): Promise<readonly Account[]> {
  const { rows } = await database.query<Account>(
    `select id, name, reads_per_window as "readsPerWindow", writes_per_window as "writesPerWindow",
       active_runs as "activeRuns",
       (select coalesce(sum(taken), 0)::integer from run_places where account = accounts.id)
         as "runsNow"
     from accounts order by id`,
  );
  return rows;
}

/**
 * Sets the limits that are given, and leaves the others; false: there is no such account. Those of
 * requests count from the next window on, at the latest ten seconds from now; that of runs at once,
 * and one below what is active now as runs end.
 */
export async function setLimits(
  database: Queryable,
  account: string,
  limits: Partial<AccountLimits>,
): Promise<boolean> {
  const { readsPerWindow = null, writesPerWindow = null, activeRuns = null } = limits;
  const { rowCount } = await database.query(
    `update accounts
     set reads_per_window = coalesce($2::integer, reads_per_window),
       writes_per_window = coalesce($3::integer, writes_per_window),
       active_runs = coalesce($4::integer, active_runs)
     where id = $1::text`,
    [account, readsPerWindow, writesPerWindow, activeRuns],
  );
  return rowCount === 1;
}

/** Gives an account at least these limits; wider ones stay. Safe to run again. */
export async function widenLimits(
  database: Queryable,
  account: string,
  { readsPerWindow, writesPerWindow, activeRuns }: AccountLimits,
): Promise<void> {
  await database.query(
    `update accounts
     set reads_per_window = greatest(reads_per_window, $2::integer),
       writes_per_window = greatest(writes_per_window, $3::integer),
       active_runs = greatest(active_runs, $4::integer)
     where id = $1::text`,
    [account, readsPerWindow, writesPerWindow, activeRuns],
  );
}
