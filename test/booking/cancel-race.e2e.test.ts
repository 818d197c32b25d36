import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase, type Database } from '../../src/engine/database/database.js';
import { tripBody, Visitor, type BookingSeen, type Reply } from '../support/customer.js';
import { startHouse, type House } from '../support/house.js';
import { BOOKED, CONFIRMED, effectsOf } from '../support/trip-effects.js';

// Twenty lanes, each with five trips one after another. A lane moves its cancel towards the moment
// where the answer turns: much later after a 202, much earlier after a 409. So both answers come,
// however fast or busy the machine is.

const LANES = 20;
const TRIPS_A_LANE = 5;
const FIRST_DELAYS_MS = 10;
const STEP = 3;
const LOOK_EVERY_MS = 10;

let house: House;
let visitor: Visitor;
let database: Database;

beforeAll(async () => {
  // No call may time out under the load of twenty trips: a lost hotel would be another story.
  house = await startHouse({ env: { RECOURSE_CALL_TIMEOUT_MS: '9000' } });
  visitor = new Visitor(house);
  database = openDatabase({ url: house.env.DATABASE_URL ?? '', name: 'cancel race' });
});
afterAll(async () => {
  await database.end();
  await house.close();
});

interface Raced {
  readonly id: string;
  readonly status: number;
  readonly code: string | undefined;
}

/** Books a trip and cancels it `delayMs` after seat and room are booked; the ticket comes next. */
async function race(delayMs: number): Promise<Raced> {
  const booked = await patiently((key) =>
    visitor.post<BookingSeen>('/v1/bookings', tripBody(), key),
  );
  const { id } = booked.body;
  await seatAndRoomBooked(id);
  await pause(delayMs);
  const { status, body } = await patiently(() => visitor.cancel(id));
  return { id, status, code: body.code };
}

/** As every customer should: a 503 is no answer, the same is sent again a little later. */
async function patiently<Body>(send: (key: string) => Promise<Reply<Body>>): Promise<Reply<Body>> {
  const key = randomUUID();
  for (;;) {
    const reply = await send(key);
    if (reply.status !== 503) return reply;
    await pause(Number(reply.headers.get('retry-after')) * 1_000);
  }
}

async function seatAndRoomBooked(id: string): Promise<void> {
  for (;;) {
    const { rows } = await database.query(
      `select 1 from journal where run = $1 and line @> '{"direction": "do", "outcome": "done"}'
         and line ->> 'step' in ('flight', 'hotel')`,
      [id],
    );
    if (rows.length === 2) return;
    await pause(LOOK_EVERY_MS);
  }
}

async function runLane(lane: number): Promise<readonly Raced[]> {
  const trips: Raced[] = [];
  let delayMs = (lane + 1) * FIRST_DELAYS_MS;
  while (trips.length < TRIPS_A_LANE) {
    const trip = await race(delayMs);
    trips.push(trip);
    delayMs = trip.status === 202 ? delayMs * STEP : delayMs / STEP;
  }
  return trips;
}

/** In no order: on a busy machine a slow undo no longer holds up the next. */
const UNDOS = ['charge:undo refund', 'flight:undo release', 'hotel:undo cancel'];

const effects = (id: string) => effectsOf(house.sandbox, id);

/** What reached a provider after the cancel was accepted and is no undo, by the records of both. */
async function forwardAfterCancel(id: string): Promise<readonly string[]> {
  const { rows } = await database.query<{ at: Date }>(
    `select at from journal where run = $1 and line @> '{"kind": "cancel-accepted"}'`,
    [id],
  );
  const [accepted] = rows;
  if (accepted === undefined) throw new Error(`${id} has no accepted cancel on record`);
  const requests = await house.sandbox.requests(`${id}:`);
  return requests
    .filter(({ at }) => new Date(at) > accepted.at)
    .map(({ reference }) => String(reference).slice(id.length + 1))
    .filter((step) => !step.endsWith(':undo'));
}

test('a hundred cancels race the pivot: each 202 ends cancelled without a ticket, each 409 ends confirmed', async () => {
  const lanes = await Promise.all(Array.from({ length: LANES }, (_, lane) => runLane(lane)));
  const trips = lanes.flat();
  const accepted = trips.filter(({ status }) => status === 202);
  const refused = trips.filter(({ status }) => status === 409);
  expect(accepted.length + refused.length, JSON.stringify(trips)).toBe(LANES * TRIPS_A_LANE);
  for (const { code } of refused) expect(['pivot-in-progress', 'past-pivot']).toContain(code);
  // Only one answer would mean that nothing was raced.
  expect(Math.min(accepted.length, refused.length)).toBeGreaterThanOrEqual(LANES / 2);

  for (const { id } of accepted) {
    const { flight } = await visitor.until(id, ['cancelled']);
    expect(flight.ticket).toBeNull();
    const seen = await effects(id);
    expect(seen.slice(0, BOOKED.length), id).toEqual(BOOKED);
    expect(seen.slice(BOOKED.length).toSorted(), id).toEqual(UNDOS);
    expect(await forwardAfterCancel(id), id).toEqual([]);
  }
  for (const { id } of refused) {
    await visitor.until(id, ['confirmed']);
    await expect.poll(() => effects(id), { timeout: 20_000 }).toEqual(CONFIRMED);
  }
}, 300_000);
