import type { DynamicModule } from '@nestjs/common';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { EngineModule, type EngineParts } from '../../src/engine/engine.module.js';
import { pollUntil } from '../../src/local/poll-until.process.js';
import { ask, startApi, type Reply, type TestApi } from '../support/api.js';
import { noSagas } from '../support/bare-engine.js';
import { startQuoteProvider, type QuoteProvider } from '../support/quote-provider.js';
import { QUOTE_LEASE_MS, QuotesModule } from './quotes/quotes.module.js';

const quotesApi = (parts: EngineParts): DynamicModule =>
  EngineModule.forRoot(parts, [QuotesModule]);
const LIMIT = { limitMs: 20_000, everyMs: 20 };

let provider: QuoteProvider;
let api: TestApi;
let keys = 0;

beforeAll(async () => {
  provider = await startQuoteProvider();
  process.env['QUOTES_URL'] = provider.url;
  api = await startApi(quotesApi, noSagas());
  await api.database.query(`
    create table quote_steps (quote text not null, step text not null);
    grant select, insert on quote_steps to recourse_customer`);
});
beforeEach(async () => {
  provider.decide = () => ({ status: 200 });
  await api.database.query('truncate quote_steps, claims_at_work');
});
afterAll(async () => {
  await api.close();
  await provider.close();
});

const newKey = () => `key ${(keys += 1)}`;
const quote = (key: string, thing = 'seat'): Promise<Reply> =>
  ask(api, '/v1/quotes', { key, body: { thing } });

async function steps(): Promise<readonly string[]> {
  const { rows } = await api.database.query<{ step: string }>('select step from quote_steps');
  return rows.map(({ step }) => step);
}

async function atWork(): Promise<number> {
  return (await api.database.query('select from claims_at_work')).rowCount ?? 0;
}

/** Holds the calls of one thing until it is let go; answers when the first has come. */
function hold(thing: string, path = 'price') {
  let release = (): void => undefined;
  const held = new Promise<void>((done) => (release = done));
  let arrive = (): void => undefined;
  const arrived = new Promise<void>((done) => (arrive = done));
  let first = true;
  provider.decide = async (call) => {
    if (call.thing === thing && call.path === path && first) {
      first = false;
      arrive();
      await held;
    }
    return { status: 200 };
  };
  return { arrived, release };
}

test('all phases are done once, and what the last answers is replayed', async () => {
  const key = newKey();
  const first = await quote(key);
  expect(first.status).toBe(201);
  expect(first.body).toEqual({
    id: expect.stringMatching(/^quote_[a-z2-7]{26}$/),
    thing: 'seat',
    price: 700,
    fee: 700,
  });
  expect(await steps()).toEqual(['price', 'fee', 'offer']);
  expect(await atWork()).toBe(0);
  const again = await quote(key);
  expect([again.status, again.text]).toEqual([201, first.text]);
  for (const name of ['location', 'content-type', 'idempotency-expires']) {
    expect(again.headers.get(name), name).toBe(first.headers.get(name));
  }
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(first.headers.get('idempotent-replayed')).toBeNull();
  expect(await steps()).toHaveLength(3);
});

test('rows 5 and 6: while it is at work another body is refused at once, the same waits', async () => {
  const key = newKey();
  const { arrived, release } = hold('slow');
  const first = quote(key, 'slow');
  await arrived;
  const calls = provider.calls.length;
  const other = await quote(key, 'another');
  expect([other.status, other.body.code]).toEqual([422, 'key-reused']);
  const same = await quote(key, 'slow');
  expect([same.status, same.body.code]).toEqual([409, 'in-progress']);
  const wait = Number(same.headers.get('retry-after'));
  expect(wait).toBeGreaterThanOrEqual(1);
  expect(wait).toBeLessThanOrEqual(QUOTE_LEASE_MS / 1_000);
  expect(provider.calls).toHaveLength(calls);
  release();
  expect((await first).status).toBe(201);
  expect((await quote(key, 'another')).status).toBe(422);
  expect((await quote(key, 'slow')).text).toBe((await first).text);
});

test('of twenty at once one does it, and another body among them is always told so', async () => {
  const key = newKey();
  const { arrived, release } = hold('crowd');
  const first = quote(key, 'crowd');
  await arrived;
  const crowd = Array.from({ length: 20 }, (_, n) => quote(key, n % 2 === 0 ? 'crowd' : 'else'));
  const statuses = (await Promise.all(crowd)).map(({ status }) => status);
  expect(statuses).toEqual(Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? 409 : 422)));
  release();
  expect((await first).status).toBe(201);
  expect(await steps()).toEqual(['price', 'fee', 'offer']);
});

test('twenty that come first at once have one winner', async () => {
  const key = newKey();
  const replies = await Promise.all(Array.from({ length: 20 }, () => quote(key, 'race')));
  const fresh = replies.filter(
    ({ status, headers }) => status === 201 && headers.get('idempotent-replayed') === null,
  );
  expect(fresh).toHaveLength(1);
  for (const { status, text } of replies) {
    expect([201, 409]).toContain(status);
    if (status === 201) expect(text).toBe(fresh[0]?.text);
  }
  expect(await steps()).toEqual(['price', 'fee', 'offer']);
});

test('a refusal frees the key, with nothing kept', async () => {
  const key = newKey();
  provider.decide = () => ({ status: 409 });
  const refused = await quote(key);
  expect([refused.status, refused.body.code]).toEqual([409, 'past-pivot']);
  expect(await atWork()).toBe(0);
  expect(await steps()).toEqual([]);
  provider.decide = () => ({ status: 200 });
  expect((await quote(key, 'corrected')).status).toBe(201);
});

test('a failure is no answer: the same work goes on without the client, with the same key', async () => {
  const key = newKey();
  const seen = provider.calls.length;
  provider.decide = ({ path }, nth) => ({ status: path === 'fee' && nth <= seen + 2 ? 500 : 200 });
  const failed = await quote(key);
  expect([failed.status, failed.body.code]).toEqual([500, 'internal']);
  expect(await steps()).toEqual(['price']);
  expect(await pollUntil(async () => (await atWork()) === 0, LIMIT)).toBe(true);
  expect(await steps()).toEqual(['price', 'fee', 'offer']);
  const calls = provider.calls.slice(seen);
  expect(calls.map(({ path }) => path)).toEqual(['price', 'fee', 'fee']);
  expect(calls[1]?.key).toBe(calls[2]?.key);
  expect(calls[0]?.key).toMatch(/^[a-z2-7]{26}$/);
  expect(calls[0]?.key).not.toBe(calls[1]?.key);
  const after = await quote(key);
  expect([after.status, after.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
});

test('row 10: who is slower than its lease changes nothing any more', async () => {
  const key = newKey();
  const seen = provider.calls.length;
  const { arrived, release } = hold('late');
  const first = quote(key, 'late');
  await arrived;
  expect(await pollUntil(async () => (await atWork()) === 0, LIMIT)).toBe(true);
  release();
  const late = await first;
  expect([late.status, late.body.code]).toEqual([409, 'in-progress']);
  expect(Number(late.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(await steps()).toEqual(['price', 'fee', 'offer']);
  const prices = provider.calls.slice(seen).filter(({ path }) => path === 'price');
  expect(prices).toHaveLength(2);
  expect(new Set(prices.map((call) => call.key)).size).toBe(1);
  expect((await quote(key, 'late')).headers.get('idempotent-replayed')).toBe('true');
});

test('row 10: a late first winner writes nothing while the second is at work', async () => {
  const key = newKey();
  const releases: (() => void)[] = [];
  const seen = provider.calls.length;
  // The first one stays at its price, the second at its fee.
  provider.decide = async ({ path }, nth) => {
    if (nth === seen + 1 || path === 'fee') await new Promise<void>((done) => releases.push(done));
    return { status: 200 };
  };
  const first = quote(key);
  expect(await pollUntil(() => releases.length === 2, LIMIT)).toBe(true);
  expect(await steps()).toEqual(['price']);
  releases[0]?.();
  expect((await first).body.code).toBe('in-progress');
  expect(await steps()).toEqual(['price']);
  const { rows } = await api.database.query('select point from claims_at_work');
  expect(rows).toEqual([{ point: 'fee' }]);
  provider.decide = () => ({ status: 200 });
  releases[1]?.();
  expect(await pollUntil(async () => (await atWork()) === 0, LIMIT)).toBe(true);
  expect(await steps()).toEqual(['price', 'fee', 'offer']);
});

test('a key that is at work in phases is no key for another route', async () => {
  const key = newKey();
  const { arrived, release } = hold('elsewhere');
  const first = quote(key, 'elsewhere');
  await arrived;
  const body = { action: 'cancel', reason: 'x' };
  const question = { key, body, as: api.keys.operator };
  const other = await ask(api, '/v1/runs/bk_aaaaaaaaaaaaaaaaaaaaaaaaaa/actions', question);
  expect([other.status, other.body.code]).toEqual([422, 'key-reused']);
  release();
  await first;
});

test('another account with the same key and body has an answer of its own', async () => {
  const key = newKey();
  const ours = await quote(key);
  const theirs = await ask(api, '/v1/quotes', {
    key,
    body: { thing: 'seat' },
    as: api.keys.stranger,
  });
  expect(theirs.status).toBe(201);
  expect(theirs.body.id).not.toBe(ours.body.id);
});
