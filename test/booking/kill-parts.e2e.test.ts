import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { tripBody, Visitor, type BookingSeen, type TripWishes } from '../support/customer.js';
import { startHouse, type House } from '../support/house.js';
import { spawnPart } from '../support/processes.js';
import { CONFIRMED, effectsOf } from '../support/trip-effects.js';

const LIMIT = { timeout: 60_000, interval: 20 };

let house: House;
let visitor: Visitor;

beforeAll(async () => {
  // Longer than the slowest honest call, on a busy machine too.
  house = await startHouse({ env: { RECOURSE_CALL_TIMEOUT_MS: '9000' } });
  visitor = new Visitor(house);
});
afterAll(() => house.close());

interface Insisted {
  readonly key: string;
  readonly id: string;
  /** How often there was no answer at all. */
  readonly unanswered: number;
}

/** A customer who sends the same request under the same key until there is an answer. */
async function insist(key: string): Promise<Insisted> {
  for (let unanswered = 0; ;) {
    const reply = await visitor
      .post<BookingSeen>('/v1/bookings', tripBody(), key)
      .catch(() => undefined);
    if (reply?.status === 202) return { key, id: reply.body.id, unanswered };
    // In progress, or unavailable: both ask to come again.
    if (reply === undefined) unanswered += 1;
    else expect([409, 503]).toContain(reply.status);
    await pause(100);
  }
}

test('the API is killed in a burst of 30 bookings: one booking a key, and each is confirmed', async () => {
  const keys = Array.from({ length: 30 }, () => randomUUID());
  let answered = 0;
  let burst: Promise<readonly Insisted[]> | undefined;
  await new Promise<void>((resolve) => {
    const each = keys.map(async (key) => {
      const insisted = await insist(key);
      if (++answered === 3) resolve();
      return insisted;
    });
    burst = Promise.all(each);
  });
  await house.part('api').kill9();
  expect(answered).toBeLessThan(30);
  await house.start('api');
  const insisted = (await burst) ?? [];
  expect(insisted.some(({ unanswered }) => unanswered > 0)).toBe(true);

  const ids = insisted.map(({ id }) => id);
  expect(new Set(ids).size).toBe(30);
  const { rows } = await house.db.query<{ id: string }>(`select id from runs`);
  expect(rows.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  for (const { key, id } of insisted) {
    await visitor.until(id, ['confirmed'], 90_000);
    await expect.poll(() => effectsOf(house.sandbox, id), LIMIT).toEqual(CONFIRMED);
    const again = await visitor.post<BookingSeen>('/v1/bookings', tripBody(), key);
    expect([again.status, again.body.id]).toEqual([202, id]);
  }
}, 240_000);

test('the relay is killed while only it can start and cancel trips: none is lost or doubled', async () => {
  // Temporal is away for this API, so whatever it accepts is left to the relay.
  const api = await spawnPart('api', { ...house.env, TEMPORAL_ADDRESS: '127.0.0.1:9' });
  onTestFinished(() => api.stop());
  const alone = new Visitor({ url: String(api.ready['url']), keys: house.keys });
  await house.part('relay').stop();
  const ids = await bookEach(alone, [...times(4, { hotel: 'H-204-SLOW' }), ...times(8, {})]);
  await house.start('relay');
  await expect.poll(() => sentFor(ids), LIMIT).toBeGreaterThan(0);
  await house.part('relay').kill9();

  const cancelled = ids.slice(0, 4);
  const replies = await Promise.all(cancelled.map((id) => alone.cancel(id)));
  expect(replies.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
  // As if the half minute were over for which the dead relay had taken its messages.
  await house.db.query(`update outbox set next_at = now() where sent_at is null`);
  await house.start('relay');
  await expect.poll(() => sentFor(ids), LIMIT).toBe(12 + 4);
  for (const id of ids) {
    await visitor.until(id, [cancelled.includes(id) ? 'cancelled' : 'confirmed'], 90_000);
    await expect.poll(() => isSound(id), LIMIT).toBe(true);
  }
}, 240_000);

/** How many of the messages about these runs were sent. */
async function sentFor(ids: readonly string[]): Promise<number> {
  const { rows } = await house.db.query<{ sent: number }>(
    `select count(*)::integer as sent from outbox where sent_at is not null and run = any($1)`,
    [ids],
  );
  return rows[0]?.sent ?? 0;
}

test('the sandbox is killed with trips in flight: nothing is doubled, only rooms are asked about', async () => {
  const seats = await bookEach(visitor, times(9, { flight: 'BLR-LHR-0417-SLOW' }));
  const rooms = await bookEach(visitor, times(9, { hotel: 'H-204-SLOW' }));
  const ids = [...seats, ...rooms];
  const slow = [...seats.map((id) => `${id}:flight`), ...rooms.map((id) => `${id}:hotel`)];
  await expect
    .poll(() => operationsAskedFor(slow), LIMIT)
    .toEqual(expect.arrayContaining(['hold', 'reserve']));
  await house.sandbox.kill();
  await house.sandbox.restart();

  const seen = ids.map((id) => visitor.until(id, ['confirmed', 'failed', 'in_review'], 90_000));
  const inReview = (await Promise.all(seen)).filter(({ status }) => status === 'in_review');
  expect(await stepsUnknown(ids)).toEqual(expect.arrayContaining(['flight', 'hotel']));
  for (const { id } of inReview) await decideByRecord(id);
  for (const id of ids) await expect.poll(() => isSound(id), LIMIT).toBe(true);
}, 240_000);

async function operationsAskedFor(calls: readonly string[]): Promise<readonly (string | null)[]> {
  const requests = await house.sandbox.requests();
  const ours = requests.filter(({ reference }) => calls.includes(reference ?? ''));
  return ours.map(({ operation }) => operation);
}

/** The steps of which an answer was lost. */
async function stepsUnknown(ids: readonly string[]): Promise<readonly string[]> {
  const { rows } = await house.db.query<{ step: string }>(
    `select distinct step from attempts where state = 'unknown' and run = any($1)`,
    [ids],
  );
  return rows.map(({ step }) => step);
}

/** What a person does who can look into the hotel's own books. */
async function decideByRecord(id: string): Promise<void> {
  const [open] = await visitor.openCases(id);
  if (open === undefined) throw new Error(`${id} has no open case`);
  const [room] = await house.sandbox.effects(`${id}:hotel`);
  const verdict =
    room === undefined
      ? { verdict: 'did-not-happen' }
      : { verdict: 'happened', value: { id: room.id } };
  const reply = await visitor.decide(open, verdict);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
}

function times<Wish>(count: number, wish: Wish): Wish[] {
  return Array<Wish>(count).fill(wish);
}

async function bookEach(by: Visitor, wishes: readonly TripWishes[]): Promise<readonly string[]> {
  const booked = await Promise.all(wishes.map((wish) => by.book(wish)));
  return booked.map(({ id }) => id);
}

/**
 * Whether a trip has ended, and the sandbox has each of its effects once: all of them, or none that
 * is not undone. Of a receipt alone its author prefers two to none.
 */
async function isSound(id: string): Promise<boolean> {
  const { status } = await visitor.read(id);
  const effects = await effectsOf(house.sandbox, id);
  const single = effects.filter((effect) => effect !== 'receipt message');
  if (status === 'confirmed') {
    return effects.includes('receipt message') && same(single, CONFIRMED.slice(0, -1));
  }
  const undone = UNDOS.filter(([effect]) => effects.includes(effect)).flat();
  return ['failed', 'cancelled'].includes(status) && same(effects, undone);
}

const UNDOS = [
  ['charge charge', 'charge:undo refund'],
  ['flight hold', 'flight:undo release'],
  ['hotel reserve', 'hotel:undo cancel'],
] as const;

function same(some: readonly string[], others: readonly string[]): boolean {
  return JSON.stringify(some.toSorted()) === JSON.stringify(others.toSorted());
}
