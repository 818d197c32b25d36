import type pg from 'pg';
import type { Database } from '../../src/engine/database/database.js';

/** What a statement that is one account's says; its parameter keeps its type. */
const PREDICATE = /\b(?:\w+\.)?account = (\$\d+::text)/g;

/** Has every statement of a database forget whose rows it is about; answers what has done so. */
export function forgetPredicates(database: Database): ReadonlySet<string> {
  const forgotten = new Set<string>();
  const forget = (text: unknown): unknown => {
    if (typeof text !== 'string') return text;
    const without = text.replaceAll(PREDICATE, '$1 is not null');
    if (without !== text) forgotten.add(text);
    return without;
  };
  const patch = (client: pg.PoolClient): void => {
    const query = client.query.bind(client) as (text: unknown, ...more: unknown[]) => unknown;
    const forgetful = (text: unknown, ...more: unknown[]) => query(forget(text), ...more);
    client.query = forgetful as typeof client.query;
  };
  database.on('connect', patch);
  // Those that are open already.
  (database as unknown as { readonly _clients: pg.PoolClient[] })._clients.forEach(patch);
  return forgotten;
}
