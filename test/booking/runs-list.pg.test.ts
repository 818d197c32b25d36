import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/engine/ids.js';
import { append, stepEnded, stepUnknown } from '../support/append.js';
import { ask, startApi, type TestApi } from '../support/api.js';
import { trip, tripApi, tripSagas } from '../support/trip.js';

const sagas = tripSagas();
let api: TestApi;
let keys = 0;
/** One run for each that is asked for below, the oldest first. */
const runs = { running: '', theirs: '', stuck: '', undone: '', late: '' };

const operator = (path: string) => ask(api, path, { as: api.keys.operator });
const idsOf = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id);

async function book(as = api.keys.customer): Promise<string> {
  const key = `book-${(keys += 1)}`;
  return (await ask(api, '/v1/bookings', { key, as, body: trip({ reference: key }) })).body.id;
}

async function openCase(run: string, problem: 'unknown-outcome' | 'contradiction'): Promise<void> {
  const of = { step: 'hotel', direction: 'do', problem, case: newId('case') } as const;
  await append(api.database, sagas, run, { kind: 'case-opened', ...of });
}

const refused = stepEnded('charge', { outcome: 'refused', code: 'card_declined' });

beforeAll(async () => {
  api = await startApi(tripApi, sagas);
  runs.running = await book();
  runs.theirs = await book(api.keys.stranger);
  runs.stuck = await book();
  await append(api.database, sagas, runs.stuck, ...stepUnknown('hotel'));
  await openCase(runs.stuck, 'unknown-outcome');
  for (const run of ['undone', 'late'] as const) {
    runs[run] = await book();
    const unwound = { kind: 'unwinding', because: 'refused' } as const;
    await append(api.database, sagas, runs[run], ...refused, unwound);
    await append(api.database, sagas, runs[run], { kind: 'finished', as: 'undone' });
  }
  await openCase(runs.late, 'contradiction');
});
afterAll(() => api.close());

const all = () => [runs.late, runs.undone, runs.stuck, runs.theirs, runs.running];

describe('the list of runs', () => {
  test('is of every account, newest first, and says of each where it stands', async () => {
    const { body } = await operator('/v1/runs');
    expect(idsOf(body)).toEqual(all());
    expect(body).toMatchObject({ has_more: false, next_cursor: null });
    expect(body.data[2]).toMatchObject({
      object: 'run',
      id: runs.stuck,
      account: 'acme',
      saga: 'book-trip',
      version: 2,
      state: 'needs_reconciliation',
      status: 'in_review',
      step: 'hotel',
      problem: 'unknown-outcome',
      problem_step: 'hotel',
      stuck_since: expect.stringMatching(/Z$/),
      ended_at: null,
      temporal: { workflow_id: runs.stuck, url: `ui:${runs.stuck}` },
    });
    expect(body.data[4]).toMatchObject({ problem: null, problem_step: null, stuck_since: null });
    expect(JSON.stringify(body)).not.toContain('ada@example.com');
  });

  test('tells of a run what the run itself tells, in short', async () => {
    const [, , stuck] = (await operator('/v1/runs')).body.data;
    const { body } = await operator(`/v1/runs/${runs.stuck}`);
    expect(body).toMatchObject(stuck);
  });

  test.each([
    ['state=running', () => [runs.theirs, runs.running]],
    ['state=needs_reconciliation', () => [runs.stuck]],
    ['state=undone', () => [runs.late, runs.undone]],
    ['state=cancelled', () => []],
    ['problem=any', () => [runs.late, runs.stuck]],
    ['problem=unknown-outcome', () => [runs.stuck]],
    ['problem=any&state=undone', () => [runs.late]],
    ['account=zenith', () => [runs.theirs]],
    ['account=zenith&state=undone', () => []],
    ['saga=book-trip', all],
    ['saga=errand', () => []],
    ['silent_since=2100-01-01T00:00:00Z', () => [runs.stuck, runs.theirs, runs.running]],
    ['silent_since=2100-01-01T00:00:00%2B05:30&problem=any', () => [runs.stuck]],
    ['silent_since=2000-01-01T00:00:00Z', () => []],
  ])('is filtered by %s', async (query, wanted) => {
    expect(idsOf((await operator(`/v1/runs?${query}`)).body)).toEqual(wanted());
  });

  test.each([
    'state=stuck',
    'problem=bad-luck',
    'silent_since=yesterday',
    'silent_since=2026-11-30',
    'saga=',
    'limit=0',
    'cursor=x',
    'order=asc',
  ])('refuses the query %s', async (query) => {
    const { body } = await operator(`/v1/runs?${query}`);
    expect(body).toMatchObject({ code: 'query-invalid', status: 400 });
    expect(body.errors[0].pointer).toBe(`/${query.split('=')[0]}`);
  });

  test('is read page by page without a gap, also while new runs come', async () => {
    const seen: string[] = [];
    let cursor = '';
    for (let pages = 0; pages < 10; pages += 1) {
      const { body } = await operator(`/v1/runs?limit=2${cursor}`);
      seen.push(...idsOf(body));
      if (!body.has_more) break;
      cursor = `&cursor=${body.next_cursor}`;
      await book();
    }
    expect(seen).toEqual(all());
  });

  test('has cursors that are good for the same filters only', async () => {
    const { next_cursor: cursor } = (await operator('/v1/runs?limit=1')).body;
    expect((await operator(`/v1/runs?cursor=${cursor}`)).status).toBe(200);
    for (const path of ['/v1/runs?state=undone&', '/v1/cases?', '/v1/bookings?']) {
      const { body } = await operator(`${path}cursor=${cursor}`);
      expect(body).toMatchObject({
        code: 'query-invalid',
        detail: expect.stringMatching(/^cursor/),
      });
    }
  });

  test('is for operators only', async () => {
    expect((await ask(api, '/v1/runs')).body).toMatchObject({ code: 'forbidden', status: 403 });
  });
});

describe('the list of bookings', () => {
  test('has of one reference what holds it and what has let it go', async () => {
    const reference = 'asked-again';
    const order = (key: string) => ask(api, '/v1/bookings', { key, body: trip({ reference }) });
    const first = (await order('first')).body.id;
    const unwound = { kind: 'unwinding', because: 'refused' } as const;
    await append(api.database, sagas, first, ...refused, unwound);
    await append(api.database, sagas, first, { kind: 'finished', as: 'undone' });
    const second = (await order('second')).body.id;
    const by = async (query: string) =>
      idsOf((await ask(api, `/v1/bookings?reference=${reference}${query}`)).body);
    expect(await by('')).toEqual([second, first]);
    expect(await by('&status=failed')).toEqual([first]);
    expect(await by('&status=pending')).toEqual([second]);
  });

  test('is read page by page without a gap while new bookings come', async () => {
    const whole = idsOf((await ask(api, '/v1/bookings?limit=100')).body);
    const seen: string[] = [];
    let cursor = '';
    while (seen.length < whole.length) {
      const { body } = await ask(api, `/v1/bookings?limit=3${cursor}`);
      seen.push(...idsOf(body));
      await book();
      if (!body.has_more) break;
      cursor = `&cursor=${body.next_cursor}`;
    }
    expect(seen).toEqual(whole);
  });
});
