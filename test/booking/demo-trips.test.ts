import { expect, test } from 'vitest';
import { demoTrips } from '../../src/booking/demo-trips.js';
import { BookingRequest } from '../../src/booking/booking-schema.js';
import { sayMoney } from '../../src/engine/http/say-money.js';
import { BOOK_TRIP } from '../../workflows/booking/book-trip.saga.js';
import { tripSagas } from '../support/trip.js';

const trips = demoTrips(sayMoney);
const [trip] = trips;
if (trip === undefined) throw new Error('the demo has no trip');

const CHARGE = { kind: 'charge', id: 'ch_1', amount: 240_000, currency: 'INR' };
const REFUND = { kind: 'refund', id: 're_1', charge: 'ch_1', amount: 240_000, currency: 'INR' };
const SEAT = { kind: 'hold', id: 'or_1' };
const ROOM = { kind: 'reserve', id: 'rs_1' };

test('the demo has one trip for each ending, and each is one that the API takes', () => {
  expect(trips.map(({ endsAs }) => endsAs)).toEqual([
    'completed',
    'undone',
    'cancelled',
    'needs_reconciliation',
  ]);
  for (const { order } of trips) expect(BookingRequest.safeParse(order.body).success).toBe(true);
});

test('it has words for every step of the trip, and for no other', () => {
  for (const { steps } of trips) {
    expect(Object.keys(steps)).toEqual(
      tripSagas()
        .newest(BOOK_TRIP)
        .steps.map(({ name }) => name),
    );
  }
});

const paid = 'charge ch_1, 2,400.00 INR';

test.each([
  [[], []],
  [[CHARGE], [[paid, true, 'stands']]],
  [[CHARGE, REFUND], [[paid, false, 'refunded once']]],
  [[CHARGE, REFUND, { ...REFUND, id: 're_2' }], [[paid, false, 'refunded 2 times']]],
  [[CHARGE, { ...REFUND, charge: 'ch_9' }], [[paid, true, 'stands']]],
  [[SEAT], [['seat or_1', true, 'stands']]],
  [[SEAT, { kind: 'ticket', id: 'or_1' }], [['seat or_1', true, 'stands, with its ticket']]],
  [[SEAT, { kind: 'release', id: 'or_1' }], [['seat or_1', false, 'released once']]],
  [[ROOM], [['room rs_1', true, 'stands']]],
  [[ROOM, { kind: 'cancel', id: 'rs_1' }], [['room rs_1', false, 'released once']]],
  [[{ kind: 'message', id: 'ms_1' }], [['message ms_1', true, 'was sent']]],
])('of the effects %j there stands %j', (effects, standing) => {
  const told = trip.standing(effects).map(({ what, stands, how }) => [what, stands, how]);
  expect(told).toEqual(standing);
});

test.each([
  ['hotel', [ROOM], { id: 'rs_1' }],
  ['hotel', [CHARGE], undefined],
  ['charge', [ROOM], undefined],
])('the value of %s after %j is %j', (step, effects, value) => {
  expect(trip.valueOf(step, effects)).toEqual(value);
});
