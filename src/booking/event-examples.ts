import type { BookingEvent, BookingEventPage } from './event-schema.js';

const ID = 'bk_abcdefghijklmnopqrstuvwxyz';

const STARTED: BookingEvent = {
  object: 'event',
  id: 'evt_bcdefghijklmnopqrstuvwxyza',
  type: 'booking.step',
  api_version: '2026-12-01',
  created_at: '2026-11-30T10:00:00.120Z',
  data: {
    ...{ object: 'booking', id: ID, reference: 'cart-81', status: 'pending' },
    step: { name: 'charge', state: 'in_progress', undo: 'owed' },
    failure: null,
  },
};

const CONFIRMED: BookingEvent = {
  ...STARTED,
  id: 'evt_cdefghijklmnopqrstuvwxyzab',
  type: 'booking.confirmed',
  created_at: '2026-11-30T10:00:01.482Z',
  data: { ...STARTED.data, status: 'confirmed', step: null },
};

const PAGE: BookingEventPage = {
  data: [CONFIRMED],
  has_more: false,
  next_cursor: 'WyI3NDEiLCI5IiwiSm0zIl0',
};

/** How events are listed. */
export const LISTED = { page: { summary: 'All there is; ask on from here', value: PAGE } };

/** One event of a stream, by its fields. */
export const EVENT_EXAMPLE = {
  id: '9.2',
  event: CONFIRMED.type,
  data: JSON.stringify(CONFIRMED),
};
