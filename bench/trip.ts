/** The trip that everybody makes. */
export const TRIP = {
  traveller: { name: 'Ada Byron', email: 'ada@example.com' },
  flight: { offer: 'BLR-LHR-0417' },
  hotel: { offer: 'H-204', nights: 2 },
  payment: { amount: 240_000, currency: 'INR', source: 'tok_visa' },
} as const;
