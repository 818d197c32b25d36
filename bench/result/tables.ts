import type { ClaimsFigures } from '../claims/claims.process.js';
import type { ExplorerFigures } from '../explorer/explore.process.js';
import type { Footprint } from '../footprint/footprint.js';
import type { FrontDoorFigures } from '../front-door/front-door.process.js';
import { USUAL_LOAD } from '../options.js';
import type { Spread } from './numbers.js';
import type { Results } from './results.js';
import type { Figures } from './summarise.js';

/** How the contestants are called where people read. */
const NAMES: Readonly<Record<string, string>> = {
  a: 'the engine',
  b: 'saga by hand',
  c: 'empty workflow',
  d: 'by hand, on queues',
};

/** The processes in the order of the request's way, with what takes their place by hand. */
const PROCESSES: readonly (readonly [shown: string, names: readonly string[]])[] = [
  ['API, or the front by hand', ['api', 'front by hand']],
  ['worker', ['worker', 'worker by hand']],
  ['relay', ['relay']],
  ['Postgres', ['postgres']],
  ['Temporal server', ['temporal']],
  ['sandbox', ['sandbox']],
];

/** All tables of a run, as Markdown: a terminal and a page show the same. */
export function tablesOf(results: Results): string {
  const parts = [speeds(results.figures), ratios(results), cpu(results.figures)];
  const explorer = results.explorer === null ? '' : explorerTable(results.explorer);
  const claims = results.claims === null ? '' : claimsTable(results.claims);
  const door = results.front_door === null ? '' : frontDoorTable(results.front_door);
  return [...parts, footprints(results.footprints), door, claims, explorer]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** How fast the explorer is, and how many schedules there are. */
export function explorerTable({ saga, one_core: one, all_cores: all }: ExplorerFigures): string {
  const whole = all.by_faults.reduce((sum, schedules) => sum + schedules, 0);
  const rows = [
    ...all.by_faults.map((schedules, faults) => [
      `schedules with ${faults} faults`,
      schedules.toLocaleString('en-US'),
    ]),
    [`seconds for all of them, in ${all.threads} threads`, digits(all.seconds)],
    ['schedules a second in those', digits(whole / all.seconds)],
    [
      `schedules a second in one thread, up to ${one.faults} faults`,
      spread(one.schedules_per_second),
    ],
  ];
  return table([`the explorer on ${saga}`, ''], rows);
}

/** What a key costs. */
export function claimsTable(figures: ClaimsFigures): string {
  const { rows, at_once: atOnce, bytes_a_row: bytes } = figures;
  return table(
    [`${rows.toLocaleString('en-US')} claims, ${atOnce} at once`, ''],
    [
      ...Object.entries(bytes).map(([answer, size]) => [
        `bytes of a claim with an answer of ${answer} bytes, with its index`,
        digits(size),
      ]),
      ['claims a second', spread(figures.claims_per_second)],
      ['replays a second from the table', spread(figures.replays_per_second)],
      ['replays a second from memory', spread(figures.recent_per_second)],
    ],
  );
}

/** How requests at the front door are called where people read. */
const REQUESTS: Readonly<Record<string, string>> = {
  bare: 'bare Nest route, one insert',
  accepted: 'accepted',
  replayed: 'replayed from the table',
  remembered: 'replayed from memory',
  refused: 'refused',
};

/** What the front door costs, and what came of the crowds. */
export function frontDoorTable(figures: FrontDoorFigures): string {
  const { crowd } = figures;
  const heads = ['a second', 'p50 ms', 'p99 ms', 'CPU ms: API', 'Postgres'];
  const asked = figures.asked.map((one) => [
    REQUESTS[one.name] ?? one.name,
    ...[one.per_second, one.p50_ms, one.p99_ms, one.api_cpu_ms, one.postgres_cpu_ms].map(spread),
  ]);
  const among = [
    ['accepted to the bare route', spread(figures.accepted_to_bare)],
    ['posts of one key at once, over two APIs', digits(crowd.posts_each)],
    ['rounds of it, each with one booking', digits(crowd.rounds)],
    ['answered 202, all the same bytes in a round', digits(crowd.accepted_or_replayed)],
    ['answered 409, ask again', digits(crowd.told_to_ask_again)],
    ['p99 ms of them', digits(crowd.p99_ms)],
  ];
  return [
    table([`at the front door, ${figures.at_once} at once`, ...heads], asked),
    table(['in all', ''], among),
  ].join('\n\n');
}

function speeds(figures: readonly Figures[]): string {
  const loads = [...new Set(figures.map(({ at_once }) => at_once))];
  const rows = loads.flatMap((load) =>
    figures
      .filter(({ at_once }) => at_once === load)
      .map((one) => [
        String(load),
        called(one.name),
        spread(one.trips_per_second),
        digits(one.p50_ms),
        digits(one.p99_ms),
        one.confirmed_p50_ms === null ? '' : digits(one.confirmed_p50_ms),
        spread(one.cpu_ms_in_all),
      ]),
  );
  const heads = ['at once', '', 'trips a second', 'p50 ms', 'p99 ms', 'confirmed, p50 ms'];
  return table([...heads, 'CPU ms a trip'], rows);
}

function ratios({ ratios: all }: Results): string {
  if (all.length === 0) return '';
  const rows = all.map((ratio) => [
    String(ratio.at_once),
    `${called(ratio.of)} / ${called(ratio.to)}`,
    spread(ratio.trips_per_second),
    spread(ratio.cpu_ms),
  ]);
  return table(['at once', 'ratio', 'of trips a second', 'of CPU a trip'], rows);
}

function cpu(figures: readonly Figures[]): string {
  const load = busiestUsual(figures);
  const shown = figures.filter(({ at_once }) => at_once === load);
  const rows = PROCESSES.map(([process, names]) => [
    process,
    ...shown.map(({ cpu_ms }) => {
      const ms = names.map((name) => cpu_ms[name]).find((value) => value !== undefined);
      return ms === undefined ? '' : digits(ms);
    }),
  ]);
  return table([`CPU ms a trip at ${load}`, ...shown.map(({ name }) => called(name))], rows);
}

function footprints(all: readonly Footprint[]): string {
  const lines: readonly (readonly [string, (one: Footprint) => number])[] = [
    ['history events', (one) => one.history_events],
    ['history bytes', (one) => one.history_bytes],
    ['bytes of the Temporal file', (one) => one.temporal_file_bytes],
    ['Postgres rows', (one) => one.postgres_rows],
    ['Postgres bytes', (one) => one.postgres_bytes],
    ['bytes of the write-ahead log', (one) => one.wal_bytes],
    ['transactions', (one) => one.transactions],
  ];
  const rows = lines.map(([line, value]) => [line, ...all.map((one) => digits(value(one)))]);
  return table(['left by a trip', ...all.map(({ name }) => called(name))], rows);
}

/** The usual load, if it was measured. */
function busiestUsual(figures: readonly Figures[]): number {
  const loads = figures.map(({ at_once }) => at_once);
  return loads.includes(USUAL_LOAD) ? USUAL_LOAD : Math.max(...loads);
}

function called(name: string): string {
  return NAMES[name] ?? name;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const padded = (cell: string) => (cell === '' ? ' ' : ` ${cell} `);
  const line = (cells: readonly string[]) => `|${cells.map(padded).join('|')}|`;
  const under = `|${heads.map((_, index) => (index === 0 ? '---|' : '--:|')).join('')}`;
  return [line(heads), under, ...rows.map(line)].join('\n');
}

function spread({ middle, least, most }: Spread): string {
  return least === most ? digits(middle) : `${digits(middle)} (${digits(least)}–${digits(most)})`;
}

/** Three digits that mean something; thousands are set apart. */
function digits(value: number): string {
  if (Math.abs(value) < LEAST_SHOWN) return '0';
  const three = Number(value.toPrecision(3));
  return three.toLocaleString('en-US', { maximumSignificantDigits: 3 });
}

const LEAST_SHOWN = 0.005;
