import { expect, test } from 'vitest';
import {
  addLeft,
  footprintOf,
  NOTHING_LEFT,
  type Stores,
} from '../../bench/footprint/footprint.js';

const stores = (rows: Record<string, number>, grown: number): Stores => ({
  database: { rows, bytes: grown, walBytes: 2 * grown, transactions: grown / 100 },
  temporalBytes: 10 * grown,
});

test('what trips leave is the difference of two looks, summed and divided by the trips', () => {
  const first = addLeft(
    NOTHING_LEFT,
    10,
    stores({ runs: 5, workers: 1, journal: 0 }, 1_000),
    stores({ runs: 15, workers: 2, journal: 110 }, 3_000),
  );
  const both = addLeft(
    first,
    30,
    stores({ runs: 15, workers: 2, journal: 110 }, 5_000),
    stores({ runs: 45, workers: 2, journal: 110 }, 9_000),
  );
  expect(footprintOf('a', both, { events: 41, bytes: 9_000 })).toEqual({
    name: 'a',
    history_events: 41,
    history_bytes: 9_000,
    // The one row of `workers` comes from no trip.
    postgres_rows: 1 + 2.75,
    postgres_rows_by_table: { runs: 1, journal: 2.75 },
    postgres_bytes: 150,
    wal_bytes: 300,
    transactions: 1.5,
    temporal_file_bytes: 1_500,
  });
});
