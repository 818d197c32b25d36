import type pg from 'pg';
import type { Database } from '../../src/engine/database/database.js';

/**
 * Has every statement of a database pass by, on connections that are open already too: what
 * `change` answers is asked in its place.
 */
export function changeStatements(
  database: Database,
  change: (text: string, connection: object) => string,
): void {
  const patch = (client: pg.PoolClient): void => {
    const query = client.query.bind(client) as (text: unknown, ...more: unknown[]) => unknown;
    const changed = (text: unknown, ...more: unknown[]) =>
      query(typeof text === 'string' ? change(text, client) : text, ...more);
    client.query = changed as typeof client.query;
  };
  database.on('connect', patch);
  (database as unknown as { readonly _clients: pg.PoolClient[] })._clients.forEach(patch);
}

/**
 * Keeps what is asked in transactions that hold the second lock, which are those of requests about
 * one account; what processes do by themselves is not among it.
 */
export function hearLocked(database: Database): string[] {
  const heard: string[] = [];
  const locked = new WeakSet<object>();
  changeStatements(database, (text, connection) => {
    if (text.includes('set local role')) locked.add(connection);
    if (locked.has(connection)) heard.push(text);
    if (text === 'commit' || text === 'rollback') locked.delete(connection);
    return text;
  });
  return heard;
}
