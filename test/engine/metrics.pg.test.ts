import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase, type Database } from '../../src/engine/database/database.js';
import { newId } from '../../src/engine/ids.js';
import { apiMeters } from '../../src/engine/telemetry/api-meters.js';
import { Instruments } from '../../src/engine/telemetry/instruments.js';
import { providerMeters } from '../../src/engine/telemetry/provider-meters.js';
import { readRecordFacts } from '../../src/engine/telemetry/record-facts.store.js';
import { watchRelay } from '../../src/engine/telemetry/watch.client.js';
import { runsLacking, seeWorker } from '../../src/engine/worker/workers.store.js';
import { ask, startApi, type TestApi } from '../support/api.js';
import { BareEngine, noSagas } from '../support/bare-engine.js';
import { parseExposition, scrape } from '../support/exposition.js';
import { freshDatabase, type TestDatabase } from '../support/postgres.js';
import { putMessage, putRun } from '../support/run-rows.js';

const ANY = { host: '127.0.0.1', port: 0 };

let home: TestDatabase;
let database: Database;

beforeAll(async () => {
  home = await freshDatabase();
  database = openDatabase({ url: home.url, name: 'metrics test', connections: 1 });
});
beforeEach(async () => {
  for (const table of ['outbox', 'cases', 'runs', 'workers']) {
    await database.query(`delete from ${table}`);
  }
});
afterAll(async () => {
  await database.end();
  await home.drop();
});

const since = (seconds: number) => `now() - interval '${seconds} seconds'`;

async function living(state: string, acceptedAgo: number, newsAgo: number, saga = 'errand') {
  const run = await putRun(database, { saga });
  await database.query(
    `update runs set state = $2::text, created_at = ${since(acceptedAgo)},
       updated_at = ${since(newsAgo)} where id = $1::text`,
    [run, state],
  );
  return run;
}

async function openCase(run: string, problem: string, direction: string, openAgo: number) {
  await database.query(
    `insert into cases (id, run, step, direction, problem, opened_at)
     values ($1::text, $2::text, 'pay', $3::text, $4::text, ${since(openAgo)})`,
    [newId('case'), run, direction, problem],
  );
}

/** A relay's own, beside a Temporal that answers or does not. */
function own(temporalAnswers: boolean) {
  const temporal = { isReady: () => Promise.resolve(temporalAnswers) };
  return { database, temporal, monotonicMs: () => performance.now() };
}

async function told() {
  const watch = await watchRelay(ANY, own(true));
  try {
    return await scrape(watch.url);
  } finally {
    await watch.close();
  }
}

describe('the record is told', () => {
  test('runs by state, how old the oldest is, and how long one has been silent', async () => {
    await living('running', 100, 5);
    await living('running', 50, 40);
    await living('undoing', 30, 1);
    await putRun(database, { ended: true });
    const { sum } = bound(await told());
    expect(sum('recourse_runs', { state: 'running' })).toBe(2);
    expect(sum('recourse_runs', { state: 'undoing' })).toBe(1);
    expect(sum('recourse_runs', { state: 'needs_reconciliation' })).toBe(0);
    expect(Math.floor(sum('recourse_run_age_max_seconds', { state: 'running' }) ?? 0)).toBe(100);
    expect(Math.floor(sum('recourse_run_silence_max_seconds', { state: 'running' }) ?? 0)).toBe(40);
    expect(sum('recourse_run_age_max_seconds', { state: 'needs_reconciliation' })).toBe(0);
  });

  test('open cases by problem and direction, and how long the oldest has been open', async () => {
    const run = await living('needs_reconciliation', 9_000, 9_000);
    const other = await living('needs_reconciliation', 9_000, 9_000);
    await openCase(run, 'undo-stuck', 'undo', 7_200);
    await openCase(other, 'undo-stuck', 'undo', 60);
    await openCase(run, 'unknown-outcome', 'do', 30);
    await database.query(
      `update cases set state = 'settled', closed_at = now() where problem = 'unknown-outcome'`,
    );
    const { sum } = bound(await told());
    expect(sum('recourse_open_cases', { direction: 'undo' })).toBe(2);
    expect(sum('recourse_open_cases')).toBe(2);
    const stuck = { problem: 'undo-stuck', direction: 'undo' };
    expect(Math.floor(sum('recourse_open_case_age_max_seconds', stuck) ?? 0)).toBe(7_200);
  });

  test('what waits in the outbox, and for how long', async () => {
    const run = await putRun(database);
    await putMessage(database, { run, kind: 'cancel', ageMs: 10_000 });
    await putMessage(database, { run, kind: 'look', ageMs: 90_000 });
    await putMessage(database, { run, kind: 'start', ageMs: 900_000, sent: true });
    const { sum } = bound(await told());
    expect(sum('recourse_outbox_waiting', { kind: 'cancel' })).toBe(1);
    expect(sum('recourse_outbox_waiting', { kind: 'start' })).toBe(0);
    expect(sum('recourse_outbox_waiting')).toBe(2);
    expect(Math.floor(sum('recourse_outbox_lag_seconds') ?? 0)).toBe(90);
  });

  test('workers that live, and runs that none of them can go on with', async () => {
    await living('running', 1, 1, 'errand');
    await living('undoing', 1, 1, 'errand');
    await living('running', 1, 1, 'parcel');
    await database.query(
      `insert into workers (id, versions, seen_at)
       values ('new', '{parcel@1,errand@2}', now()), ('gone', '{errand@1}', ${since(60)})`,
    );
    const { sum, exposition } = bound(await told());
    expect(sum('recourse_workers')).toBe(1);
    expect(exposition.series('recourse_runs_without_worker')).toEqual([
      { name: 'recourse_runs_without_worker', labels: { version: 'errand@1' }, value: 2 },
    ]);
  });

  test('connections of its own, of which it takes no more than it may', async () => {
    const { sum } = bound(await told());
    expect(sum('recourse_database_connections', { state: 'idle' })).toBe(1);
    expect(sum('recourse_database_connections', { state: 'in_use' })).toBe(0);
    expect(sum('recourse_database_connections_max')).toBe(1);
    expect(sum('recourse_database_waiting')).toBe(0);
  });
});

test('a worker lacks the versions of living runs that it has not, whoever else has them', async () => {
  await living('running', 1, 1, 'errand');
  await living('undoing', 1, 1, 'errand');
  await living('running', 1, 1, 'parcel');
  await putRun(database, { saga: 'letter', ended: true });
  await seeWorker(database, 'another', ['errand@1']);
  const errands = { version: 'errand@1', count: 2 };
  expect(await runsLacking(database, ['parcel@1', 'errand@2'])).toEqual([errands]);
  expect(await runsLacking(database, ['parcel@1', 'errand@1'])).toEqual([]);
});

test('what has ended is never read through, however much of it there is', async () => {
  await putRun(database);
  await database.query(
    `insert into runs (id, account, saga, version, rules, input, look_after_ms, look_wait_ms,
       state, ended_at)
     select 'bk_' || translate(lpad(one::text, 26, 'a'), '0189', 'bcde'), 'acme', 'errand', 1, 1,
       '', 1, 1, 'completed', now()
     from generate_series(1, 2000) as one`,
  );
  await database.query('analyze runs, outbox, cases');
  const scans = async () => {
    await database.query('select pg_stat_force_next_flush()');
    const { rows } = await database.query(
      `select sum(seq_scan)::integer as whole, sum(idx_scan)::integer as by_index
       from pg_stat_user_tables where relname = 'runs'`,
    );
    return rows[0];
  };
  const before = await scans();
  expect((await readRecordFacts(database)).runs).toMatchObject([{ state: 'running', count: 1 }]);
  expect(await runsLacking(database, [])).toEqual([{ version: 'two-steps@1', count: 1 }]);
  const after = await scans();
  expect(after.whole).toBe(before.whole);
  expect(after.by_index).toBeGreaterThan(before.by_index);
});

test('a relay is ready when it was started and its loops turn, and not while it ends', async () => {
  const watch = await watchRelay(ANY, own(true));
  const missing = async () => {
    const response = await fetch(`${watch.url}/readyz`);
    const { missing } = (await response.json()) as { missing?: string[] };
    return missing ?? 'ready';
  };
  try {
    const loops = ['a turn of the outbox', 'a turn of the sweep'];
    expect(await missing()).toEqual(['starting', ...loops]);
    watch.started();
    expect(await missing()).toEqual(loops);
    watch.meters.turned('outbox', 'ok');
    watch.meters.turned('sweep', 'ok');
    expect(await missing()).toBe('ready');
    watch.ending();
    watch.started();
    expect(await missing()).toEqual(['ending']);
  } finally {
    await watch.close();
  }
});

test('a relay that cannot reach Temporal is not ready, though its loops turn', async () => {
  const watch = await watchRelay(ANY, own(false));
  try {
    watch.started();
    watch.meters.turned('outbox', 'ok');
    watch.meters.turned('sweep', 'ok');
    const response = await fetch(`${watch.url}/readyz`);
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ missing: ['temporal'] });
  } finally {
    await watch.close();
  }
});

describe('the API', () => {
  let api: TestApi;
  const instruments = new Instruments('api');
  beforeAll(async () => {
    const sagas = noSagas();
    const own = apiMeters(instruments, []);
    const meters = { ...own, ...providerMeters(instruments, sagas) };
    api = await startApi((parts) => BareEngine.forRoot(parts), sagas, { meters });
  });
  afterAll(() => api.close());

  test('tells routes by their pattern, and what was refused by its code', async () => {
    const id = newId('case');
    await ask(api, '/healthz', { as: null });
    await ask(api, `/v1/cases/${id}`, { as: api.keys.operator });
    await ask(api, `/v1/cases/${id}`, { as: api.keys.customer });
    await ask(api, `/v1/nowhere/${id}`);
    await ask(api, `/v1/cases/${id}`, { method: 'DELETE', as: null });
    const text = await instruments.text();
    const exposition = parseExposition(text);
    const counted = exposition
      .series('recourse_http_request_duration_seconds_count')
      .map(({ labels: { method, route, status }, value }) => [method, route, status, value]);
    expect(counted).toEqual([
      ['GET', '/healthz', '2xx', 1],
      ['GET', '/v1/cases/:id', '4xx', 2],
      ['GET', 'none', '4xx', 1],
      ['DELETE', 'none', '4xx', 1],
    ]);
    const problems = exposition.series('recourse_http_problems_total');
    expect(problems.map(({ labels, value }) => [labels['code'], value])).toEqual([
      ['not-found', 2],
      ['forbidden', 1],
      ['method-not-allowed', 1],
    ]);
    expect(text).not.toContain(id);
  });
});

/** Its `sum`, to be used alone. */
function bound(exposition: ReturnType<typeof parseExposition>) {
  return { sum: exposition.sum.bind(exposition), exposition };
}
