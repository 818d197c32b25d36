import type { Cancellation, ConfirmRequest } from './cancellation-schema.js';

const TOKEN = 'q0w9Zl2o1Vx7mC4nB8sK5dJ3hG6fT1rY0uI9pO2aE7c';

const QUOTED: Cancellation = {
  object: 'cancellation',
  id: 'quote_abcdefghijklmnopqrstuvwxyz',
  booking: 'bk_abcdefghijklmnopqrstuvwxyz',
  state: 'quoted',
  ends_as: 'cancelled',
  undoes: [
    { step: 'charge', what: 'The payment is given back.', only_if: null },
    { step: 'flight', what: 'The seat is released.', only_if: null },
    { step: 'hotel', what: 'The room is released.', only_if: 'it-took-effect' },
  ],
  refund: { amount: 240_000, currency: 'INR' },
  fees: { amount: 0, currency: 'INR' },
  cannot_be_undone: [],
  created_at: '2026-11-30T10:00:01.000Z',
  expires_at: '2026-11-30T10:15:01.000Z',
  token: TOKEN,
};

/** How a quote is answered when it was made. */
export const QUOTES = {
  quoted: { summary: 'All of it is undone, and all is given back', value: QUOTED },
};

/** How it is answered when it is read: without its token. */
export const QUOTES_READ = {
  quoted: { summary: 'Not confirmed yet', value: { ...QUOTED, token: null } },
  confirmed: {
    summary: 'Confirmed: the booking tells how it goes on',
    value: { ...QUOTED, state: 'confirmed', token: null } satisfies Cancellation,
  },
};

/** With what it is confirmed. */
export const CONFIRM_EXAMPLES = {
  token: {
    summary: 'The token of the quote',
    value: { token: TOKEN } satisfies ConfirmRequest,
  },
};
