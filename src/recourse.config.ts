import { createBookingActs, type OnAnswer } from '../activities/booking/index.js';
import { bookTripV1 } from '../workflows/booking/book-trip.v1.saga.js';
import type { Config } from './config.js';
import { Sagas } from './engine/sagas.js';

const HOUR_MS = 3_600_000;
/** Stated by the sandbox: nothing it was sent takes effect later than this after `send_by`. */
const SANDBOX_SETTLES_MS = 5_000;

/**
 * What this installation runs: the sagas, their acts, and what is stated about each provider. A
 * team adds its own lines here; worker and API read the same list. `onAnswer` is told what every
 * request to a provider came to.
 */
export function installedSagas(config: Config, onAnswer?: OnAnswer): Sagas {
  const settlesMs = config.timing.settlesMs ?? SANDBOX_SETTLES_MS;
  return new Sagas({
    sagas: [bookTripV1],
    acts: { ...createBookingActs(config.providers, onAnswer) },
    providers: {
      payments: { settlesMs, keyWindowMs: 24 * HOUR_MS },
      flights: { settlesMs, keyWindowMs: null },
      hotels: { settlesMs, keyWindowMs: null },
      messages: { settlesMs, keyWindowMs: null },
    },
  });
}
