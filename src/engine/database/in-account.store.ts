import pg from 'pg';
import {
  inTransaction,
  planFor,
  sqlState,
  type Database,
  type Opening,
  type Queryable,
  type Tx,
} from './database.js';

/** The role that sees nothing but what belongs to one account: see 0012_second_lock.sql. */
export const CUSTOMER_ROLE = 'recourse_customer';

/**
 * As `inTransaction`, with the second lock: no statement of `work` finds, changes or makes a row of
 * another account, whatever its predicates have forgotten. It costs no round trip more.
 */
export function inAccount<Result>(
  database: Database,
  account: string,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  return inTransaction(database, work, lockedTo(account));
}

/** The beginning of a transaction that holds the second lock, for who begins it otherwise. */
export function lockedTo(account: string): Opening {
  return locked('begin', account);
}

/**
 * Reads with the second lock: each statement is a transaction of its own that can write nothing,
 * and with its beginning and end it is one round trip.
 */
export function readerOf(database: Database, account: string): Queryable {
  const { text: begin, plans } = locked('begin read only', account);
  const query = async (text: string, values: readonly unknown[] = []) => {
    const client = (await database.connect()) as Tx;
    planFor(client, plans);
    const [begun, found, ended] = await Promise.allSettled([
      client.query(begin),
      client.query(text, [...values]),
      client.query('commit'),
    ]);
    planFor(client, null);
    // One that may still be in a transaction is closed, not reused.
    client.release(ended.status === 'rejected' ? true : undefined);
    // What was read without the lock is not handed out.
    if (begun.status === 'rejected') throw begun.reason;
    if (found.status === 'rejected') throw found.reason;
    if (ended.status === 'rejected') throw ended.reason;
    return found.value;
  };
  return { query } as Queryable;
}

/** Why the second lock cannot be used; null: it can. Throws what the database throws else. */
export async function lockProblem(database: Database): Promise<string | null> {
  try {
    await readerOf(database, 'nobody').query('select');
    return null;
  } catch (error) {
    const state = sqlState(error);
    if (state !== INSUFFICIENT_PRIVILEGE && state !== NO_SUCH_ROLE) throw error;
    return `it lacks the role ${CUSTOMER_ROLE}, or its user may not take it`;
  }
}

const INSUFFICIENT_PRIVILEGE = '42501';
const NO_SUCH_ROLE = '22023';

/** One message: where one of the statements fails, the transaction does nothing any more. */
function locked(begin: string, account: string): Opening {
  const text =
    `${begin}; set local role ${CUSTOMER_ROLE}; ` +
    `set local recourse.account = ${pg.escapeLiteral(account)}`;
  return { text, plans: CUSTOMER_ROLE };
}
