import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { inTransaction } from '../../src/engine/database/database.js';
import { newId } from '../../src/engine/ids.js';
import { applyChange } from '../../src/engine/journal/run-change.store.js';
import { openRun } from '../../src/engine/journal/run-record.store.js';
import { callInputPlace } from '../../src/engine/journal/sealed-places.js';
import { append, stepEnded, stepUnknown } from '../support/append.js';
import { ask, startApi, type Ask, type TestApi } from '../support/api.js';
import { trip, tripApi, tripSagas } from '../support/trip.js';

const sagas = tripSagas();
const SENT = { offer: 'H-204', nights: 2, guest: { name: 'Ada Byron', email: 'ada@example.com' } };
const TOKEN = '00000000-0000-4000-8000-000000000000';

let api: TestApi;
let keys = 0;
let run: string;
let caseId: string;

beforeAll(async () => {
  api = await startApi(tripApi, sagas);
});
afterAll(() => api.close());

/** A trip whose room may or may not be reserved. */
beforeEach(async () => {
  const key = `book-${(keys += 1)}`;
  run = (await ask(api, '/v1/bookings', { key, body: trip() })).body.id;
  caseId = newId('case');
  const call = { run, step: 'hotel', direction: 'do' } as const;
  await inTransaction(api.database, async (tx) => {
    const input = api.sealer.seal(SENT, callInputPlace(call));
    const attempt = { attempt: 1, token: TOKEN, timeoutMs: 10_000, worker: 'w-1' };
    await applyChange(tx, await openRun(tx, sagas, run), {
      facts: [],
      keys: [{ step: 'hotel', direction: 'do', input, sent: true }],
      begun: { step: 'hotel', direction: 'do', ...attempt },
    });
  });
  await append(
    api.database,
    sagas,
    run,
    ...stepEnded('charge', { outcome: 'done' }),
    ...stepEnded('flight', { outcome: 'done' }),
    ...stepUnknown('hotel'),
  );
  await append(api.database, sagas, run, {
    kind: 'case-opened',
    case: caseId,
    problem: 'unknown-outcome',
    step: 'hotel',
    direction: 'do',
  });
});

const operator = (path: string, question: Ask = {}) =>
  ask(api, path, { as: api.keys.operator, ...question });

const HAPPENED = {
  verdict: 'happened',
  value: { id: 'rs_9' },
  evidence: 'The hotel read reservation rs_9 to us.',
  reason: 'They have it.',
};

const decide = (body: object, ifMatch: string | null = '"1"', key = `decide-${(keys += 1)}`) =>
  operator(`/v1/cases/${caseId}/verdict`, {
    key,
    body,
    headers: ifMatch === null ? {} : { 'if-match': ifMatch },
  });

async function outbox(): Promise<readonly string[]> {
  const { rows } = await api.database.query(
    `select kind from outbox where run = $1::text and kind <> 'start'`,
    [run],
  );
  return rows.map((row) => row.kind);
}

describe('the desk', () => {
  test('is for operators only', async () => {
    for (const path of ['/v1/cases', `/v1/cases/${caseId}`, `/v1/runs/${run}`]) {
      expect((await ask(api, path)).body).toMatchObject({ code: 'forbidden', status: 403 });
    }
    const verdict = { key: 'x', body: HAPPENED, headers: { 'if-match': '"1"' } };
    expect((await ask(api, `/v1/cases/${caseId}/verdict`, verdict)).status).toBe(403);
  });

  test('lists the open cases of every account, newest first, page by page', async () => {
    const first = await operator('/v1/cases?state=open&limit=1');
    expect(first.body.data).toEqual([
      expect.objectContaining({
        object: 'case',
        id: caseId,
        run,
        account: 'acme',
        step: 'hotel',
        direction: 'do',
        problem: 'unknown-outcome',
        state: 'open',
        verdict: null,
      }),
    ]);
    const { rows } = await api.database.query(`select id from cases where state = 'open'`);
    const seen = [caseId];
    for (let { body } = first; body.has_more && seen.length <= rows.length;) {
      const next = await operator(`/v1/cases?state=open&limit=1&cursor=${body.next_cursor}`);
      ({ body } = next);
      seen.push(...body.data.map((one: { id: string }) => one.id));
    }
    expect(seen.toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
  });

  test('shows a case with its facts and with what each verdict would do', async () => {
    const reply = await operator(`/v1/cases/${caseId}`);
    expect(reply.headers.get('etag')).toMatch(/^"1-[\w-]{22}"$/);
    expect(reply.body).toMatchObject({
      provider: 'hotels',
      act: 'reserveRoom',
      sent: { key: `${run}:hotel`, input: SENT, provider_id: null },
      attempts: [{ attempt: 1, state: 'sending', worker: 'w-1' }],
    });
    const verdicts: { verdict: string; needs_value: boolean; effect: string }[] =
      reply.body.verdicts;
    expect(verdicts.map(({ verdict }) => verdict).toSorted()).toEqual([
      'did-not-happen',
      'happened',
      'left-as-is',
      'undone-by-hand',
    ]);
    expect(verdicts.find(({ verdict }) => verdict === 'happened')).toMatchObject({
      needs_value: true,
      effect: expect.stringMatching(/^The step counts as done/),
    });
  });

  test('knows no case of another id', async () => {
    const unknown = 'case_aaaaaaaaaaaaaaaaaaaaaaaaaa';
    expect((await operator(`/v1/cases/${unknown}`)).body.code).toBe('not-found');
    caseId = unknown;
    expect((await decide(HAPPENED)).body.code).toBe('not-found');
  });
});

describe('a verdict', () => {
  test('closes the case, goes on record and tells the run', async () => {
    const reply = await decide(HAPPENED);
    expect(reply.status).toBe(200);
    expect(reply.headers.get('etag')).toBe('"2"');
    expect(reply.body).toMatchObject({
      id: caseId,
      state: 'resolved',
      verdict: 'happened',
      evidence: HAPPENED.evidence,
      reason: HAPPENED.reason,
      resolved_by: expect.stringMatching(/^acme\//),
      verdicts: [],
    });
    expect(await outbox()).toEqual(['look']);
    const booking = await ask(api, `/v1/bookings/${run}`);
    expect(booking.body).toMatchObject({ status: 'pending', hotel: { reservation: 'rs_9' } });
    const { body } = await operator(`/v1/runs/${run}`);
    expect(body.interventions).toEqual([
      expect.objectContaining({ action: 'verdict happened', case: caseId }),
    ]);
    expect(body.timeline.at(-1).text).toBe(
      `A person decided about hotel: it happened (${caseId}).`,
    );
  });

  test('is replayed byte for byte, also without the If-Match it had', async () => {
    const key = 'decide once';
    const first = await decide(HAPPENED, '"1"', key);
    const again = await decide(HAPPENED, null, key);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('etag')).toBe('"2"');
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await outbox()).toEqual(['look']);
  });

  test('keeps nothing personal for its replays', async () => {
    const { text } = await decide(HAPPENED, '"1"', 'decide in private');
    expect(text).toContain('"object":"case"');
    expect(text).not.toContain('ada@example.com');
  });

  test('of two people at once is taken from one', async () => {
    const verdicts = [HAPPENED, { ...HAPPENED, verdict: 'did-not-happen', value: undefined }];
    const replies = await Promise.all(verdicts.map((verdict) => decide(verdict)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(replies.find(({ status }) => status === 409)?.body.code).toBe('case-resolved');
    expect(await outbox()).toEqual(['look']);
  });

  test('on a closed case is refused before its If-Match is looked at', async () => {
    await decide(HAPPENED);
    for (const ifMatch of ['"1"', '"2"', '"99"']) {
      expect((await decide(HAPPENED, ifMatch)).body).toMatchObject({
        code: 'case-resolved',
        status: 409,
      });
    }
  });

  test.each([
    ['no If-Match', HAPPENED, null, 428, 'if-match-missing', undefined],
    ['an empty If-Match', HAPPENED, ' ', 428, 'if-match-missing', undefined],
    ['another revision', HAPPENED, '"2"', 412, 'changed-since-you-looked', undefined],
    ['a weak tag', HAPPENED, 'W/"1"', 412, 'changed-since-you-looked', undefined],
    ['any revision', HAPPENED, '*', 412, 'changed-since-you-looked', undefined],
    ['no evidence', { ...HAPPENED, evidence: undefined }, '"1"', 400, 'body-invalid', '/evidence'],
    ['blank evidence', { ...HAPPENED, evidence: ' ' }, '"1"', 400, 'body-invalid', '/evidence'],
    ['no reason', { ...HAPPENED, reason: '' }, '"1"', 400, 'body-invalid', '/reason'],
    [
      'a reason without end',
      { ...HAPPENED, reason: 'r'.repeat(2_001) },
      '"1"',
      400,
      'body-invalid',
      '/reason',
    ],
    [
      'a verdict that is none',
      { ...HAPPENED, verdict: 'maybe' },
      '"1"',
      400,
      'body-invalid',
      '/verdict',
    ],
    [
      'a value that the act cannot read',
      { ...HAPPENED, value: { name: 'rs_9' } },
      '"1"',
      400,
      'body-invalid',
      '/value',
    ],
    ['no value', { ...HAPPENED, value: undefined }, '"1"', 400, 'body-invalid', '/value'],
    [
      'a value where none belongs',
      { ...HAPPENED, verdict: 'left-as-is' },
      '"1"',
      400,
      'body-invalid',
      '/value',
    ],
    [
      'half an amount',
      { ...HAPPENED, verdict: 'left-as-is', value: undefined, amount: { amount: 1 } },
      '"1"',
      400,
      'body-invalid',
      '/amount/currency',
    ],
    [
      'a member that is unknown',
      { ...HAPPENED, force: true },
      '"1"',
      400,
      'body-invalid',
      '/force',
    ],
  ])('with %s is refused and changes nothing', async (_what, body, ifMatch, status, code, at) => {
    const reply = await decide(body, ifMatch);
    expect(reply.body).toMatchObject({ code, status });
    if (at !== undefined) expect(reply.body.errors[0].pointer).toBe(at);
    expect(await outbox()).toEqual([]);
    expect((await operator(`/v1/cases/${caseId}`)).body).toMatchObject({ state: 'open' });
  });
});

describe('a run', () => {
  test('is read by an operator of any account, in words and with its facts', async () => {
    const { body } = await operator(`/v1/runs/${run}`);
    expect(body).toMatchObject({
      object: 'run',
      id: run,
      account: 'acme',
      saga: 'book-trip',
      version: 2,
      state: 'needs_reconciliation',
      direction: 'forward',
      status: 'in_review',
      problem: 'unknown-outcome',
      problem_step: 'hotel',
      cases: [{ id: caseId, state: 'open' }],
      keys: [{ step: 'hotel', direction: 'do', key: `${run}:hotel` }],
      temporal: { workflow_id: run, url: `ui:${run}` },
      live: null,
      live_error: 'no worker answered within 2000 ms',
    });
    expect(body.timeline.map(({ text }: { text: string }) => text)).toEqual([
      'Accepted.',
      'charge is begun.',
      'charge is done.',
      'flight is begun.',
      'flight is done.',
      'hotel is begun.',
      'hotel may or may not have taken effect: time-out.',
      `hotel waits for a person: nobody can say whether it took effect (${caseId}).`,
    ]);
    expect(JSON.stringify(body)).not.toContain('ada@example.com');
  });

  test('says what its workflow says of itself, when a worker is there', async () => {
    api.temporal.queryState = async () => ({ state: 'running' });
    const { body } = await operator(`/v1/runs/${run}`);
    expect(body).toMatchObject({ live: { state: 'running' }, live_error: null });
  });
});
