import { defineConfig } from 'recourse/config';
import { createBookingActs } from '../activities/booking/index.js';
import { BOOK_TRIP_VERSIONS } from '../workflows/booking/book-trip.saga.js';
import { readBookingProviders } from './booking-config.js';

const HOUR_MS = 3_600_000;
/** Stated by the sandbox: nothing it was sent takes effect later than this after `send_by`. */
const SANDBOX_SETTLES_MS = 5_000;

/**
 * The example that runs where no team has a `recourse.config.js` of its own: trips, booked at four
 * providers, which are the sandbox's as long as no others are named.
 */
export default defineConfig({
  sagas: BOOK_TRIP_VERSIONS,
  providers: {
    payments: { settlesMs: SANDBOX_SETTLES_MS, keyWindowMs: 24 * HOUR_MS },
    flights: { settlesMs: SANDBOX_SETTLES_MS, keyWindowMs: null },
    hotels: { settlesMs: SANDBOX_SETTLES_MS, keyWindowMs: null },
    messages: { settlesMs: SANDBOX_SETTLES_MS, keyWindowMs: null },
  },
  acts: ({ env, onAnswer, warn }) => {
    const { places, unnamed } = readBookingProviders(env);
    for (const provider of unnamed) {
      warn('a provider is not named, so its calls go to the sandbox', { provider });
    }
    return createBookingActs(places, onAnswer);
  },
  modules: async () => [(await import('./booking/booking.module.js')).BookingModule],
  bundle: '../workflow-bundle.js',
});
