import { connect, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runMigrations } from '../../src/engine/database/migrate.js';
import { isOfPart, METRICS } from '../../src/engine/telemetry/metric-definitions.js';
import { freePort } from '../../src/local/free-port.client.js';
import { canariesIn, canary } from '../support/canary.js';
import { Visitor, type BookingSeen } from '../support/customer.js';
import { scrape, type Exposition } from '../support/exposition.js';
import { startHouse, type House, type HousePart } from '../support/house.js';
import type { OwnedProcess } from '../support/owned-process.js';
import { spawnNode, startOwnPostgres, type OwnPostgres } from '../support/processes.js';

const LIMIT = { timeout: 60_000, interval: 100 };
const PARTS: readonly HousePart[] = ['api', 'worker', 'relay'];

let postgres: OwnPostgres;
let house: House;
let visitor: Visitor;

beforeAll(async () => {
  postgres = await startOwnPostgres();
  await runMigrations(postgres.url);
  house = await startHouse({ databaseUrl: postgres.url, env: { METRICS_PORT: '0' } });
  visitor = new Visitor(house);
});
afterAll(async () => {
  await house.close();
  await postgres.stop();
});

const urlOf = (part: HousePart) => String(house.part(part).ready.metrics);
const told = (part: HousePart) => scrape(urlOf(part));

/** Counts grow a moment after what they count can be seen. */
async function toldOnce(part: HousePart, isSo: (seen: Exposition) => boolean) {
  await expect.poll(async () => isSo(await told(part)), LIMIT).toBe(true);
  return told(part);
}

async function book(name: string, hotel: string, key: string): Promise<BookingSeen> {
  const order = {
    reference: canary(`Reference${name}`),
    traveller: { name: canary('Name'), email: `${canary('Email')}@example.com` },
    flight: { offer: canary('Flight') },
    hotel: { offer: `${canary('Hotel')}${hotel}`, nights: 2 },
    payment: { amount: 240_000, currency: 'INR', source: canary('Source') },
    metadata: { [canary('MetadataName')]: canary('MetadataValue') },
  };
  const reply = await visitor.post<BookingSeen>('/v1/bookings', order, key);
  expect(reply.status, JSON.stringify(reply.body)).toBe(202);
  return reply.body;
}

async function readiness(url: string) {
  const response = await fetch(`${url}/readyz`);
  const { missing } = (await response.json()) as { missing?: string[] };
  return missing ?? 'ready';
}

test('two trips, one of them undone, are told as they were', async () => {
  const done = await book('Done', '', canary('KeyDone'));
  await book('Done', '', canary('KeyDone'));
  const undone = await book('Undone', '-SOLDOUT', canary('KeyUndone'));
  await visitor.until(done.id, ['confirmed']);
  await visitor.until(undone.id, ['failed']);
  await visitor.get(`/v1/bookings/${'x'.repeat(30)}`);

  const api = await told('api');
  const saga = 'book-trip';
  expect(api.sum('recourse_runs_accepted_total', { saga })).toBe(2);
  const posts = { method: 'POST', route: '/v1/bookings', status: '2xx' };
  expect(api.sum('recourse_http_request_duration_seconds_count', posts)).toBe(3);
  expect(api.sum('recourse_http_problems_total', { code: 'not-found' })).toBe(1);

  const worker = await toldOnce(
    'worker',
    (seen) => seen.sum('recourse_runs_ended_total', { saga }) === 2,
  );
  expect(worker.sum('recourse_runs_ended_total', { ending: 'completed' })).toBe(1);
  expect(worker.sum('recourse_runs_ended_total', { ending: 'undone' })).toBe(1);
  const calls = worker
    .series('recourse_provider_call_duration_seconds_count')
    .map(({ labels, value }) => [labels['act'], labels['direction'], labels['outcome'], value]);
  expect(calls.toSorted()).toEqual([
    ['chargeCard', 'do', 'done', 2],
    ['holdSeat', 'do', 'done', 2],
    ['issueTicket', 'do', 'done', 1],
    ['refundCard', 'undo', 'done', 1],
    ['releaseSeat', 'undo', 'done', 1],
    ['reserveRoom', 'do', 'done', 1],
    ['reserveRoom', 'do', 'refused', 1],
    ['sendReceipt', 'do', 'done', 1],
  ]);
  const hotels = { provider: 'hotels' };
  expect(worker.sum('recourse_provider_answers_total', { ...hotels, answer: '2xx' })).toBe(1);
  expect(worker.sum('recourse_provider_answers_total', { ...hotels, answer: '4xx' })).toBe(1);
  expect(worker.sum('recourse_provider_answers_total')).toBe(10);
  expect(worker.sum('recourse_attempt_record_duration_seconds_count', { phase: 'end' })).toBe(10);
  expect(worker.sum('recourse_attempts_unrecorded_total')).toBe(0);
});

test("Temporal's own metrics stand beside ours, in base units", async () => {
  const worker = await told('worker');
  expect(worker.sum('temporal_workflow_completed_total', { workflow_type: 'book-trip' })).toBe(2);
  expect(worker.sum('temporal_workflow_task_execution_latency_seconds_count')).toBeGreaterThan(0);
  const units = worker.families.filter(({ name }) => /^temporal_.*_milliseconds$/.test(name));
  expect(units).toEqual([]);
});

test('each process tells all that is its own, and nothing of what a customer sent', async () => {
  for (const part of PARTS) {
    const seen = await told(part);
    const own = METRICS.filter((metric) => isOfPart(metric, part));
    const names = seen.families.map(({ name }) => name).filter((one) => one.startsWith('recourse'));
    expect(names).toEqual(own.map(({ name }) => name));
    expect(seen.sum('nodejs_eventloop_lag_p99_seconds')).toBeDefined();
    expect(canariesIn(seen.text)).toEqual([]);
    expect(seen.text).not.toMatch(/bk_[a-z2-7]{26}|acme|demo/);
  }
});

test('each process is ready, and says so where it is watched', async () => {
  for (const part of PARTS) {
    expect([part, await readiness(urlOf(part))]).toEqual([part, 'ready']);
    expect((await fetch(`${urlOf(part)}/healthz`)).status).toBe(200);
  }
});

async function inTime() {
  const startedAt = performance.now();
  const seen = await told('relay');
  return { seen, ms: performance.now() - startedAt };
}

test('a relay whose database hangs tells the rest within a second', async () => {
  const client = await house.db.connect();
  await client.query('begin');
  await client.query('lock table runs in access exclusive mode');
  try {
    // What was read last is good for five seconds.
    await expect
      .poll(async () => (await told('relay')).sum('recourse_runs'), LIMIT)
      .toBeUndefined();
    const { seen, ms } = await inTime();
    expect(ms).toBeLessThan(1_000);
    expect(seen.sum('recourse_database_up')).toBe(0);
    expect(seen.sum('recourse_loop_turns_total')).toBeGreaterThan(0);
  } finally {
    await client.query('rollback');
    client.release();
  }
  await expect.poll(async () => (await told('relay')).sum('recourse_database_up'), LIMIT).toBe(1);
});

test('a relay whose database is away tells the rest within a second, and is not ready', async () => {
  await postgres.kill9();
  try {
    await expect
      .poll(async () => (await told('relay')).sum('recourse_runs'), LIMIT)
      .toBeUndefined();
    const { seen, ms } = await inTime();
    expect(ms).toBeLessThan(1_000);
    expect(seen.sum('recourse_database_up')).toBe(0);
    expect(await readiness(urlOf('api'))).toContain('database');
    const quiet = ['a turn of the outbox', 'a turn of the sweep'];
    await expect.poll(() => readiness(urlOf('relay')), LIMIT).toEqual(quiet);
    expect(
      (await told('relay')).sum('recourse_loop_turns_total', { result: 'failed' }),
    ).toBeTruthy();
  } finally {
    await postgres.start();
  }
  await expect.poll(() => readiness(urlOf('relay')), LIMIT).toBe('ready');
}, 180_000);

test.each(PARTS)('%s ends with one line when its port is taken', async (name) => {
  const { port } = new URL(urlOf('api'));
  const part = await spawnNode(name, [], { ...house.env, METRICS_PORT: port });
  expect(await part.exit).toMatchObject({ code: 1 });
  expect(part.lines()).toEqual([
    `recourse-${name}: METRICS_PORT: port ${port} of 127.0.0.1 is in use: stop what listens ` +
      'there, or choose another port',
  ]);
});

describe('a worker that is started before its Temporal', () => {
  let proxy: Server | undefined;
  let worker: OwnedProcess | undefined;
  afterAll(async () => {
    await worker?.stop();
    proxy?.close();
  });

  test('lives and is not ready, and tells both kinds of metrics when it has come', async () => {
    const [port, metricsPort] = [await freePort(), await freePort()];
    const url = `http://127.0.0.1:${metricsPort}`;
    worker = await spawnNode('worker', [], {
      ...house.env,
      METRICS_PORT: String(metricsPort),
      TEMPORAL_ADDRESS: `127.0.0.1:${port}`,
    });
    const alive = () =>
      fetch(`${url}/healthz`).then(
        ({ status }) => status,
        () => 0,
      );
    await expect.poll(alive, LIMIT).toBe(200);
    expect(await readiness(url)).toEqual(['starting', 'temporal']);
    // Each failed connection makes the SDK anew, and its exporter with it.
    await expect.poll(() => worker?.output(), LIMIT).toContain('"subject":"temporal"');

    const [host, serverPort] = house.temporal.address.split(':');
    proxy = createServer((socket) => {
      const server = connect(Number(serverPort), host);
      socket.pipe(server).pipe(socket);
      socket.on('error', () => server.destroy());
      server.on('error', () => socket.destroy());
    });
    await new Promise<void>((resolve) => proxy?.listen(port, '127.0.0.1', resolve));
    await expect.poll(() => readiness(url), LIMIT).toBe('ready');
    const seen = await scrape(url);
    expect(seen.sum('temporal_num_pollers')).toBeGreaterThan(0);
    expect(seen.sum('recourse_attempts_unrecorded_total')).toBe(0);
  });
});
