import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { Visitor } from '../support/customer.js';
import { startHouse, type House } from '../support/house.js';
import { spawnPart, type Part } from '../support/processes.js';
import { watch, type EventTold, type SeenEvent, type Watcher } from '../support/watcher.js';

const SLOW = { flight: 'BLR-LHR-0417-SLOW' };

let house: House;
let visitor: Visitor;

beforeAll(async () => {
  // Longer than the slow flight takes, on a busy machine too.
  house = await startHouse({ env: { RECOURSE_CALL_TIMEOUT_MS: '9000' } });
  visitor = new Visitor(house);
});
afterAll(() => house.close());

async function follow(id: string, after?: SeenEvent, url = house.url): Promise<Watcher> {
  const headers: Record<string, string> = after === undefined ? {} : { 'last-event-id': after.id };
  const watcher = await watch(`${url}/v1/bookings/${id}/events`, house.keys.customer, headers);
  onTestFinished(() => watcher.leave());
  return watcher;
}

const told = (seen: readonly SeenEvent[]): readonly string[] =>
  seen.map(({ event, data }) => {
    const { step } = data.data;
    return step === null ? event : `${step.name} ${step.state}`;
  });

/** All that a trip has to tell that goes well; seat and room are asked for side by side. */
const TOLD = [
  'booking.created',
  ...['charge', 'flight', 'hotel', 'ticket', 'receipt'].flatMap((step) => [
    `${step} in_progress`,
    `${step} done`,
  ]),
  'booking.confirmed',
];

function expectWhole(seen: readonly SeenEvent[]): void {
  expect(told(seen).toSorted()).toEqual(TOLD.toSorted());
  expect(told(seen)[0]).toBe('booking.created');
  const places = seen.map(({ id }) => Number(id.split('.')[0]));
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  expect(new Set(seen.map(({ data }) => data.id)).size).toBe(seen.length);
}

async function otherApi(): Promise<Part> {
  const api = await spawnPart('api', house.env);
  onTestFinished(() => api.stop());
  return api;
}

test('a watcher sees a trip from its creation to its end, and is then sent away', async () => {
  const { id } = await visitor.book();
  const watcher = await follow(id);
  expect(await watcher.end).toBe('ended');
  expectWhole(watcher.seen);
  const confirmed = watcher.seen.findIndex(({ event }) => event === 'booking.confirmed');
  expect(told(watcher.seen).slice(confirmed - 1, confirmed + 1)).toEqual([
    'ticket done',
    'booking.confirmed',
  ]);
  expect((await follow(id, watcher.seen.at(-1))).status).toBe(204);
});

test('a watcher that is cut off again and again, and resumes, sees each event once', async () => {
  const { id } = await visitor.book(SLOW);
  const seen: SeenEvent[] = [];
  let cuts = 0;
  for (let over = false; !over; cuts += 1) {
    const watcher = await follow(id, seen.at(-1));
    if (watcher.status === 204) break;
    await Promise.race([watcher.until(() => true), watcher.end]);
    // Two events at most are taken from each connection, whatever else has come by it.
    seen.push(...watcher.seen.slice(0, 2));
    watcher.leave();
    over = seen.length >= TOLD.length;
  }
  expect(cuts).toBeGreaterThan(4);
  expectWhole(seen);
});

test('200 watchers have one listening connection, and each sees all', async () => {
  const { id } = await visitor.book(SLOW);
  const watchers = await Promise.all(Array.from({ length: 200 }, () => follow(id)));
  const { rows } = await house.db.query<{ all: number; listening: number }>(
    `select count(*)::integer as all,
            (count(*) filter (where query like 'listen %'))::integer as listening
     from pg_stat_activity
     where datname = current_database() and application_name = 'recourse-api'`,
  );
  expect(rows[0]?.listening).toBe(1);
  expect(rows[0]?.all).toBeLessThanOrEqual(20);
  const ends = await Promise.all(watchers.map(({ end }) => end));
  expect(new Set(ends)).toEqual(new Set(['ended']));
  for (const { seen } of watchers) expectWhole(seen);
});

test.each([
  ['is killed', (api: Part) => api.kill9(), 'broken'],
  ['ends', async (api: Part) => api.signal('SIGTERM'), 'ended'],
] as const)('a watcher whose API %s goes on at another one', async (_how, end, as) => {
  const [api, second] = [await otherApi(), await otherApi()];
  const { id } = await visitor.book(SLOW);
  const watcher = await follow(id, undefined, String(api.ready['url']));
  await watcher.until(({ data }) => data.data.step?.name === 'flight');
  await end(api);
  expect(await watcher.end).toBe(as);
  const resumed = await follow(id, watcher.seen.at(-1), String(second.ready['url']));
  expect(await resumed.end).toBe('ended');
  expectWhole([...watcher.seen, ...resumed.seen]);
});

test('the list of events has what the streams told of the bookings', async () => {
  const [one, two] = await Promise.all([visitor.book(), visitor.book({ hotel: 'H-204-SOLDOUT' })]);
  await visitor.until(one.id, ['confirmed']);
  await visitor.until(two.id, ['failed']);
  // The list waits for whatever transaction is open on the server.
  const told = async (id: string) => {
    const { body } = await visitor.get<{ readonly data: readonly EventTold[] }>(
      '/v1/events?limit=100',
    );
    return body.data.filter(({ data }) => data.id === id).map(({ type }) => type);
  };
  await expect.poll(() => told(one.id)).toEqual(['booking.created', 'booking.confirmed']);
  await expect
    .poll(() => told(two.id))
    .toEqual(['booking.created', 'booking.failing', 'booking.failed']);
});
