import { createBookingActs, type OnAnswer } from '../activities/booking/index.js';
import { BOOK_TRIP_VERSIONS } from '../workflows/booking/book-trip.saga.js';
import type { Config } from './config.js';
import type { SagaDefinition } from './engine/saga/definition.js';
import { Sagas, type ProviderSettings } from './engine/sagas.js';

const HOUR_MS = 3_600_000;
/** Stated by the sandbox: nothing it was sent takes effect later than this after `send_by`. */
const SANDBOX_SETTLES_MS = 5_000;

/** The sagas of this installation, every version that has live runs among them. */
export const sagas: readonly SagaDefinition[] = BOOK_TRIP_VERSIONS;

/** What is stated about each provider. */
export const providers: Readonly<Record<string, ProviderSettings>> = {
  payments: { settlesMs: SANDBOX_SETTLES_MS, keyWindowMs: 24 * HOUR_MS },
  flights: { settlesMs: SANDBOX_SETTLES_MS, keyWindowMs: null },
  hotels: { settlesMs: SANDBOX_SETTLES_MS, keyWindowMs: null },
  messages: { settlesMs: SANDBOX_SETTLES_MS, keyWindowMs: null },
};

/**
 * What this installation runs: the sagas, their acts, and the providers. A team adds its own lines
 * here; worker, API and CLI read the same list. `onAnswer` is told what every request to a provider
 * came to.
 */
export function installedSagas(config: Config, onAnswer?: OnAnswer): Sagas {
  const { settlesMs } = config.timing;
  return new Sagas({
    sagas,
    acts: { ...createBookingActs(config.providers, onAnswer) },
    providers: settlesMs === null ? providers : allSettlingIn(settlesMs),
  });
}

/** For trials on this machine, whose sandbox is told to be quicker. */
function allSettlingIn(settlesMs: number): typeof providers {
  const named = Object.entries(providers);
  return Object.fromEntries(named.map(([name, stated]) => [name, { ...stated, settlesMs }]));
}
