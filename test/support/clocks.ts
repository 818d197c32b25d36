import { openDatabase, type Database } from '../../src/engine/database/database.js';

// A database whose clock the test sets, for each pool its own: the names `now` and
// `clock_timestamp` lead to functions that add what the connection was opened with.

/** Makes the clocks of a database of one's own; once, before any pool is opened on them. */
export async function makeClocks(database: Database): Promise<void> {
  await database.query(`
    create schema clock;
    grant usage on schema clock to recourse_customer;
    create function clock.ahead() returns interval language sql stable
      return coalesce(current_setting('clock.ahead', true), '0 s')::interval;
    create function clock.now() returns timestamptz language sql stable
      return pg_catalog.now() + clock.ahead();
    create function clock.clock_timestamp() returns timestamptz language sql volatile
      return pg_catalog.clock_timestamp() + clock.ahead();
  `);
}

/** A pool whose clock is so much ahead of the server's, and which lives in a time zone. */
export function openAhead(url: string, aheadMs: number, zone = 'UTC', connections = 5): Database {
  const options = [
    'search_path=clock,pg_catalog,public',
    `clock.ahead=${aheadMs}ms`,
    `timezone=${zone}`,
  ];
  const place = new URL(url);
  place.searchParams.set('options', options.map((option) => `-c ${option}`).join(' '));
  return openDatabase({ url: place.href, name: 'clock test', connections });
}
