import { expect, test } from 'vitest';
import { answerCancel } from '../../src/booking/answer-cancel.js';
import { Booking } from '../../src/booking/booking-schema.js';
import { presentBooking } from '../../src/booking/present-booking.js';
import { tripRun } from '../support/run-snapshot.js';

const at = (text: string) => new Date(text);
const NOON = at('2026-01-02T12:00:00.000Z');
const ONE = at('2026-01-02T13:00:00.000Z');

const done = (step: string, value: unknown) =>
  ({ step, direction: 'do', value, providerId: null }) as const;

test('a booking that was just accepted is pending and knows nothing yet', () => {
  expect(presentBooking(tripRun())).toEqual({
    object: 'booking',
    id: 'bk_abcdefghijklmnopqrstuvwxyz',
    status: 'pending',
    reference: 'cart-81',
    total: { amount: 240_000, currency: 'INR' },
    steps: ['charge', 'flight', 'hotel', 'ticket', 'receipt'].map((name) => ({
      name,
      state: 'not_started',
      undo: 'not_owed',
    })),
    payment: { charge: null, refunded: { amount: 0, currency: 'INR' } },
    flight: { order: null, ticket: null },
    hotel: { reservation: null },
    failure: null,
    cancellation: null,
    resolution: null,
    metadata: { campaign: 'spring' },
    created_at: '2026-01-02T03:04:05.678Z',
    updated_at: '2026-01-02T03:05:06.789Z',
  });
});

test('a confirmed booking names what the providers gave', () => {
  const results = [
    done('charge', { id: 'ch_1' }),
    done('flight', { id: 'or_2' }),
    done('hotel', { id: 'rs_3' }),
    done('ticket', { ticket: 'T-4' }),
  ];
  expect(presentBooking(tripRun({ status: 'confirmed', results }))).toMatchObject({
    status: 'confirmed',
    payment: { charge: 'ch_1', refunded: { amount: 0, currency: 'INR' } },
    flight: { order: 'or_2', ticket: 'T-4' },
    hotel: { reservation: 'rs_3' },
  });
});

test.each([
  ['owed', 0],
  ['in_progress', 0],
  ['stuck', 0],
  ['left', 0],
  ['done', 240_000],
  ['by_hand', 240_000],
] as const)('with the undo of the charge %s, %i is refunded', (undo, amount) => {
  const steps = [{ name: 'charge', state: 'done', undo }] as const;
  expect(presentBooking(tripRun({ steps })).payment.refunded).toEqual({ amount, currency: 'INR' });
});

test.each([
  ['sold_out', 'hotel', 'The booking could not be confirmed: hotel was refused (sold_out).'],
  ['no-answer', 'flight', 'The booking could not be confirmed: flight did not answer.'],
  ['deadline-passed', 'flight', 'The booking could not be confirmed in time.'],
  [
    'closed-by-hand',
    'hotel',
    'A person looked into the booking and decided that it does not go on.',
  ],
])('the failure %s at %s is said in words', (code, step, message) => {
  const failure = { code, step };
  expect(presentBooking(tripRun({ failure })).failure).toEqual({ code, step, message });
});

test.each([
  ['pending', null, null, null],
  ['cancelling', NOON, null, { requested_at: NOON.toISOString(), completed_at: null }],
  ['in_review', NOON, null, { requested_at: NOON.toISOString(), completed_at: null }],
  [
    'cancelled',
    NOON,
    ONE,
    { requested_at: NOON.toISOString(), completed_at: '2026-01-02T13:00:00.000Z' },
  ],
  ['closed', NOON, ONE, { requested_at: NOON.toISOString(), completed_at: null }],
] as const)(
  'a %s booking whose cancel was asked at %s shows it',
  (status, cancelRequestedAt, endedAt, cancellation) => {
    const run = tripRun({ status, cancelRequestedAt, endedAt });
    expect(presentBooking(run).cancellation).toEqual(cancellation);
  },
);

test('a closed booking says what remains', () => {
  const remains = [
    { step: 'hotel', direction: 'do', what: 'unknown' },
    { step: 'charge', direction: 'undo', what: 'not-undone' },
    { step: 'flight', direction: 'undo', what: 'unknown' },
    { step: 'receipt', direction: 'do', what: 'not-done' },
    { step: 'ticket', direction: 'do' },
  ] as const;
  expect(presentBooking(tripRun({ status: 'closed', remains })).resolution).toEqual({
    remains: [
      { step: 'hotel', what: 'may have taken effect' },
      { step: 'charge', what: 'was not undone' },
      { step: 'flight', what: 'may not have been undone' },
      { step: 'receipt', what: 'was not done' },
      { step: 'ticket', what: 'may have taken effect' },
    ],
  });
});

test('what is shown is what the interface describes', () => {
  const run = tripRun({ status: 'closed', failure: { code: 'sold_out', step: 'hotel' } });
  expect(Booking.safeParse(presentBooking(run)).error).toBeUndefined();
});

test.each(['accepted', 'unchanged'] as const)('a cancel that is %s is a promise', (answer) => {
  const run = tripRun({ status: 'cancelling' });
  expect(answerCancel(answer, run)).toEqual({
    status: 202,
    body: presentBooking(run),
    location: `/v1/bookings/${run.id}`,
  });
});

test.each([
  ['pivot-in-progress', 409, { headers: { 'Retry-After': '1' } }],
  ['past-pivot', 409, { members: { booking_status: 'failed' } }],
  ['already-ended', 409, { members: { booking_status: 'failed' } }],
] as const)('a cancel that is refused as %s says what to do', (answer, status, details) => {
  const cancel = () => answerCancel(answer, tripRun({ status: 'failed' }));
  expect(cancel).toThrow(expect.objectContaining({ code: answer, status, details }));
});
