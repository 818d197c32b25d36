import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ProviderCall, Seen } from '../support/provider-call.js';
import { callProvider, codeOf, jsonOf } from '../support/provider-call.js';
import type { FaultWish } from '../support/sandbox.js';
import type { SandboxHere } from './sandbox-here.js';
import { openSandboxHere } from './sandbox-here.js';

// Every fault is looked at from both sides: what the caller saw, and what the record says.

let sandbox: SandboxHere;
beforeEach(async () => void (sandbox = await openSandboxHere()));
afterEach(() => sandbox.close());

/** Shorter than every wait of a fault that is not to be answered, longer than a plain answer. */
const IMPATIENT_MS = 250;

const bodies: Record<string, [path: string, body: Record<string, unknown>]> = {
  charge: ['payments/charges', { amount: 100, currency: 'INR', source: 'tok_visa' }],
  hold: ['flights/orders', { offer: 'O', traveller: { name: 'Ada' } }],
  reserve: ['hotels/reservations', { offer: 'O', nights: 1, guest: { name: 'Ada' } }],
  send: ['messages/messages', { to: 'a@example.com', kind: 'receipt', data: {} }],
};
type Act = 'charge' | 'hold' | 'reserve' | 'send';
const providers = { charge: 'payments', hold: 'flights', reserve: 'hotels', send: 'messages' };

const call = (act: Act, more: ProviderCall = {}): Promise<Seen> => {
  const [path = '', body = {}] = bodies[act] ?? [];
  return callProvider(`${sandbox.url}/${path}`, { key: `r:${act}`, body, ...more });
};
const strike = (act: Act, wanted: FaultWish['do'], more: Partial<FaultWish> = {}) => {
  const provider = providers[act] as FaultWish['provider'];
  return sandbox.fault({ provider, operation: act, do: wanted, ...more });
};
const findOrders = async () => {
  const url = `${sandbox.providers.flights}/orders?reference=r:hold`;
  return jsonOf(await callProvider(url, { key: 'r:hold' })).data;
};
const effectIds = async () => (await sandbox.effects('r:')).map(({ id }) => id);

/** `ok`: 2xx and JSON. `garbled`: 2xx and no JSON. Else the status, or how it broke. */
function summary(seen: Seen): string {
  if (seen.broken !== null) return seen.broken;
  if (seen.status === null || seen.status >= 300) return String(seen.status);
  try {
    jsonOf(seen);
    return 'ok';
  } catch {
    return 'garbled';
  }
}

const acts: Act[] = ['charge', 'hold', 'reserve', 'send'];
const onEveryAct: [wanted: FaultWish['do'], seen: string, effects: number][] = [
  ['ok', 'ok', 1],
  [{ status: { code: 503 } }, '503', 0],
  [{ delay: { ms: 30 } }, 'ok', 1],
  ['hang', 'timeout', 0],
  ['reset_before_effect', 'ECONNRESET', 0],
  ['effect_then_reset', 'ECONNRESET', 1],
  ['effect_then_hang', 'timeout', 1],
  ['effect_then_500', '500', 1],
  ['effect_then_malformed_json', 'garbled', 1],
  ['effect_then_truncated_body', 'ECONNRESET', 1],
  ['duplicate_effect', 'ok', 2],
  [{ huge_body: { bytes: 300_000 } }, 'ok', 1],
  [{ slow_drip: { bytes_per_second: 2_000 } }, 'ok', 1],
];

test.each(onEveryAct)(
  '%j: every act sees %s, and has %i effects',
  async (wanted, seen, effects) => {
    await Promise.all(
      acts.map(async (act) => {
        const { id } = await strike(act, wanted);
        const timeoutMs = seen === 'timeout' ? IMPATIENT_MS : 5_000;
        expect([act, summary(await call(act, { timeoutMs }))]).toEqual([act, seen]);
        await expect.poll(() => sandbox.effects(`r:${act}`)).toHaveLength(effects);
        expect(await sandbox.requests(`r:${act}`)).toMatchObject([{ attempt: 1, fault: id }]);
        // Used up: the next request meets a healthy provider.
        expect([act, summary(await call(act))]).toEqual([act, 'ok']);
        expect(await sandbox.requests(`r:${act}`)).toMatchObject([{}, { attempt: 2, fault: null }]);
      }),
    );
    expect((await sandbox.faults()).map(({ used }) => used)).toEqual([1, 1, 1, 1]);
  },
);

test.each<[Act, number, string]>([
  ['charge', 402, 'card_declined'],
  ['hold', 409, 'sold_out'],
  ['reserve', 409, 'sold_out'],
  ['send', 422, 'recipient_refused'],
])('decline: %s is answered %i %s, and nothing happens', async (act, status, code) => {
  await strike(act, 'decline');
  const seen = await call(act);
  expect([seen.status, codeOf(seen)]).toEqual([status, code]);
  expect(await effectIds()).toEqual([]);
  expect(summary(await call(act))).toBe('ok');
});

test.each<[code: number, retryAfter: number | string | undefined, header: string | undefined]>([
  [503, 2, '2'],
  [429, 'Wed, 21 Oct 2026 07:28:00 GMT', 'Wed, 21 Oct 2026 07:28:00 GMT'],
  [429, -1, '-1'],
  [500, undefined, undefined],
  [202, undefined, undefined],
  [204, undefined, undefined],
])('status %i with retry_after %s is sent as scripted', async (code, retry_after, header) => {
  await strike('reserve', {
    status: { code, ...(retry_after === undefined ? {} : { retry_after }) },
  });
  const seen = await call('reserve');
  expect([seen.status, seen.headers['retry-after'], seen.broken]).toEqual([code, header, null]);
  expect(await effectIds()).toEqual([]);
});

test('delay: the answer waits, and so does the effect', async () => {
  await strike('hold', { delay: { ms: 300 } });
  const pending = call('hold');
  await expect.poll(() => sandbox.requests('r:hold')).toHaveLength(1);
  expect(await effectIds()).toEqual([]);
  const seen = await pending;
  expect(seen.status).toBe(201);
  expect(seen.ms).toBeGreaterThanOrEqual(300);
  expect(await effectIds()).toEqual([jsonOf(seen).id]);
});

test('delay: the key is at work until the effect', async () => {
  await strike('charge', { delay: { ms: 300 } });
  const first = call('charge');
  await expect.poll(() => sandbox.requests('r:charge')).toHaveLength(1);
  const second = await call('charge');
  expect([second.status, codeOf(second)]).toEqual([409, 'in_progress']);
  expect((await first).status).toBe(201);
  expect((await call('charge')).text).toBe((await first).text);
  expect(await effectIds()).toHaveLength(1);
});

test('hang: takes no key, so a second attempt goes through while the first hangs', async () => {
  await strike('charge', 'hang');
  const first = call('charge', { timeoutMs: 2_000 });
  await expect.poll(() => sandbox.requests('r:charge')).toHaveLength(1);
  expect((await call('charge')).status).toBe(201);
  expect((await first).broken).toBe('timeout');
  expect(await effectIds()).toHaveLength(1);
});

describe.each([
  ['hang_then_effect', 'timeout'],
  ['reset_then_effect', 'ECONNRESET'],
])('%s', (name, broken) => {
  const wanted = (ms: number) => ({ [name]: { ms } });

  test('the caller has gone when the effect lands, and a repeated key meets it once', async () => {
    await strike('charge', wanted(1_000));
    const first = call('charge', { timeoutMs: IMPATIENT_MS });
    await expect.poll(() => sandbox.requests('r:charge')).toHaveLength(1);
    const early = await call('charge');
    expect([early.status, codeOf(early)]).toEqual([409, 'in_progress']);
    expect(await effectIds()).toEqual([]);
    expect((await first).broken).toBe(broken);
    await expect.poll(effectIds, { timeout: 5_000 }).toHaveLength(1);
    const late = await call('charge');
    expect([late.status, jsonOf(late).id]).toEqual([201, (await effectIds())[0]]);
    expect(await effectIds()).toHaveLength(1);
  });

  test('a flight is not found before it landed', async () => {
    await strike('hold', wanted(1_000));
    const first = call('hold', { timeoutMs: IMPATIENT_MS });
    await expect.poll(() => sandbox.requests('r:hold')).toHaveLength(1);
    expect(await findOrders()).toEqual([]);
    expect((await first).broken).toBe(broken);
    await expect.poll(findOrders, { timeout: 5_000 }).toMatchObject([{ status: 'held' }]);
  });

  test('what had not landed when the sandbox ended never lands', async () => {
    await strike('charge', wanted(60_000));
    expect((await call('charge', { timeoutMs: IMPATIENT_MS })).broken).toBe(broken);
    await expect.poll(() => sandbox.requests('r:charge')).toHaveLength(1);
    sandbox = await sandbox.reopen();
    expect(await effectIds()).toEqual([]);
    expect((await call('charge')).status).toBe(201);
    expect(await effectIds()).toHaveLength(1);
  });
});

test('effect_then_truncated_body: an announced length, and half of it', async () => {
  await strike('hold', 'effect_then_truncated_body');
  const seen = await call('hold');
  expect(seen).toMatchObject({ status: 201, broken: 'ECONNRESET' });
  expect(seen.text.length).toBeGreaterThan(0);
  expect(seen.text.length).toBeLessThan(Number(seen.headers['content-length']));
});

test('huge_body: valid JSON of that size, its length not announced', async () => {
  await strike('charge', { huge_body: { bytes: 1_000_000 } });
  const seen = await call('charge');
  expect(seen.headers['content-length']).toBeUndefined();
  expect(seen.text.length).toBeGreaterThan(1_000_000);
  expect(await effectIds()).toEqual([jsonOf(seen).id]);
});

test('slow_drip: the answer begins at once and takes its time', async () => {
  await strike('charge', { slow_drip: { bytes_per_second: 100 } });
  const cut = await call('charge', { timeoutMs: IMPATIENT_MS });
  expect(cut).toMatchObject({ status: 201, broken: 'timeout' });
  expect(cut.text.length).toBeLessThan(Number(cut.headers['content-length']));
  expect(await effectIds()).toHaveLength(1);
  expect(summary(await call('charge'))).toBe('ok');
});

test('duplicate_effect: two charges; the answer and the key tell of the first', async () => {
  await strike('charge', 'duplicate_effect');
  const seen = await call('charge');
  const [first, second] = await effectIds();
  expect(second).not.toBe(first);
  expect(jsonOf(seen).id).toBe(first);
  expect((await call('charge')).text).toBe(seen.text);
  const url = `${sandbox.providers.payments}/charges?reference=r:charge`;
  expect(jsonOf(await callProvider(url, { key: 'r:charge' })).data).toHaveLength(2);
});

test('replay_different_body: a repetition names another id than the record', async () => {
  await strike('charge', 'replay_different_body', { match: { attempt: 2 } });
  const first = await call('charge');
  const second = await call('charge');
  expect(second.status).toBe(201);
  expect(jsonOf(second).id).not.toBe(jsonOf(first).id);
  expect(await effectIds()).toEqual([jsonOf(first).id]);
  expect((await call('charge')).text).toBe(first.text);
});

test('ignore_key: a known key makes a second charge, and goes on meaning the first', async () => {
  await strike('charge', 'ignore_key', { match: { attempt: 2 } });
  const answers = [await call('charge'), await call('charge'), await call('charge')];
  const [first, second] = await effectIds();
  expect(answers.map((seen) => jsonOf(seen).id)).toEqual([first, second, first]);
});

test('expire_key: a known key is forgotten, and means the second charge from then on', async () => {
  await strike('charge', 'expire_key', { match: { attempt: 2 } });
  const answers = [await call('charge'), await call('charge'), await call('charge')];
  const [first, second] = await effectIds();
  expect(answers.map((seen) => jsonOf(seen).id)).toEqual([first, second, second]);
});

test('expire_key: what was forgotten stays forgotten after a restart', async () => {
  const refund = (amount: number) =>
    callProvider(`${sandbox.providers.payments}/refunds`, {
      key: 'r:refund',
      body: { charge: jsonOf(charged).id, amount },
    });
  const charged = await call('charge');
  await refund(100);
  await sandbox.fault({ provider: 'payments', operation: 'refund', do: 'expire_key' });
  expect(codeOf(await refund(100))).toBe('already_refunded');
  sandbox = await sandbox.reopen();
  expect(codeOf(await refund(100))).toBe('already_refunded');
});

test('ignore_deadline: what came too late takes effect all the same', async () => {
  const deadline = '2020-01-01T00:00:00Z';
  await strike('charge', 'ignore_deadline');
  expect((await call('charge', { deadline })).status).toBe(201);
  expect(await effectIds()).toHaveLength(1);
  expect((await call('charge', { deadline })).status).toBe(410);
});

test('a request that is too late, or malformed, uses up no fault', async () => {
  await strike('charge', 'decline');
  expect((await call('charge', { deadline: '2020-01-01T00:00:00Z' })).status).toBe(410);
  expect((await call('charge', { body: '{}' })).status).toBe(400);
  expect((await call('charge')).status).toBe(402);
  expect((await sandbox.requests('r:')).map(({ fault }) => fault !== null)).toEqual([
    false,
    false,
    true,
  ]);
});

test('wrong_amount: the charge is made with another amount, and says so', async () => {
  await strike('charge', 'wrong_amount');
  expect(jsonOf(await call('charge')).amount).toBe(99);
  expect(await sandbox.effects('r:')).toMatchObject([{ amount: 99 }]);
});

test('wrong_amount: a find, or a repetition, tells another amount than the record', async () => {
  const url = `${sandbox.providers.payments}/charges?reference=r:charge`;
  await strike('charge', 'wrong_amount', { match: { attempt: 2 } });
  const faulty = { provider: 'payments', operation: 'find_charge', do: 'wrong_amount' } as const;
  await sandbox.fault(faulty);
  await call('charge');
  expect(jsonOf(await call('charge')).amount).toBe(99);
  expect(jsonOf(await callProvider(url, { key: 'q' })).data).toMatchObject([{ amount: 99 }]);
  expect(jsonOf(await callProvider(url, { key: 'q' })).data).toMatchObject([{ amount: 100 }]);
  expect(await sandbox.effects('r:')).toMatchObject([{ amount: 100 }]);
});

test('faults strike undos and questions as well: a lost cancel, a reset question', async () => {
  const { id } = jsonOf(await call('reserve'));
  const lost = {
    provider: 'hotels',
    operation: 'cancel',
    do: 'effect_then_malformed_json',
  } as const;
  await sandbox.fault(lost);
  const url = `${sandbox.providers.hotels}/reservations/${String(id)}`;
  const cancel = () => callProvider(url, { method: 'DELETE', key: 'r:reserve:undo' });
  expect(summary(await cancel())).toBe('garbled');
  expect(codeOf(await cancel())).toBe('already_cancelled');
  await sandbox.fault({ provider: 'flights', operation: 'find', do: 'reset_before_effect' });
  const ask = () => callProvider(`${sandbox.providers.flights}/orders?reference=r`, { key: 'r' });
  expect([summary(await ask()), summary(await ask())]).toEqual(['ECONNRESET', 'ok']);
});

const chargeStatuses = (keys: readonly string[]) =>
  Promise.all(keys.map(async (key) => (await call('charge', { key })).status));

describe('the script', () => {
  test('the first fault with uses left strikes, and `ok` lifts magic input', async () => {
    await strike('reserve', 'ok');
    await strike('reserve', { status: { code: 503 } }, { times: 2 });
    const body = { offer: 'X-SOLDOUT', nights: 1, guest: 'Ada' };
    const seen = [];
    for (let n = 0; n < 4; n += 1) seen.push((await call('reserve', { body })).status);
    expect(seen).toEqual([201, 503, 503, 409]);
    expect((await sandbox.faults()).map(({ used }) => used)).toEqual([1, 2]);
  });

  test('null strikes always, by prefix, until the script is forgotten', async () => {
    await strike('charge', 'decline', { times: null, match: { reference: 'a:' } });
    expect(await chargeStatuses(['a:1', 'a:2', 'b:1'])).toEqual([402, 402, 201]);
    await sandbox.clearFaults();
    expect(await sandbox.faults()).toEqual([]);
    expect(await chargeStatuses(['a:1', 'a:2', 'b:1'])).toEqual([201, 201, 201]);
  });

  test('is answered with its id and shown as it was written', async () => {
    const wish: FaultWish = {
      provider: 'payments',
      operation: 'charge',
      match: { reference: 'r:', attempt: 2 },
      times: 3,
      do: { delay: { ms: 5 } },
    };
    const { id } = await sandbox.fault(wish);
    const bare = await sandbox.fault({ provider: 'flights', operation: 'hold', do: { hang: {} } });
    expect(await sandbox.faults()).toEqual([{ id, ...wish, used: 0 }, bare]);
    expect(bare).toMatchObject({ match: {}, times: 1, do: 'hang', used: 0 });
  });

  test('a fault that cannot be read is refused by naming the field', async () => {
    const body = '{"provider":"payments","operation":"charge","do":{"delay":{}}}';
    const seen = await callProvider(`${sandbox.url}/_sandbox/faults`, { body });
    expect(seen.status).toBe(400);
    expect(jsonOf(seen)).toMatchObject({ error: { code: 'bad_request', field: 'do.delay.ms' } });
    const garbled = await callProvider(`${sandbox.url}/_sandbox/faults`, { body: '{' });
    expect([garbled.status, codeOf(garbled)]).toEqual([400, 'bad_request']);
  });
});
