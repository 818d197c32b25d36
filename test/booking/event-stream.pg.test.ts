import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createKey, ensureAccount } from '../../src/engine/accounts/accounts.store.js';
import { append, stepEnded } from '../support/append.js';
import { ask, startApi, type TestApi } from '../support/api.js';
import { trip, tripApi, tripSagas } from '../support/trip.js';
import { watch, type EventTold, type Watcher } from '../support/watcher.js';

const sagas = tripSagas();
const NOBODY = 'bk_aaaaaaaaaaaaaaaaaaaaaaaaaa';

let api: TestApi;
let keys = 0;
const watchers: Watcher[] = [];

beforeAll(async () => {
  api = await startApi(tripApi, sagas);
});
afterEach(() => watchers.splice(0).forEach((one) => one.leave()));
afterAll(() => api.close());

async function book(changes: object = {}, as = api.keys.customer): Promise<string> {
  const key = `key-${(keys += 1)}`;
  return (await ask(api, '/v1/bookings', { key, as, body: trip({ ...changes }) })).body.id;
}

const path = (id: string) => `/v1/bookings/${id}/events`;

async function follow(id: string, after?: string, of = api): Promise<Watcher> {
  const headers: Record<string, string> = after === undefined ? {} : { 'last-event-id': after };
  const watcher = await watch(`${of.url}${path(id)}`, of.keys.customer, headers);
  watchers.push(watcher);
  return watcher;
}

const lastEventId = (id: string) => ({ headers: { 'last-event-id': id } });

/** What a watcher saw: ids, types, and of a step its name and states. */
const story = ({ seen }: Watcher): readonly string[] =>
  seen.map(({ id, data: { type, data } }) => {
    const step =
      data.step === null ? '' : ` ${data.step.name} ${data.step.state} ${data.step.undo}`;
    return `${id} ${type}${step}`;
  });

const declined = stepEnded('charge', { outcome: 'refused', code: 'card_declined' });
const failed = [
  ...declined,
  { kind: 'unwinding', because: 'refused' },
  { kind: 'finished', as: 'undone' },
] as const;

const STORY = [
  '1 booking.created',
  '2 booking.step charge in_progress owed',
  '3 booking.step charge refused not_owed',
  '4 booking.step flight skipped not_owed',
  '4.2 booking.step hotel skipped not_owed',
  '4.3 booking.step ticket skipped not_owed',
  '4.4 booking.step receipt skipped not_owed',
  '4.5 booking.failing',
  '5 booking.failed',
] as const;

describe('a watcher', () => {
  test('sees what has happened, then what happens, and the stream ends with the run', async () => {
    const id = await book({ reference: 'cart-9' });
    await append(api.database, sagas, id, ...declined);
    const watcher = await follow(id);
    await watcher.until((event) => event.id === '3');
    expect(story(watcher)).toEqual(STORY.slice(0, 3));
    await append(api.database, sagas, id, ...failed.slice(2));
    expect(await watcher.end).toBe('ended');
    expect(story(watcher)).toEqual(STORY);
    expect(watcher.seen[2]).toEqual({
      id: '3',
      event: 'booking.step',
      data: {
        object: 'event',
        id: expect.stringMatching(/^evt_[a-z2-7]{26}$/),
        type: 'booking.step',
        api_version: '2026-12-01',
        created_at: expect.stringMatching(/^\d{4}-.*Z$/),
        data: {
          ...{ object: 'booking', id, reference: 'cart-9', status: 'pending', failure: null },
          step: { name: 'charge', state: 'refused', undo: 'not_owed' },
        },
      },
    });
  });

  test('hears of a step that changes no status, although nobody is told of it', async () => {
    const id = await book();
    const watcher = await follow(id);
    await watcher.until((event) => event.id === '1');
    await append(api.database, sagas, id, ...stepEnded('charge', { outcome: 'done' }));
    await watcher.until((event) => event.id === '3');
    expect(story(watcher).at(-1)).toBe('3 booking.step charge done owed');
  });

  test('gets the same event as the list has', async () => {
    const id = await book();
    await append(api.database, sagas, id, ...failed);
    const watcher = await follow(id);
    await watcher.end;
    const told = watcher.seen.map(({ data }) => data).filter(({ type }) => type !== 'booking.step');
    // The list waits for whatever transaction is open on the server, also for that of another test.
    const listed = async () => (await allEvents()).filter(({ data }) => data.id === id);
    await expect.poll(listed).toEqual(told);
  });

  test('who resumes after any event sees exactly what came after it', async () => {
    const id = await book();
    await append(api.database, sagas, id, ...failed);
    for (const [index, line] of STORY.slice(0, -1).entries()) {
      const watcher = await follow(id, line.split(' ')[0]);
      await watcher.end;
      expect(story(watcher)).toEqual(STORY.slice(index + 1));
    }
  });

  test('who resumes after the last event of a run that has ended is told so by 204', async () => {
    const id = await book();
    await append(api.database, sagas, id, ...failed);
    const reply = await ask(api, path(id), lastEventId('5'));
    expect([reply.status, reply.text, reply.headers.get('content-type')]).toEqual([204, '', null]);
  });

  test('who resumes after the last event of one that goes on waits for the next', async () => {
    const id = await book();
    const watcher = await follow(id, '1');
    expect(watcher.status).toBe(200);
    await append(api.database, sagas, id, ...failed);
    await watcher.end;
    expect(story(watcher)).toEqual(STORY.slice(1));
  });

  test.each(['0', '2', '1.1', '01', '1.2', '-1', 'evt_1', '99999999999999999999', '1 ', "1'--"])(
    'who names %s, which no event of the stream was called, is told so',
    async (last) => {
      const id = await book();
      const reply = await ask(api, path(id), lastEventId(last === '1 ' ? '1, 1' : last));
      expect(reply.body).toMatchObject({ code: 'last-event-unknown', status: 400 });
    },
  );

  test('finds a booking of somebody else no more than one that never was', async () => {
    const theirs = await book({}, api.keys.stranger);
    const [foreign, unknown] = [await ask(api, path(theirs)), await ask(api, path(NOBODY))];
    expect(foreign.status).toBe(404);
    const { request_id: _one, ...words } = foreign.body;
    expect(unknown.body).toMatchObject(words);
  });

  test('goes on although every connection of the API to its database is lost', async () => {
    const id = await book();
    const watcher = await follow(id);
    await watcher.until((event) => event.id === '1');
    await api.database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    );
    await append(api.database, sagas, id, ...failed);
    expect(await watcher.end).toBe('ended');
    expect(story(watcher)).toEqual(STORY);
  });
});

async function allEvents(): Promise<readonly EventTold[]> {
  const events: EventTold[] = [];
  for (let query = 'limit=100'; ;) {
    const { body } = await ask(api, `/v1/events?${query}`);
    events.push(...body.data);
    if (!body.has_more) return events;
    query = `limit=100&cursor=${body.next_cursor}`;
  }
}

describe('the stream', () => {
  test('is neither stored, nor buffered, nor packed on its way', async () => {
    const id = await book();
    const { status, headers } = await watch(`${api.url}${path(id)}`, api.keys.customer, {
      'accept-encoding': 'gzip, br',
    }).then((watcher) => {
      watchers.push(watcher);
      return watcher;
    });
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/event-stream; charset=utf-8');
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['x-accel-buffering']).toBe('no');
    expect(headers['content-encoding']).toBeUndefined();
    expect(headers['request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test.each([
    ['text/event-stream', 200],
    ['text/event-stream, application/json', 200],
    ['*/*', 200],
    ['application/json', 406],
    ['text/event-stream;q=0', 406],
  ])('for who accepts %s is answered %i', async (accept, status) => {
    const id = await book();
    const reply = await ask(api, path(id), { method: 'HEAD', headers: { accept } });
    expect(reply.status).toBe(status);
  });

  test('is what only its own path has: elsewhere there is JSON', async () => {
    const reply = await ask(api, '/v1/bookings', { headers: { accept: 'text/event-stream' } });
    expect(reply.body).toMatchObject({ code: 'not-acceptable' });
  });

  test('has a head that is answered at once and takes no place', async () => {
    const id = await book();
    const reply = await ask(api, path(id), { method: 'HEAD' });
    expect([reply.status, reply.text]).toEqual([200, '']);
    expect(reply.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect((await ask(api, path(NOBODY), { method: 'HEAD' })).status).toBe(404);
  });

  test('is refused to an account that has 250 of them, until one is closed', async () => {
    await ensureAccount(api.database, { id: 'crowd', name: 'Crowd' });
    const owner = { account: 'crowd', role: 'customer' } as const;
    const { key } = await createKey(api.database, owner);
    const id = await book({}, key);
    const open = () => follow(id, undefined, { ...api, keys: { ...api.keys, customer: key } });
    const many = await Promise.all(Array.from({ length: 250 }, open));
    expect(new Set(many.map(({ status }) => status))).toEqual(new Set([200]));
    const refused = await ask(api, path(id), { as: key });
    expect(refused.body).toMatchObject({ code: 'rate-limited', status: 429 });
    expect(refused.headers.get('retry-after')).toBe('5');
    many[0]?.leave();
    await expect.poll(async () => (await open()).status).toBe(200);
  });

  test('ends at once when the API does, for whoever is still there', async () => {
    const other = await startApi(tripApi, sagas);
    const key = 'of-another-api';
    const { body } = await ask(other, '/v1/bookings', { key, body: trip() });
    const three = await Promise.all([1, 2, 3].map(() => follow(body.id, undefined, other)));
    await Promise.all(three.map((one) => one.until((event) => event.id === '1')));
    const started = performance.now();
    await other.close();
    expect(await Promise.all(three.map(({ end }) => end))).toEqual(['ended', 'ended', 'ended']);
    expect(performance.now() - started).toBeLessThan(4_000);
  });
});
