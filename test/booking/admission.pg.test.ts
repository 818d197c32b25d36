import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { createKey, ensureAccount } from '../../src/engine/accounts/accounts.store.js';
import { setLimits, type AccountLimits } from '../../src/engine/accounts/account-limits.store.js';
import type { Signals } from '../../src/engine/admission/shedding.js';
import { UNWATCHED, type ApiMeters } from '../../src/engine/telemetry/meters.js';
import { ask, startApi, type Ask, type Reply, type TestApi } from '../support/api.js';
import { append, stepEnded } from '../support/append.js';
import { lockRun, unlock } from '../support/held-rows.js';
import { putMessage } from '../support/run-rows.js';
import { trip, tripApi, tripSagas } from '../support/trip.js';

/** Two APIs and a crowd of clients share one thread, and perhaps a busy machine. */
const LIMIT_MS = 60_000;

const sagas = tripSagas();
const CALM: Partial<Signals> = { isLoopLate: () => false };
const WIDE: AccountLimits = { readsPerWindow: 50_000, writesPerWindow: 50_000, activeRuns: 50_000 };

vi.setConfig({ testTimeout: LIMIT_MS });

let api: TestApi;
let other: TestApi;
/** What the first API sees of itself, as a test would have it. */
let seen: Partial<Signals> = CALM;
const turnedAway: string[] = [];
const meters: ApiMeters = { ...UNWATCHED, turnedAway: (why) => turnedAway.push(why) };
let keys = 0;

beforeAll(async () => {
  const signals: Partial<Signals> = { isLoopLate: () => seen.isLoopLate?.() ?? false };
  const limits = { inFlightOfAccount: 30, backlogMs: 60_000 };
  api = await startApi(tripApi, sagas, { meters, signals, limits });
  const place = { url: api.databaseUrl, drop: () => Promise.resolve() };
  // Two APIs and all their clients share one thread here: how late that is tells nothing.
  const patient = { signals: CALM, limits: { poolWaitMs: 10_000 } };
  other = await startApi(tripApi, sagas, { place, meters, ...patient });
});
beforeEach(async () => {
  seen = CALM;
  turnedAway.length = 0;
});
afterAll(async () => {
  await other.close();
  await api.close();
});

const newKey = () => `key-${(keys += 1)}`;
const book = (question: Ask & { readonly to?: TestApi } = {}): Promise<Reply> =>
  ask(question.to ?? api, '/v1/bookings', { key: newKey(), body: trip(), ...question });

/** An account of its own, with a key for each API: what one test does is nothing to the next. */
async function newAccount(limits: Partial<AccountLimits> = {}): Promise<string> {
  const account = `acme_${(keys += 1)}`;
  await ensureAccount(other.database, { id: account, name: account });
  await setLimits(other.database, account, { ...WIDE, ...limits });
  return (await createKey(other.database, { account, role: 'customer' })).key;
}

async function rows(): Promise<Record<string, number>> {
  const { rows: counted } = await other.database.query(
    `select (select count(*)::integer from runs) as runs,
       (select count(*)::integer from claims) as claims,
       (select count(*)::integer from outbox) as messages`,
  );
  return counted[0];
}

/** Refused with this, and nothing is left of it: no row, and nothing that Temporal was told. */
async function expectUntouched(work: () => Promise<Reply>, expected: object): Promise<Reply> {
  const before = [await rows(), api.temporal.asked.size];
  const reply = await work();
  expect(reply.body).toMatchObject(expected);
  expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
  expect([await rows(), api.temporal.asked.size]).toEqual(before);
  return reply;
}

describe('how often an account may ask', () => {
  test('is told with every answer, and counts down', async () => {
    const as = await newAccount({ readsPerWindow: 100, writesPerWindow: 10 });
    const first = await book({ as });
    expect(first.headers.get('ratelimit-policy')).toBe('"writes";q=10;w=10');
    expect(first.headers.get('ratelimit')).toMatch(/^"writes";r=9;t=10$/);
    const read = await ask(api, '/v1/bookings', { as });
    expect(read.headers.get('ratelimit')).toMatch(/^"reads";r=99;t=10$/);
    const wrong = await book({ as, body: {} });
    expect(wrong.status).toBe(400);
    expect(wrong.headers.get('ratelimit')).toMatch(/^"writes";r=8;/);
    const unknown = await ask(api, '/v1/bookings', { as: 'nobody' });
    expect(unknown.headers.get('ratelimit')).toBeNull();
  });

  test('is shared by all API processes, and the one too many is refused without a trace', async () => {
    const as = await newAccount({ writesPerWindow: 12 });
    const crowd = await Promise.all(
      Array.from({ length: 40 }, (_nobody, n) => book({ as, to: n % 2 ? api : other })),
    );
    const came = crowd.map(({ status, body }) => body.code ?? `${status}`).toSorted();
    expect(came).toEqual([...Array(12).fill('202'), ...Array(28).fill('rate-limited')]);
    const refused = await expectUntouched(() => book({ as }), {
      code: 'rate-limited',
      status: 429,
      limited_by: 'writes',
    });
    const [, t] = /^"writes";r=0;t=(\d+)$/.exec(refused.headers.get('ratelimit') ?? '') ?? [];
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(Number(t));
    expect((await ask(api, '/v1/bookings', { as })).status).toBe(200);
    expect(turnedAway).toContain('requests');
  });
});

describe('how many runs of an account may be active', () => {
  test('is exact over two API processes; who repeats what was accepted hears its answer', async () => {
    const as = await newAccount({ activeRuns: 5 });
    const one = { as, key: 'mine' };
    const first = await book(one);
    const crowd = await Promise.all(
      Array.from({ length: 30 }, (_nobody, n) => book({ as, to: n % 2 ? api : other })),
    );
    expect(crowd.filter(({ status }) => status === 202)).toHaveLength(4);
    const refusal = { code: 'rate-limited', status: 429, limited_by: 'active-runs' };
    for (const { status, body } of crowd) if (status !== 202) expect(body).toMatchObject(refusal);
    expect((await book(one)).text).toBe(first.text);
    expect((await book({ ...one, to: other })).text).toBe(first.text);
    await expectUntouched(() => book({ as }), refusal);
    await append(
      api.database,
      sagas,
      first.body.id,
      ...stepEnded('charge', { outcome: 'refused', code: 'card_declined' }),
      { kind: 'unwinding', because: 'refused' },
      { kind: 'finished', as: 'undone' },
    );
    expect((await book({ as })).status).toBe(202);
    expect((await book({ as })).status).toBe(429);
    expect(turnedAway).toContain('active-runs');
  });
});

describe('what a process takes on', () => {
  test('for one account is bounded, and another one is served meanwhile', async () => {
    const [as, neighbour] = [await newAccount(), await newAccount()];
    const { id } = (await book({ as })).body;
    // What it asks for takes as long as somebody else holds the run.
    const holder = await lockRun(other.database, id);
    const cancel = () =>
      ask(api, `/v1/bookings/${id}/cancel`, { as, key: newKey(), method: 'POST' });
    const crowd = Array.from({ length: 40 }, cancel);
    const inFlight = { code: 'rate-limited', status: 429, limited_by: 'in-flight' };
    const first = await Promise.race(crowd);
    expect(first.body).toMatchObject(inFlight);
    expect(first.headers.get('retry-after')).toBe('1');
    expect((await book({ as: neighbour })).status).toBe(202);
    await unlock(holder);
    const all = await Promise.all(crowd);
    const refused = all.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(10);
    for (const one of refused) expect(one.body).toMatchObject(inFlight);
    expect(all.filter(({ status }) => status === 202).length).toBe(30);
    expect((await book({ as })).status).toBe(202);
  });

  test('a hundred posts of one key are one piece of work, and none is turned away', async () => {
    const as = await newAccount();
    const before = await rows();
    const key = newKey();
    const crowd = await Promise.all(
      Array.from({ length: 100 }, (_nobody, n) => book({ as, key, to: n % 2 ? api : other })),
    );
    const codes = new Set(crowd.map(({ status, body }) => body.code ?? `${status}`));
    expect([...codes].filter((code) => !['202', 'in-progress'].includes(code))).toEqual([]);
    expect((await rows()).runs).toBe((before.runs ?? 0) + 1);
    expect(turnedAway).toEqual([]);
  });
});

/** Every connection that requests wait for, in use by somebody else. */
async function holdAll(): Promise<{ release(): void }> {
  // One is always in use: it listens for news of runs.
  const free = api.database.options.max - 1;
  const clients = await Promise.all(Array.from({ length: free }, () => api.database.connect()));
  return { release: () => clients.splice(0).forEach((client) => client.release()) };
}

describe('what cannot be done in time', () => {
  const overloaded = { code: 'overloaded', status: 503 };

  test('is refused when timers run late', async () => {
    seen = { isLoopLate: () => true };
    await expectUntouched(() => book(), overloaded);
    expect(turnedAway).toEqual(['event-loop']);
    expect((await ask(api, '/healthz', { as: null })).status).toBe(200);
    expect([200, 503]).toContain((await ask(api, '/readyz', { as: null })).status);
  });

  test('is refused in a moment while all connections are in use, and health is told', async () => {
    const as = await newAccount();
    await book({ as });
    const held = await holdAll();
    const crowd = [book(), book({ as })];
    try {
      await expect.poll(() => book({ as }).then(({ body }) => body.code)).toBe('overloaded');
      const { runs, claims } = await rows();
      for (let n = 0; n < 10; n += 1) {
        const startedAt = performance.now();
        const refused = await book({ as });
        expect(refused.body).toMatchObject(overloaded);
        expect(refused.headers.get('retry-after')).toBe('1');
        expect(performance.now() - startedAt).toBeLessThan(250);
      }
      expect(await rows()).toMatchObject({ runs, claims });
      expect((await ask(api, '/healthz', { as: null })).status).toBe(200);
      const ready = await ask(api, '/readyz', { as: null });
      expect(ready.body.missing ?? []).not.toContain('database');
    } finally {
      held.release();
    }
    for (const { status } of await Promise.all(crowd)) expect([202, 503]).toContain(status);
    expect((await book({ as })).status).toBe(202);
  });

  test('twenty posts to a process that has no connection yet are all accepted', async () => {
    const place = { url: api.databaseUrl, drop: () => Promise.resolve() };
    const cold = await startApi(tripApi, sagas, { place, keys: api.keys, signals: CALM });
    const crowd = await Promise.all(Array.from({ length: 20 }, () => book({ to: cold })));
    expect(crowd.map(({ status }) => status)).toEqual(Array(20).fill(202));
    await cold.close();
  });

  test('is refused while what was accepted waits too long, and all else goes on', async () => {
    const accepted = await book();
    await other.database.query(`update outbox set sent_at = now() where sent_at is null`);
    const { rows: found } = await api.database.query<{ id: string }>('select id from runs limit 1');
    const run = found[0]?.id ?? '';
    const message = await putMessage(other.database, { run, kind: 'start', ageMs: 120_000 });
    await expect.poll(() => book().then(({ body }) => body.code)).toBe('overloaded');
    await expectUntouched(() => book(), overloaded);
    expect(turnedAway).toContain('backlog');
    const cancel = `/v1/bookings/${accepted.body.id}/cancel`;
    expect((await ask(api, cancel, { key: newKey(), method: 'POST' })).status).toBe(202);
    expect((await ask(api, '/v1/bookings')).status).toBe(200);
    await other.database.query('update outbox set sent_at = now() where id = $1', [message]);
    await expect.poll(() => book().then(({ status }) => status)).toBe(202);
  });

  test('is refused when the caller would not wait for it, and not before', async () => {
    const by = (ms: number) => ({
      headers: { 'recourse-deadline': new Date(Date.now() + ms).toISOString() },
    });
    await expectUntouched(() => book(by(-1)), overloaded);
    expect(turnedAway).toEqual(['deadline']);
    expect((await book(by(60_000))).status).toBe(202);
    const malformed = await book({ headers: { 'recourse-deadline': 'tomorrow' } });
    expect(malformed.body).toMatchObject({ code: 'deadline-malformed', status: 400 });
    const spelled = await ask(api, '/%76%31/bookings', {
      ...{ key: newKey(), body: trip(), headers: { 'recourse-deadline': 'tomorrow' } },
    });
    expect(spelled.body).toMatchObject({ code: 'deadline-malformed', status: 400 });
    const health = await ask(api, '/healthz', { as: null, ...by(-1) });
    expect(health.status).toBe(200);
  });
});

test('who waits for news takes no place of those who want something done', async () => {
  const as = await newAccount();
  const { body } = await book({ as });
  const waiting = Array.from({ length: 40 }, () =>
    ask(api, `/v1/bookings/${body.id}`, { as, headers: { prefer: 'wait=2' } }),
  );
  expect((await book({ as })).status).toBe(202);
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array(40).fill(200));
});
