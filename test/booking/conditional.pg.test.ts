import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../src/engine/ids.js';
import { append, stepEnded, stepUnknown } from '../support/append.js';
import { ask, startApi, type Reply, type TestApi } from '../support/api.js';
import { trip, tripApi, tripSagas } from '../support/trip.js';

const sagas = tripSagas();
let api: TestApi;
let id: string;

beforeAll(async () => {
  api = await startApi(tripApi, sagas);
});
beforeEach(async () => {
  id = (await ask(api, '/v1/bookings', { key: randomUUID(), body: trip() })).body.id;
});
afterAll(() => api.close());

const operator = (path: string, headers: Record<string, string> = {}) =>
  ask(api, path, { as: api.keys.operator, headers });
const read = (headers: Record<string, string> = {}, method = 'GET') =>
  ask(api, `/v1/bookings/${id}`, { headers, method });
const tagOf = (reply: Reply) => reply.headers.get('etag') ?? '';
const move = () => append(api.database, sagas, id, ...stepEnded('charge', { outcome: 'done' }));

function cancel(ifMatch: string | null, key = randomUUID()): Promise<Reply> {
  const headers = ifMatch === null ? {} : { 'if-match': ifMatch };
  return ask(api, `/v1/bookings/${id}/cancel`, { key, body: {}, headers });
}

/** What a cancel would have left. */
async function traces(): Promise<unknown> {
  const { rows } = await api.database.query(
    `select (select count(*)::integer from claims) as claims, runs.cancel_requested_at,
            (select count(*)::integer from outbox where run = runs.id) as messages,
            (select count(*)::integer from journal where run = runs.id) as lines,
            (select count(*)::integer from interventions where run = runs.id) as interventions
     from runs where id = $1::text`,
    [id],
  );
  return rows;
}

describe('a reader who has it', () => {
  test.each(['GET', 'HEAD'])(
    'is answered 304 by %s, without a body, until it changes',
    async (by) => {
      const first = await read();
      expect(tagOf(first)).toMatch(/^"1-[\w-]{22}"$/);
      const same = await read({ 'if-none-match': tagOf(first) }, by);
      expect([same.status, same.text, tagOf(same)]).toEqual([304, '', tagOf(first)]);
      expect(same.headers.get('vary')).toBe('Prefer, Origin');
      expect(same.headers.get('content-type')).toBeNull();
      await move();
      const changed = await read({ 'if-none-match': tagOf(first) }, by);
      expect([changed.status, tagOf(changed)]).toEqual([200, expect.not.stringMatching(/^"1-/)]);
    },
  );

  test('of a booking of somebody else hears 404 all the same', async () => {
    const headers = { 'if-none-match': '*' };
    const reply = await ask(api, `/v1/bookings/${id}`, { as: api.keys.stranger, headers });
    expect(reply.status).toBe(404);
  });

  test('of a run and of a case is answered 304, and hears of what changed around the case', async () => {
    const caseId = newId('case');
    const of = { step: 'charge', direction: 'do', problem: 'unknown-outcome' } as const;
    await append(api.database, sagas, id, ...stepUnknown('charge'));
    await append(api.database, sagas, id, { kind: 'case-opened', case: caseId, ...of });
    for (const path of [`/v1/runs/${id}`, `/v1/cases/${caseId}`]) {
      const first = await operator(path);
      const same = await operator(path, { 'if-none-match': `"x", W/${tagOf(first)}` });
      expect([same.status, same.text]).toEqual([304, '']);
    }
    const before = await operator(`/v1/cases/${caseId}`);
    await cancel(null);
    const after = await operator(`/v1/cases/${caseId}`, { 'if-none-match': tagOf(before) });
    expect(after.status).toBe(200);
    expect(after.body.verdicts).not.toEqual(before.body.verdicts);
    // The revision is what a verdict is judged by, and that is the same.
    expect(tagOf(after).split('-')[0]).toBe(tagOf(before).split('-')[0]);
  });
});

describe('a cancel by what was read', () => {
  test.each([
    ['the tag', (tag: string) => tag],
    ['the tag among others', (tag: string) => `"99", ${tag}`],
    ['any', () => '*'],
  ])('is accepted with If-Match of %s', async (_what, ifMatch) => {
    expect((await cancel(ifMatch(tagOf(await read())))).status).toBe(202);
  });

  test.each([
    ['a tag from before', (tag: string) => tag, true],
    ['a weak tag', (tag: string) => `W/${tag}`, false],
    ['a tag without its quotes', (tag: string) => tag.slice(1, -1), false],
    ['what is no list', (tag: string) => `${tag} ${tag}`, false],
    ['nothing at all', () => '', false],
  ])('is refused with If-Match of %s, and nothing is changed', async (_what, ifMatch, moves) => {
    const seen = tagOf(await read());
    if (moves) await move();
    const before = await traces();
    const reply = await cancel(ifMatch(seen));
    expect([reply.status, reply.body.code]).toEqual([412, 'changed-since-you-looked']);
    expect(await traces()).toEqual(before);
    expect((await read()).body.status).toBe('pending');
    // The tag that the refusal tells is good for the next try.
    expect((await cancel(tagOf(reply))).status).toBe(202);
  });

  test('is replayed before its If-Match is looked at', async () => {
    const [key, tag] = [randomUUID(), tagOf(await read())];
    const first = await cancel(tag, key);
    await move();
    const again = await cancel('"99"', key);
    expect([again.status, again.text]).toEqual([202, first.text]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  test('that is not possible any more says so, whatever its If-Match', async () => {
    const declined = stepEnded('charge', { outcome: 'refused', code: 'card_declined' });
    await append(api.database, sagas, id, ...declined, { kind: 'unwinding', because: 'refused' });
    await append(api.database, sagas, id, { kind: 'finished', as: 'undone' });
    expect((await cancel('"1"')).body.code).toBe('already-ended');
  });

  test('of two with the same tag cannot both be first', async () => {
    const tag = tagOf(await read());
    const all = await Promise.all([cancel(tag), cancel(tag), cancel(tag)]);
    expect(all.map(({ status }) => status).toSorted()).toEqual([202, 412, 412]);
  });
});

test('an operator’s action by an older tag is refused, tried out or in earnest', async () => {
  const tag = tagOf(await operator(`/v1/runs/${id}`));
  await move();
  const before = await traces();
  const act = (ifMatch: string, dryRun: boolean) =>
    ask(api, `/v1/runs/${id}/actions`, {
      as: api.keys.operator,
      key: randomUUID(),
      body: { action: 'cancel', reason: 'The customer called.', dry_run: dryRun },
      headers: { 'if-match': ifMatch },
    });
  for (const dryRun of [true, false]) {
    expect((await act(tag, dryRun)).body.code).toBe('changed-since-you-looked');
  }
  expect(await traces()).toEqual(before);
  const now = tagOf(await operator(`/v1/runs/${id}`));
  expect([(await act(now, true)).status, (await act(now, false)).status]).toEqual([200, 200]);
});
