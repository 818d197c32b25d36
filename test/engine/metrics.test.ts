import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Answer } from '../../src/engine/providers/answer.js';
import type { AnyAct } from '../../src/engine/saga/act.js';
import { Sagas } from '../../src/engine/sagas.js';
import { apiMeters } from '../../src/engine/telemetry/api-meters.js';
import { Instruments, type WatchedPart } from '../../src/engine/telemetry/instruments.js';
import { isOfPart, METRICS } from '../../src/engine/telemetry/metric-definitions.js';
import type { RecordFacts } from '../../src/engine/telemetry/record-facts.store.js';
import { setRecordGauges } from '../../src/engine/telemetry/record-gauges.js';
import { relayMeters } from '../../src/engine/telemetry/relay-meters.js';
import { workerMeters } from '../../src/engine/telemetry/worker-meters.js';
import { parseExposition } from '../support/exposition.js';

const read = async (instruments: Instruments) => parseExposition(await instruments.text());

describe('what is told', () => {
  test('the table of the documentation is the metrics that there are', () => {
    const rows = readFileSync('docs/metrics.md', 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('| `recourse_'))
      .map((line) => line.split('|').map((cell) => cell.trim()));
    expect(rows.map((cells) => cells.slice(1, -1))).toEqual(
      METRICS.map(({ name, part, type, labels, help }) => [
        `\`${name}\``,
        part,
        type,
        labels.join(', '),
        help,
      ]),
    );
  });

  test.each<WatchedPart>(['api', 'worker', 'relay'])('%s tells its own, and no other', (part) => {
    const own = METRICS.filter((metric) => isOfPart(metric, part));
    expect(new Instruments(part).names()).toEqual(own.map(({ name }) => name));
  });

  test.each(METRICS.map(({ name, type, labels }) => [name, type, labels]))(
    '%s is named as a %s is, and its labels %o are no ids',
    (name, type, labels) => {
      const endings = { counter: /_total$/, histogram: /_seconds$/, gauge: /[a-z]$/ };
      expect(name).toMatch(endings[type]);
      expect(name.endsWith('_total')).toBe(type === 'counter');
      expect(labels.filter((label) => /^(id|run|account|case|key|worker)$/.test(label))).toEqual(
        [],
      );
    },
  );
});

describe('the API', () => {
  test.each([
    [{ method: 'GET', route: '/v1/bookings/:id', status: 200 }, 'GET', '/v1/bookings/:id', '2xx'],
    [{ method: 'BREW', route: undefined, status: 404 }, 'other', 'none', '4xx'],
    [{ method: 'POST', route: '/v1/bookings', status: 503 }, 'POST', '/v1/bookings', '5xx'],
  ])('%o counts as %s %s %s', async (request, method, route, status) => {
    const instruments = new Instruments('api');
    apiMeters(instruments, []).answered({ ...request, durationMs: 250 });
    const name = 'recourse_http_request_duration_seconds';
    const told = await read(instruments);
    expect(told.series(`${name}_count`)).toEqual([
      { name: `${name}_count`, labels: { method, route, status }, value: 1 },
    ]);
    expect(told.sum(`${name}_sum`)).toBe(0.25);
  });

  test('a saga of which no run was accepted yet is told with 0', async () => {
    const instruments = new Instruments('api');
    const meters = apiMeters(instruments, ['book-trip']);
    expect((await read(instruments)).sum('recourse_runs_accepted_total')).toBe(0);
    meters.accepted('book-trip');
    const told = await read(instruments);
    expect(told.sum('recourse_runs_accepted_total', { saga: 'book-trip' })).toBe(1);
  });

  test('what no operator has done yet is told with 0, each by its kind', async () => {
    const instruments = new Instruments('api');
    const meters = apiMeters(instruments, []);
    const name = 'recourse_interventions_total';
    const kinds = (await read(instruments)).series(name).map(({ labels }) => labels['kind']);
    expect(kinds).toEqual(['verdict', 'retry-now', 'cancel', 'abandon']);
    meters.intervened('abandon');
    expect((await read(instruments)).sum(name, { kind: 'abandon' })).toBe(1);
    expect((await read(instruments)).sum(name)).toBe(1);
  });
});

describe('a worker', () => {
  const act = { kind: 'act', provider: 'shop', parse: String, perform: ignored } as AnyAct;
  const undo = { kind: 'undo', of: 'buy', parse: String, perform: ignored } as AnyAct;
  const find = { kind: 'find', of: 'giveBack', perform: ignored } as AnyAct;
  const acts = { buy: act, giveBack: undo, findGiven: find };
  const sagas = new Sagas({ sagas: [], acts, providers: { shop: { keyWindowMs: null } } });

  test.each([
    [act, 'done', 'buy', 'do'],
    [undo, 'unknown', 'giveBack', 'undo'],
    [find, 'not-there', 'findGiven', 'find'],
  ] as const)('a call is counted by its act, whatever it came to: %#', async (...row) => {
    const [called, outcome, name, direction] = row;
    const instruments = new Instruments('worker');
    workerMeters(instruments, sagas).called(called, outcome, 1_500);
    const told = (await read(instruments)).series('recourse_provider_call_duration_seconds_sum');
    const labels = { provider: 'shop', act: name, direction, outcome };
    expect(told.map((one) => [one.labels, one.value])).toEqual([[labels, 1.5]]);
  });

  test('versions that it lacks are told while it lacks them', async () => {
    const instruments = new Instruments('worker');
    const meters = workerMeters(instruments, sagas);
    const told = async () => (await read(instruments)).series('recourse_runs_lacked');
    meters.lacking([{ version: 'errand@2', count: 3 }]);
    expect((await told()).map(({ labels, value }) => [labels, value])).toEqual([
      [{ version: 'errand@2' }, 3],
    ]);
    meters.lacking([]);
    expect(await told()).toEqual([]);
  });

  const body = { kind: 'empty' } as const;
  test.each<[Answer, string]>([
    [{ kind: 'answered', status: 201, body }, '2xx'],
    [{ kind: 'answered', status: 409, body }, '4xx'],
    [{ kind: 'answered', status: 429, body }, '429'],
    [{ kind: 'answered', status: 503, body }, '5xx'],
    [{ kind: 'not-sent', reason: 'connection-refused' }, 'connection-refused'],
    [{ kind: 'lost', cause: 'time-out' }, 'time-out'],
  ])('an answer %o counts as %s', async (answer, expected) => {
    const instruments = new Instruments('worker');
    workerMeters(instruments, sagas).exchanged('shop', answer);
    const [one, ...more] = (await read(instruments)).series('recourse_provider_answers_total');
    expect([one?.labels, more]).toEqual([{ provider: 'shop', answer: expected }, []]);
  });

  function ignored(): never {
    throw new Error('nothing is called here');
  }
});

describe('a relay', () => {
  test('a loop is quiet before its first good turn, and 30 s after its last', () => {
    let nowMs = 0;
    const meters = relayMeters(new Instruments('relay'), () => nowMs);
    expect(meters.quietLoops()).toEqual(['outbox', 'sweep']);
    meters.turned('outbox', 'ok');
    meters.turned('sweep', 'failed');
    expect(meters.quietLoops()).toEqual(['sweep']);
    nowMs = 30_000;
    expect(meters.quietLoops()).toEqual(['sweep']);
    nowMs = 30_001;
    expect(meters.quietLoops()).toEqual(['outbox', 'sweep']);
  });

  const nothing: RecordFacts = {
    runs: [],
    cases: [],
    outbox: [],
    workers: 0,
    stranded: [],
    claimDaysMissing: 0,
  };
  const ofTheRecord = METRICS.map(({ name }) => name as string).slice(
    METRICS.findIndex(({ name }) => name === 'recourse_runs'),
  );

  test('what the record does not tell is absent, and not 0', async () => {
    const instruments = new Instruments('relay');
    setRecordGauges(instruments, nothing);
    setRecordGauges(instruments, null);
    const told = await read(instruments);
    expect(told.sum('recourse_database_up')).toBe(0);
    expect(ofTheRecord.filter((name) => told.series(name).length > 0)).toEqual([]);
  });

  test('what there is none of is 0, and not absent', async () => {
    const instruments = new Instruments('relay');
    setRecordGauges(instruments, null);
    setRecordGauges(instruments, nothing);
    const told = await read(instruments);
    expect(told.sum('recourse_database_up')).toBe(1);
    const absent = ofTheRecord.filter((name) => told.series(name).length === 0);
    expect(absent).toEqual(['recourse_runs_without_worker']);
    expect(ofTheRecord.filter((name) => told.sum(name))).toEqual([]);
    expect(told.series('recourse_open_cases')).toHaveLength(14);
  });

  test('what is over is not told any longer', async () => {
    const instruments = new Instruments('relay');
    const version = 'book-trip@1';
    setRecordGauges(instruments, { ...nothing, stranded: [{ version, count: 3 }] });
    expect((await read(instruments)).sum('recourse_runs_without_worker', { version })).toBe(3);
    setRecordGauges(instruments, nothing);
    expect((await read(instruments)).series('recourse_runs_without_worker')).toEqual([]);
  });
});
