import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { AskedFor } from '../../bench/front-door/ask-for.client.js';
import type { AskedFigures } from '../../bench/front-door/front-door.process.js';
import { pageWith } from '../../bench/result/page.js';
import { jsonOf, type Results } from '../../bench/result/results.js';
import { figuresOf, ratiosOf } from '../../bench/result/summarise.js';
import { tablesOf } from '../../bench/result/tables.js';
import { seen } from './measured.js';

const all = [
  seen('a', 0, { confirmedMs: [15], cpuMs: { worker: 1_234.5, api: 20, temporal: 3, client: 9 } }),
  seen('b', 0, { cpuMs: { 'worker by hand': 70, 'front by hand': 10, temporal: 100 } }),
];

const once = (value: number) => ({ middle: value, least: value, most: value });
const requests = (name: AskedFor, perSecond: number): AskedFigures => ({
  ...{ name, per_second: once(perSecond), p50_ms: once(20), p99_ms: once(50.5) },
  ...{ api_cpu_ms: once(0.7), postgres_cpu_ms: once(0.4) },
});

const results: Results = {
  made_on: '2026-02-03',
  machine: {
    ...{ cpu: 'a processor', cores: 2, memory_gib: 24, kernel: 'Linux 6', commit: 'abc' },
    ...{ node: 'v20.20.2', temporal_sdk: '1.24.0', temporal_server: '1.32.1', postgres: '18.4' },
  },
  rounds: 1,
  seconds_each: 8,
  by_hand_worker: { used: 'defaults', trips_per_second: { defaults: 12.3456789 } },
  idle_cpu_ms: { api: 1 },
  figures: figuresOf(all),
  ratios: ratiosOf(all, 'a', 'b'),
  footprints: [
    {
      ...{ name: 'a', history_events: 41, history_bytes: 9_012, postgres_rows: 22 },
      ...{ postgres_rows_by_table: { runs: 1 }, postgres_bytes: 12_345.6, wal_bytes: 0 },
      ...{ transactions: 0.001, temporal_file_bytes: 7 },
    },
  ],
  explorer: {
    saga: 'book-trip@2',
    one_core: {
      ...{ faults: 2, schedules: 404 },
      schedules_per_second: { middle: 5_678.9, least: 5_000, most: 6_000 },
    },
    all_cores: { threads: 2, by_faults: [4, 400, 23_456], seconds: 12.345 },
  },
  claims: {
    ...{ rows: 1_000_000, bytes_a_row: { '237': 470.4, '741': 1_064.2 }, at_once: 20 },
    claims_per_second: { middle: 2_345.6, least: 2_000, most: 2_500 },
    replays_per_second: { middle: 5_000, least: 5_000, most: 5_000 },
    recent_per_second: { middle: 99_999, least: 99_999, most: 99_999 },
  },
  front_door: {
    at_once: 50,
    asked: [requests('bare', 2_000), requests('accepted', 1_234.5)],
    accepted_to_bare: { middle: 0.617, least: 0.6, most: 0.63 },
    crowd: {
      ...{ rounds: 100, posts_each: 1_000, p50_ms: 12.34, p99_ms: 234.5 },
      ...{ accepted_or_replayed: 60_000, told_to_ask_again: 40_000 },
    },
  },
};

describe('the tables', () => {
  test('say what was measured, with the process by hand beside the one whose place it takes', () => {
    expect(tablesOf(results).split('\n')).toEqual([
      '| at once | | trips a second | p50 ms | p99 ms | confirmed, p50 ms | CPU ms a trip |',
      '|---|--:|--:|--:|--:|--:|--:|',
      '| 20 | the engine | 10 | 20 | 40 | 15 | 126 |',
      '| 20 | saga by hand | 10 | 20 | 40 | | 18 |',
      '',
      '| at once | ratio | of trips a second | of CPU a trip |',
      '|---|--:|--:|--:|',
      '| 20 | the engine / saga by hand | 1 | 6.99 |',
      '',
      '| CPU ms a trip at 20 | the engine | saga by hand |',
      '|---|--:|--:|',
      '| API, or the front by hand | 2 | 1 |',
      '| worker | 123 | 7 |',
      '| relay | | |',
      '| Postgres | | |',
      '| Temporal server | 0.3 | 10 |',
      '| sandbox | | |',
      '',
      '| left by a trip | the engine |',
      '|---|--:|',
      '| history events | 41 |',
      '| history bytes | 9,010 |',
      '| bytes of the Temporal file | 7 |',
      '| Postgres rows | 22 |',
      '| Postgres bytes | 12,300 |',
      '| bytes of the write-ahead log | 0 |',
      '| transactions | 0 |',
      '',
      '| at the front door, 50 at once | a second | p50 ms | p99 ms | CPU ms: API | Postgres |',
      '|---|--:|--:|--:|--:|--:|',
      '| bare Nest route, one insert | 2,000 | 20 | 50.5 | 0.7 | 0.4 |',
      '| accepted | 1,230 | 20 | 50.5 | 0.7 | 0.4 |',
      '',
      '| in all | |',
      '|---|--:|',
      '| accepted to the bare route | 0.617 (0.6–0.63) |',
      '| posts of one key at once, over two APIs | 1,000 |',
      '| rounds of it, each with one booking | 100 |',
      '| answered 202, all the same bytes in a round | 60,000 |',
      '| answered 409, ask again | 40,000 |',
      '| p99 ms of them | 235 |',
      '',
      '| 1,000,000 claims, 20 at once | |',
      '|---|--:|',
      '| bytes of a claim with an answer of 237 bytes, with its index | 470 |',
      '| bytes of a claim with an answer of 741 bytes, with its index | 1,060 |',
      '| claims a second | 2,350 (2,000–2,500) |',
      '| replays a second from the table | 5,000 |',
      '| replays a second from memory | 100,000 |',
      '',
      '| the explorer on book-trip@2 | |',
      '|---|--:|',
      '| schedules with 0 faults | 4 |',
      '| schedules with 1 faults | 400 |',
      '| schedules with 2 faults | 23,456 |',
      '| seconds for all of them, in 2 threads | 12.3 |',
      '| schedules a second in those | 1,930 |',
      '| schedules a second in one thread, up to 2 faults | 5,680 (5,000–6,000) |',
    ]);
  });

  test('a spread is told where there was more than one round', () => {
    const rounds = [seen('a', 0, { seconds: 1 }), seen('a', 1, { seconds: 2 })];
    const without = { ratios: [], footprints: [], explorer: null, claims: null, front_door: null };
    const told = tablesOf({ ...results, figures: figuresOf(rounds), ...without });
    expect(told).toContain('| 20 | the engine | 7.5 (5–10) |');
  });
});

test('the file has four digits of what is no whole number', () => {
  const read = JSON.parse(jsonOf(results)) as Results;
  expect(read.by_hand_worker.trips_per_second).toEqual({ defaults: 12.35 });
  expect(read.footprints[0]?.history_bytes).toBe(9_012);
});

describe('the page', () => {
  const page = (between: string) =>
    '# Performance\n\n' +
    `<!-- measured: \`npm run bench\` writes what is between these lines -->\n${between}` +
    '<!-- /measured -->\n\nProse.\n';

  test('has the tables between its marks, and the old ones are gone', () => {
    expect(pageWith(page('\nold\n\n'), 'new')).toBe(page('\nnew\n\n'));
    expect(pageWith(page(''), 'new')).toBe(page('\nnew\n\n'));
  });

  test('of this project has the place', () => {
    const own = readFileSync(new URL('../../docs/performance.md', import.meta.url), 'utf8');
    expect(pageWith(own, 'new tables')).toContain('new tables');
  });

  test('without the marks it is left alone', () => {
    expect(() => pageWith('# Performance\n', 'new')).toThrow('the page lacks the lines');
  });
});
