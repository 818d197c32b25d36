import type { DatabaseState } from './postgres.store.js';

/** The stores at one moment. */
export interface Stores {
  readonly database: DatabaseState;
  readonly temporalBytes: number;
}

/** What a contestant's trips have left, summed over their measurements. */
export interface Left {
  readonly trips: number;
  readonly rows: Readonly<Record<string, number>>;
  readonly databaseBytes: number;
  readonly walBytes: number;
  readonly transactions: number;
  readonly temporalBytes: number;
}

export const NOTHING_LEFT: Left = {
  ...{ trips: 0, rows: {}, databaseBytes: 0, walBytes: 0, transactions: 0, temporalBytes: 0 },
};

/** Adds what `trips` trips have left between two looks. */
export function addLeft(left: Left, trips: number, before: Stores, after: Stores): Left {
  const tables = Object.keys(after.database.rows);
  const more = (table: string) =>
    (after.database.rows[table] ?? 0) - (before.database.rows[table] ?? 0);
  const grown = (member: 'bytes' | 'walBytes' | 'transactions') =>
    after.database[member] - before.database[member];
  return {
    trips: left.trips + trips,
    rows: Object.fromEntries(tables.map((table) => [table, (left.rows[table] ?? 0) + more(table)])),
    databaseBytes: left.databaseBytes + grown('bytes'),
    walBytes: left.walBytes + grown('walBytes'),
    transactions: left.transactions + grown('transactions'),
    temporalBytes: left.temporalBytes + after.temporalBytes - before.temporalBytes,
  };
}

/** What one trip of a contestant leaves behind. */
export interface Footprint {
  readonly name: string;
  readonly history_events: number;
  readonly history_bytes: number;
  readonly postgres_rows: number;
  readonly postgres_rows_by_table: Readonly<Record<string, number>>;
  readonly postgres_bytes: number;
  readonly wal_bytes: number;
  readonly transactions: number;
  readonly temporal_file_bytes: number;
}

/** Divides by the trips. `history` is that of a usual trip. */
export function footprintOf(
  name: string,
  left: Left,
  history: { readonly events: number; readonly bytes: number },
): Footprint {
  const each = (sum: number) => sum / left.trips;
  const rows = Object.entries(left.rows)
    .map(([table, sum]): [string, number] => [table, each(sum)])
    .filter(([, count]) => Math.abs(count) >= LEAST_ROWS);
  return {
    name,
    history_events: history.events,
    history_bytes: history.bytes,
    postgres_rows: rows.reduce((sum, [, count]) => sum + count, 0),
    postgres_rows_by_table: Object.fromEntries(rows),
    postgres_bytes: each(left.databaseBytes),
    wal_bytes: each(left.walBytes),
    transactions: each(left.transactions),
    temporal_file_bytes: each(left.temporalBytes),
  };
}

/** Fewer rows than this a trip come from somebody's clock, and not from trips. */
const LEAST_ROWS = 0.05;
