import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { inTransaction } from '../../src/engine/database/database.js';
import { newId } from '../../src/engine/ids.js';
import { applyChange } from '../../src/engine/journal/run-change.store.js';
import { openRun } from '../../src/engine/journal/run-record.store.js';
import type { Fact } from '../../src/engine/saga/journal.js';
import { UNWATCHED } from '../../src/engine/telemetry/meters.js';
import { append, stepEnded, stepUnknown } from '../support/append.js';
import { ask, startApi, type Ask, type Reply, type TestApi } from '../support/api.js';
import { trip, tripApi, tripSagas } from '../support/trip.js';

const sagas = tripSagas();
const TOKEN = '00000000-0000-4000-8000-000000000000';
const REASON = 'the customer called';
const DONE = { outcome: 'done' } as const;
const LATER: Fact = {
  ...{ kind: 'ended', step: 'flight', direction: 'do', attempt: 1, outcome: 'again' },
  ...{ reason: 'busy', retry_ms: 300_000, counts: true, trying_ms: 0 },
};

let api: TestApi;
let keys = 0;
let run: string;
const counted: string[] = [];

beforeAll(async () => {
  const meters = { ...UNWATCHED, intervened: (kind: string) => void counted.push(kind) };
  api = await startApi(tripApi, sagas, { meters });
});
afterAll(() => api.close());

beforeEach(async () => {
  counted.length = 0;
  run = (await ask(api, '/v1/bookings', { key: nextKey(), body: trip() })).body.id;
  await append(api.database, sagas, run, ...stepEnded('charge', DONE));
});

const nextKey = () => `key-${(keys += 1)}`;
const operator = (path: string, question: Ask = {}) =>
  ask(api, path, { as: api.keys.operator, ...question });
const act = (action: string, more: object = {}, key = nextKey()) =>
  operator(`/v1/runs/${run}/actions`, { key, body: { action, reason: REASON, ...more } });
const preview = (action: string) => act(action, { dry_run: true });
const tell = (...facts: readonly Fact[]) => append(api.database, sagas, run, ...facts);
const waits = () => tell({ kind: 'begun', step: 'flight', direction: 'do', attempt: 1 }, LATER);
const follows = ({ body }: Reply): readonly string[] =>
  body.follows.map((one: { turn: number; text: string }) => `${one.turn} ${one.text}`);

/** A call that may be sent for so long, or could until so long ago. */
async function begun(step: string, timeoutMs: number): Promise<void> {
  const of = { step, direction: 'do', attempt: 1 } as const;
  await inTransaction(api.database, async (tx) => {
    await applyChange(tx, await openRun(tx, sagas, run), {
      facts: [{ kind: 'begun', ...of }],
      keys: [{ step, direction: 'do', sent: true }],
      begun: { ...of, token: TOKEN, timeoutMs, worker: 'w-1' },
    });
  });
}

/** Everything that an action may change, as it stands. */
async function everything(): Promise<unknown> {
  const { rows } = await api.database.query(
    `select
       (select to_jsonb(runs) from runs where id = $1::text) as run,
       (select jsonb_agg(journal order by seq) from journal where run = $1::text) as journal,
       (select jsonb_agg(step_keys order by key) from step_keys where run = $1::text) as keys,
       (select jsonb_agg(attempts) from attempts where run = $1::text) as attempts,
       (select jsonb_agg(cases) from cases where run = $1::text) as cases,
       (select jsonb_agg(interventions) from interventions where run = $1::text) as interventions,
       (select jsonb_agg(outbox order by id) from outbox where run = $1::text) as outbox,
       (select count(*) from claims) as claims`,
    [run],
  );
  return rows[0];
}

async function outbox(): Promise<readonly string[]> {
  const { rows } = await api.database.query(
    `select kind from outbox where run = $1::text and kind <> 'start' order by id`,
    [run],
  );
  return rows.map((row) => row.kind);
}

const seen = async () => (await operator(`/v1/runs/${run}`)).body;
const booking = async () => (await ask(api, `/v1/bookings/${run}`)).body;

describe('an action', () => {
  test('is for operators only, and for a run that there is', async () => {
    const body = { action: 'cancel', reason: REASON };
    const path = `/v1/runs/${run}/actions`;
    expect((await ask(api, path, { key: nextKey(), body })).body.code).toBe('forbidden');
    run = 'bk_aaaaaaaaaaaaaaaaaaaaaaaaaa';
    expect((await act('cancel')).body.code).toBe('not-found');
    expect((await preview('abandon')).body.code).toBe('not-found');
  });

  test.each([
    ['no reason', { reason: undefined }, '/reason'],
    ['a blank reason', { reason: ' ' }, '/reason'],
    ['a reason without end', { reason: 'r'.repeat(2_001) }, '/reason'],
    ['an action that is none', { action: 'pause' }, '/action'],
    ['a dry run that is neither', { dry_run: 'yes' }, '/dry_run'],
    ['a member that is unknown', { force: true }, '/force'],
  ])('with %s is refused and changes nothing', async (_what, more, at) => {
    const before = await everything();
    const { body } = await act('cancel', more);
    expect(body).toMatchObject({ code: 'body-invalid', errors: [{ pointer: at }] });
    expect(await everything()).toEqual(before);
  });

  test('is replayed byte for byte, and done once', async () => {
    const key = nextKey();
    const first = await act('abandon', {}, key);
    const again = await act('abandon', {}, key);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await seen()).interventions).toHaveLength(1);
    expect(counted).toEqual(['abandon']);
  });

  test.each(['retry-now', 'cancel', 'abandon'])(
    '%s, previewed, changes nothing, takes no key, and then does what it said',
    async (action) => {
      await waits();
      const before = await everything();
      const key = nextKey();
      const would = await act(action, { dry_run: true }, key);
      expect(would.status).toBe(200);
      expect(would.body).toMatchObject({ object: 'action', run, action, dry_run: true });
      expect(await everything()).toEqual(before);
      expect(counted).toEqual([]);

      const did = await act(action, {}, key);
      expect(did.status).toBe(200);
      expect(did.body).toEqual({ ...would.body, dry_run: false });
      const now = await seen();
      expect(now).toMatchObject({ state: did.body.after.state, status: did.body.after.status });
      expect(now.interventions).toMatchObject([
        { action, reason: REASON, who: expect.stringMatching(/^acme\//) },
      ]);
      expect(counted).toEqual([action]);
    },
  );
});

describe('retry now', () => {
  test('lets what waits go on at once, and says what comes next', async () => {
    await waits();
    const reply = await act('retry-now');
    expect(reply.body).toMatchObject({ changes: true, remains: [] });
    expect(follows(reply)).toEqual([
      '1 send flight (holdSeat at flights), attempt 2',
      '1 send hotel (reserveRoom at hotels)',
      '2 send ticket (issueTicket at flights)',
      '3 send receipt (sendReceipt at messages)',
      '4 end as completed',
    ]);
    expect(reply.body.follows[0]).toMatchObject({
      ...{ kind: 'call', step: 'flight', direction: 'do', attempt: 2 },
      ...{ act: 'holdSeat', provider: 'flights', only_if: null, wait_ms: null, case: null },
    });
    expect(await outbox()).toEqual(['look']);
    expect((await seen()).timeline.at(-1).text).toBe(
      'An operator said "now": what waits for its time goes on at once.',
    );
  });

  test.each<[string, () => Promise<void>, string]>([
    ['nothing waits', () => tell(), 'nothing-to-retry'],
    ['a person must decide', () => tell(...stepUnknown('flight')), 'nothing-to-retry'],
    ['it has ended', () => tell({ kind: 'finished', as: 'undone' }), 'already-ended'],
  ])('where %s it is refused and changes nothing', async (_what, bring, code) => {
    await bring();
    const before = await everything();
    for (const reply of [await act('retry-now'), await preview('retry-now')]) {
      expect(reply.body).toMatchObject({ code, status: 409, run_state: expect.any(String) });
    }
    expect(await everything()).toEqual(before);
  });

  test('a second time there is nothing to retry', async () => {
    await waits();
    const replies = await Promise.all([act('retry-now'), act('retry-now')]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(await outbox()).toEqual(['look']);
  });
});

describe('a cancel by an operator', () => {
  test('says what is awaited and what is undone, in that order', async () => {
    await tell(...stepEnded('flight', DONE));
    await begun('hotel', 10_000);
    const reply = await preview('cancel');
    expect(follows(reply)).toEqual([
      '1 turn back, because it was cancelled',
      '2 await the outcome of hotel, which is on its way',
      '3 undo hotel (releaseRoom at hotels), if it took effect',
      '4 undo flight (releaseSeat at flights)',
      '5 undo charge (refundCard at payments)',
      '6 end as cancelled',
    ]);
    expect(reply.body).toMatchObject({
      before: { state: 'running', direction: 'forward', status: 'pending' },
      after: { state: 'running', direction: 'forward', status: 'cancelling' },
    });
  });

  test('goes on record with its reason, and to Temporal as a cancel', async () => {
    await act('cancel');
    expect(await outbox()).toEqual(['cancel']);
    expect(await seen()).toMatchObject({ interventions: [{ action: 'cancel', reason: REASON }] });
    expect(await booking()).toMatchObject({ status: 'cancelling' });
  });

  test('of a run that is cancelled already changes nothing, and says so', async () => {
    await act('cancel');
    expect((await act('cancel')).body).toMatchObject({ changes: false });
    expect(await outbox()).toEqual(['cancel']);
    expect((await seen()).interventions).toHaveLength(1);
    expect(counted).toEqual(['cancel']);
  });

  test('is refused as a customer’s is', async () => {
    await tell(...['flight', 'hotel'].flatMap((step) => stepEnded(step, DONE)));
    await tell({ kind: 'begun', step: 'ticket', direction: 'do', attempt: 1 });
    const begunPivot = await act('cancel');
    expect(begunPivot.body.code).toBe('pivot-in-progress');
    expect(begunPivot.headers.get('retry-after')).toBe('1');
    const end = { kind: 'ended', step: 'ticket', direction: 'do', attempt: 1 } as const;
    await tell({ ...end, outcome: 'done', provider_id: null });
    expect((await act('cancel')).body.code).toBe('past-pivot');
  });
});

describe('abandon', () => {
  test('ends the run, closes every key and its cases, and lists what remains', async () => {
    await tell(...stepEnded('flight', DONE), ...stepUnknown('hotel'));
    const opened = { problem: 'unknown-outcome', step: 'hotel', direction: 'do' } as const;
    await tell({
      kind: 'case-opened',
      case: newId('case'),
      ...opened,
    });
    const reply = await act('abandon');
    expect(reply.body).toMatchObject({
      after: { state: 'closed_by_hand', status: 'closed' },
      follows: [],
      remains: [
        { step: 'charge', direction: 'undo', what: 'not-undone' },
        { step: 'flight', direction: 'undo', what: 'not-undone' },
        { step: 'hotel', direction: 'do', what: 'unknown' },
      ],
    });
    expect(await outbox()).toEqual(['look']);
    const now = await seen();
    expect(now).toMatchObject({
      ...{ state: 'closed_by_hand', problem: null, remains: reply.body.remains },
      failure: { code: 'closed-by-hand', step: 'hotel' },
      cases: [{ state: 'settled', verdict: null, reason: REASON }],
      ended_at: expect.any(String),
    });
    expect(now.cases[0].resolved_by).toBe(now.interventions[0].who);
    expect(now.timeline.slice(-3).map(({ text }: { text: string }) => text)).toEqual([
      'An operator abandoned the run: nothing more is sent.',
      `hotel no longer waits for a person: abandoning the run closed ${now.cases[0].id}.`,
      'Closed by hand: something remains.',
    ]);
    expect(now.keys).toHaveLength(8);
    expect(now.keys.filter((one: { closed_at: unknown }) => one.closed_at === null)).toEqual([]);
    expect(await booking()).toMatchObject({
      status: 'closed',
      failure: { code: 'closed-by-hand' },
      resolution: {
        remains: [
          { step: 'charge', what: 'was not undone' },
          { step: 'flight', what: 'was not undone' },
          { step: 'hotel', what: 'may have taken effect' },
        ],
      },
    });
  });

  test('waits until no call can be sent any more, and says until when', async () => {
    await begun('flight', 60_000);
    const reply = await act('abandon');
    expect(reply.body).toMatchObject({ code: 'call-in-progress', status: 409 });
    const inMs = Date.parse(reply.body.until) - Date.now();
    expect(inMs).toBeGreaterThan(30_000);
    expect(inMs).toBeLessThanOrEqual(60_000);
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(30);
    expect((await preview('abandon')).body.code).toBe('call-in-progress');
    expect((await seen()).state).toBe('running');
  });

  test('settles a call whose process died, as one of which nobody knows', async () => {
    await begun('flight', 0);
    expect((await act('abandon')).body.remains).toContainEqual(
      expect.objectContaining({ step: 'flight', direction: 'do', what: 'unknown' }),
    );
    const { attempts, steps } = await seen();
    expect(attempts).toMatchObject([{ step: 'flight', state: 'unknown', detail: 'abandoned' }]);
    expect(steps).toContainEqual({ name: 'flight', state: 'unknown', undo: 'left' });
  });

  test('is refused once the run has ended, a second time too', async () => {
    const replies = await Promise.all([act('abandon'), act('abandon')]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect((await act('abandon')).body).toMatchObject({
      ...{ code: 'already-ended', run_state: 'closed_by_hand' },
    });
    expect(await outbox()).toEqual(['look']);
  });

  test('past the pivot leaves the booking confirmed, and lists what is missing', async () => {
    await tell(...['flight', 'hotel', 'ticket'].flatMap((step) => stepEnded(step, DONE)));
    expect((await act('abandon')).body).toMatchObject({
      after: { state: 'closed_by_hand', status: 'confirmed' },
      remains: [{ step: 'receipt', direction: 'do', what: 'not-done' }],
    });
    expect(await booking()).toMatchObject({ status: 'confirmed', failure: null });
  });

  test('keeps the reference of a booking of which something remains', async () => {
    const first = { ...trip(), reference: 'cart-1' };
    run = (await ask(api, '/v1/bookings', { key: nextKey(), body: first })).body.id;
    await tell(...stepEnded('charge', DONE));
    await act('abandon');
    const second = await ask(api, '/v1/bookings', { key: nextKey(), body: first });
    expect(second.body).toMatchObject({ code: 'reference-in-use', in_use_by: run });
  });
});

describe('a verdict, previewed', () => {
  let caseId: string;
  beforeEach(async () => {
    caseId = newId('case');
    await tell(...stepEnded('flight', DONE), ...stepUnknown('hotel'));
    const opened = { problem: 'unknown-outcome', step: 'hotel', direction: 'do' } as const;
    await tell({ kind: 'case-opened', case: caseId, ...opened });
  });
  const judge = (verdict: string, ifMatch = '"1"', more: object = {}) =>
    operator(`/v1/cases/${caseId}/verdict`, {
      key: nextKey(),
      body: { verdict, evidence: 'their list', reason: REASON, dry_run: true, ...more },
      headers: { 'if-match': ifMatch },
    });

  test.each([
    [
      'did-not-happen',
      {},
      [
        '1 send hotel (reserveRoom at hotels), attempt 2',
        '2 send ticket (issueTicket at flights)',
        '3 send receipt (sendReceipt at messages)',
        '4 end as completed',
      ],
    ],
    [
      'happened',
      { value: { id: 'rs_9' } },
      [
        '1 send ticket (issueTicket at flights)',
        '2 send receipt (sendReceipt at messages)',
        '3 end as completed',
      ],
    ],
    [
      'left-as-is',
      {},
      [
        '1 turn back, because a person decided so',
        '2 undo flight (releaseSeat at flights)',
        '3 undo charge (refundCard at payments)',
        '4 end as closed_by_hand',
      ],
    ],
  ])('%s says what follows, and decides nothing', async (verdict, more, expected) => {
    const before = await everything();
    const reply = await judge(verdict, '"1"', more);
    expect(reply.body).toMatchObject({
      ...{ object: 'action', run, case: caseId, action: `verdict ${verdict}`, dry_run: true },
    });
    expect(follows(reply)).toEqual(expected);
    expect(await everything()).toEqual(before);
    expect(counted).toEqual([]);
  });

  test('is refused as the verdict would be', async () => {
    expect((await judge('happened')).body.code).toBe('body-invalid');
    expect((await judge('left-as-is', '"7"')).body.code).toBe('changed-since-you-looked');
  });
});
