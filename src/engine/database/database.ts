import type pg from 'pg';
import { setTimeout as pause } from 'node:timers/promises';
import { WatchedPool } from './watched-pool.store.js';

/** A pool of connections to the one database of an installation. */
export type Database = pg.Pool;

/** A transaction that is open. A function that takes one cannot be called outside of one. */
export interface Tx extends pg.PoolClient {
  readonly [inTransactionOnly]: true;
}
declare const inTransactionOnly: unique symbol;

/** Either: for reads that are right in both places. */
export type Queryable = Pick<pg.Pool, 'query'>;

export interface DatabaseSettings {
  readonly url: string;
  /** Shown in pg_stat_activity. */
  readonly name: string;
  readonly connections?: number;
  /**
   * Called when a connection is lost that no statement runs on: what answers next may be an older
   * copy of the database. Where a statement runs, that fails.
   */
  readonly onLost?: () => void;
}

/** Longer than any honest statement here; what takes longer is stuck and is let go. */
const STATEMENT_TIMEOUT_MS = 5_000;
/** Opening a connection takes no longer than this, or the caller hears `unavailable`. */
const CONNECT_TIMEOUT_MS = 5_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;
/** A dead connection is noticed in seconds, not after the two hours of TCP's own keep-alive. */
const KEEP_ALIVE_DELAY_MS = 5_000;

/**
 * Opens a pool. A connection that breaks is replaced when it is next needed; its error never ends
 * the process. Rows come back with timestamps as Date and bigint as string.
 */
export function openDatabase(settings: DatabaseSettings): Database {
  const lost = settings.onLost ?? (() => undefined);
  const pool = new WatchedPool({
    connectionString: settings.url,
    application_name: settings.name,
    max: settings.connections ?? 10,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: STATEMENT_TIMEOUT_MS + 1_000,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    // Statements that do not wait for each other's answers share a round trip.
    pipeline: true,
  });
  // Without these two a stopped server would end the process that only wanted to wait for it.
  pool.on('error', lost);
  pool.on('connect', (client) => {
    client.on('error', lost);
    prepareStatements(client);
  });
  return pool;
}

/**
 * For how long the first of those who wait for a connection has found all of them in use, in
 * milliseconds; 0: nobody waits.
 */
export function poolWaitMs(database: Database): number {
  return database instanceof WatchedPool ? database.waitMs() : 0;
}

type QueryFunction = (text: unknown, values?: unknown, done?: unknown) => unknown;

/** The texts of this program are few and constant, so each has one name in all connections. */
const names = new Map<string, string>();

/** The role for which a connection plans; none: that of its user. */
const planners = new WeakMap<object, string>();

/**
 * Has what a connection asks from now on planned for a role; null: for its own. A plan holds for
 * one role, so a statement that two roles use would be planned anew at each turn.
 */
export function planFor(client: object, role: string | null): void {
  if (role === null) planners.delete(client);
  else planners.set(client, role);
}

/**
 * Has a connection plan each statement with parameters once, and not every time. In front of a
 * pooler that hands out connections by transaction this needs one that knows prepared statements.
 */
function prepareStatements(client: pg.PoolClient): void {
  const query = client.query.bind(client) as QueryFunction;
  const prepared: QueryFunction = (text, values, done) => {
    if (typeof text !== 'string' || !Array.isArray(values)) return query(text, values, done);
    const planned = `${planners.get(client) ?? ''} ${text}`;
    const name = names.get(planned) ?? `recourse_${names.size + 1}`;
    names.set(planned, name);
    return query({ name, text, values: values as readonly unknown[] }, done);
  };
  client.query = prepared as typeof client.query;
}

/** Deadlocks and serialization failures: the whole transaction may be tried again. */
const RETRYABLE = new Set(['40001', '40P01']);
const TRANSACTION_TRIES = 3;
const RETRY_PAUSE_MS = 20;

/**
 * Runs `work` in one transaction and answers what it answers. Rolled back when it throws. Tried
 * again after a deadlock, so `work` must do nothing but query. When the connection is lost during
 * the commit the error is thrown although the transaction may stand: who must know reads its own
 * row.
 */
export function inTransaction<Result>(
  database: Database,
  work: (tx: Tx) => Promise<Result>,
  opening: Opening = AS_USER,
): Promise<Result> {
  const parts: FewTrips<void, Result> = {
    look: () => Promise.resolve(),
    work: async (tx) => ({ result: await work(tx), last: [] }),
  };
  return inFewTrips(database, parts, opening);
}

/** What a transaction begins with, in one message, and the role for which it is planned. */
export interface Opening {
  readonly text: string;
  /** Null: that of the connection's user. */
  readonly plans: string | null;
}

const AS_USER: Opening = { text: 'begin', plans: null };

/** A transaction whose first and last statements share the round trips of its begin and commit. */
export interface FewTrips<Found, Result> {
  /** Sent with the begin, whose outcome it does not wait for: it may only look, and lock. */
  readonly look: (tx: Tx) => Promise<Found>;
  /**
   * Decides, and may query. What it answers as `last` is sent with the commit: those statements
   * must be right as soon as they do not fail, because nothing is decided after them.
   */
  readonly work: (tx: Tx, found: Found) => Promise<Ending<Result>>;
}

export interface Ending<Result> {
  readonly result: Result;
  readonly last: readonly ((tx: Tx) => Promise<unknown>)[];
}

/** As `inTransaction`, in two round trips when `work` queries nothing. */
export async function inFewTrips<Found, Result>(
  database: Database,
  parts: FewTrips<Found, Result>,
  opening: Opening = AS_USER,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await tryTransaction(database, opening, parts);
    } catch (error) {
      if (attempt >= TRANSACTION_TRIES || !RETRYABLE.has(sqlState(error) ?? '')) throw error;
      await pause(RETRY_PAUSE_MS * attempt);
    }
  }
}

interface Notice {
  readonly channel: string;
  readonly payload: string;
}

const noticesOf = new WeakMap<Tx, Notice[]>();

/**
 * Tells whoever listens on a channel, once the transaction has committed, and not at all when it is
 * rolled back. A crash in between loses the notice: a listener must come by on its own, too.
 */
export function notifyAfterCommit(tx: Tx, channel: string, payload: string): void {
  noticesOf.set(tx, [...(noticesOf.get(tx) ?? []), { channel, payload }]);
}

const announcing = new WeakMap<Database, Notice[]>();

/**
 * Tells whoever listens on a channel of something that is committed. Not in the transaction that
 * did it, because Postgres commits transactions that notify one after another; and what comes up
 * while one statement is on its way goes together with the next. A notice can be lost.
 */
export function announce(database: Database, channel: string, payload: string): void {
  const waiting = announcing.get(database);
  if (waiting !== undefined) {
    waiting.push({ channel, payload });
    return;
  }
  announcing.set(database, [{ channel, payload }]);
  void sendNotices(database).finally(() => announcing.delete(database));
}

async function sendNotices(database: Database): Promise<void> {
  for (;;) {
    const notices = announcing.get(database)?.splice(0) ?? [];
    if (notices.length === 0) return;
    const told = new Map(notices.map((one) => [`${one.channel} ${one.payload}`, one]));
    await database
      .query(
        `select pg_notify(channel, payload)
         from unnest($1::text[], $2::text[]) as notices (channel, payload)`,
        [
          [...told.values()].map((one) => one.channel),
          [...told.values()].map((one) => one.payload),
        ],
      )
      .catch(() => undefined);
  }
}

async function tryTransaction<Found, Result>(
  database: Database,
  { text, plans }: Opening,
  { look, work }: FewTrips<Found, Result>,
): Promise<Result> {
  const client = (await database.connect()) as Tx;
  let broken: Error | undefined;
  noticesOf.delete(client);
  try {
    planFor(client, plans);
    const [, found] = await Promise.all([client.query(text), look(client)]);
    const { result, last } = await work(client, found);
    // A commit that comes after a statement that failed is a rollback, by Postgres itself.
    await Promise.all([...last.map((send) => send(client)), client.query('commit')]);
    const notices = noticesOf.get(client) ?? [];
    for (const { channel, payload } of notices) announce(database, channel, payload);
    return result;
  } catch (error) {
    await client.query('rollback').catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    planFor(client, null);
    // A connection whose rollback failed is in an unknown state and is closed, not reused.
    client.release(broken);
  }
}

/** The one row of a statement that cannot answer none. Throws a RangeError when it did. */
export function theRow<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined) throw new RangeError('a statement that always answers a row had none');
  return row;
}

/** The SQLSTATE of a Postgres error, or undefined for any other. */
export function sqlState(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code)
    ? error.code
    : undefined;
}
