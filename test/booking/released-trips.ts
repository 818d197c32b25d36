import type { SagaDefinition } from '../../src/engine/saga/definition.js';
import { bookTripV1 } from '../../workflows/booking/book-trip.v1.saga.js';
import { bookTripV2 } from '../../workflows/booking/book-trip.v2.saga.js';

/** The released versions of the trip, each with its number, as a table of tests has them. */
export const RELEASED_TRIPS: readonly (readonly [1 | 2, SagaDefinition])[] = [
  [1, bookTripV1],
  [2, bookTripV2],
];
