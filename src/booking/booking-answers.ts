import type { Booking, BookingPage } from './booking-schema.js';

const NOTHING = { amount: 0, currency: 'INR' };

const PENDING: Booking = {
  object: 'booking',
  id: 'bk_abcdefghijklmnopqrstuvwxyz',
  status: 'pending',
  reference: 'cart-81',
  total: { amount: 240_000, currency: 'INR' },
  steps: [],
  payment: { charge: null, refunded: NOTHING },
  flight: { order: null, ticket: null },
  hotel: { reservation: null },
  failure: null,
  cancellation: null,
  resolution: null,
  metadata: { campaign: 'spring' },
  created_at: '2026-11-30T10:00:00.000Z',
  updated_at: '2026-11-30T10:00:00.000Z',
};

const CONFIRMED: Booking = {
  ...PENDING,
  status: 'confirmed',
  steps: [
    { name: 'charge', state: 'done', undo: 'owed' },
    { name: 'flight', state: 'done', undo: 'owed' },
    { name: 'hotel', state: 'done', undo: 'owed' },
    { name: 'ticket', state: 'done', undo: 'not_owed' },
    { name: 'receipt', state: 'done', undo: 'not_owed' },
  ],
  payment: { charge: 'ch_1', refunded: NOTHING },
  flight: { order: 'or_1', ticket: 'T-0417' },
  hotel: { reservation: 'rs_1' },
  updated_at: '2026-11-30T10:00:02.000Z',
};

const FAILED: Booking = {
  ...CONFIRMED,
  status: 'failed',
  steps: [
    { name: 'charge', state: 'done', undo: 'done' },
    { name: 'flight', state: 'done', undo: 'done' },
    { name: 'hotel', state: 'refused', undo: 'not_owed' },
  ],
  payment: { charge: 'ch_1', refunded: { amount: 240_000, currency: 'INR' } },
  flight: { order: 'or_1', ticket: null },
  hotel: { reservation: null },
  failure: {
    code: 'sold_out',
    step: 'hotel',
    message: 'The booking could not be confirmed: hotel was refused (sold_out).',
  },
};

const CANCELLING: Booking = {
  ...PENDING,
  status: 'cancelling',
  cancellation: { requested_at: '2026-11-30T10:00:01.000Z', completed_at: null },
  updated_at: '2026-11-30T10:00:01.000Z',
};

const PAGE: BookingPage = {
  data: [CONFIRMED],
  has_more: true,
  next_cursor: 'WyIxNzY0NDk2ODAwMDAwMDAwIiwiYmtfYWJjIiwiSm0zIl0',
};

/** How a booking is answered when it was accepted. */
export const ACCEPTED = { pending: { summary: 'On record, and under way', value: PENDING } };

/** How it is answered when it is read. */
export const READ = {
  confirmed: { summary: 'It came to its end', value: CONFIRMED },
  failed: { summary: 'It failed, and the money was given back', value: FAILED },
};

/** How bookings are listed. */
export const LISTED = { page: { summary: 'A page, with one after it', value: PAGE } };

/** How it is answered when its cancel was accepted. */
export const CANCELLED = { cancelling: { summary: 'It will be undone', value: CANCELLING } };
