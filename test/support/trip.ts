import { createBookingActs } from '../../activities/booking/index.js';
import { BookingModule } from '../../src/booking/booking.module.js';
import { EngineModule, type EngineParts } from '../../src/engine/engine.module.js';
import { Sagas } from '../../src/engine/sagas.js';
import { BOOK_TRIP_VERSIONS } from '../../workflows/booking/book-trip.saga.js';

/** A booking as a customer sends it, with some members changed. */
export function trip(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    traveller: { name: 'Ada Byron', email: 'ada@example.com' },
    flight: { offer: 'BLR-LHR-0417' },
    hotel: { offer: 'H-204', nights: 2 },
    payment: { amount: 240_000, currency: 'INR', source: 'tok_visa' },
    ...changes,
  };
}

const NOWHERE = { url: 'http://127.0.0.1:9', key: null };

/** The sagas of the trip, with providers that nobody calls, or that can be asked at `url`. */
export function tripSagas(url?: string, settlesMs = 5_000): Sagas {
  const at = (name: string) => (url === undefined ? NOWHERE : { url: `${url}/${name}`, key: null });
  const places = {
    payments: at('payments'),
    flights: at('flights'),
    hotels: at('hotels'),
    messages: at('messages'),
  };
  const provider = { settlesMs, keyWindowMs: null };
  return new Sagas({
    sagas: BOOK_TRIP_VERSIONS,
    acts: { ...createBookingActs(places) },
    providers: { payments: provider, flights: provider, hotels: provider, messages: provider },
  });
}

/** What an API of the example serves. */
export const tripApi = (parts: EngineParts) => EngineModule.forRoot(parts, [BookingModule]);
