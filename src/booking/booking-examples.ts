import type { BookingRequest } from './booking-schema.js';

interface BookingExample {
  readonly summary: string;
  readonly value: BookingRequest;
}

/** Without a reference, so that it can be sent as often as one likes. */
const TRIP: BookingRequest = {
  traveller: { name: 'Ada Byron', email: 'ada@example.com' },
  flight: { offer: 'BLR-LHR-0417' },
  hotel: { offer: 'H-204', nights: 2 },
  payment: { amount: 240_000, currency: 'INR', source: 'tok_visa' },
};

/** Bodies to begin with. Those that do not end well do so at the providers of the sandbox. */
export const BOOKING_EXAMPLES: Readonly<Record<string, BookingExample>> = {
  trip: { summary: 'A trip', value: TRIP },
  whole: {
    summary: 'A trip with everything that can be said',
    value: { reference: 'cart-81', ...TRIP, metadata: { campaign: 'spring' } },
  },
  declined: {
    summary: 'Sandbox: the card is declined, and the booking fails',
    value: { ...TRIP, payment: { ...TRIP.payment, source: 'tok_declined' } },
  },
  undone: {
    summary: 'Sandbox: the hotel is sold out; seat and money are given back',
    value: { ...TRIP, hotel: { ...TRIP.hotel, offer: 'H-204-SOLDOUT' } },
  },
  lost: {
    summary: 'Sandbox: the hotel never answers; a person must decide',
    value: { ...TRIP, hotel: { ...TRIP.hotel, offer: 'H-204-LOST' } },
  },
};
