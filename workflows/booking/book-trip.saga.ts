import { bookTripV1 } from './book-trip.v1.saga.js';
import { bookTripV2 } from './book-trip.v2.saga.js';

/** The name of the saga, in every version. */
export const BOOK_TRIP = 'book-trip';

/**
 * Every version of the trip that may have a run. API and worker read this one list: a new booking
 * gets the newest, a run in flight keeps its own. A version is taken off when no run of it lives.
 */
export const BOOK_TRIP_VERSIONS = [bookTripV1, bookTripV2] as const;
