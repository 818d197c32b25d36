import type { Sample } from '../../src/engine/saga/fingerprint.js';

/**
 * Imagined trips, on which every `input` of every version is tried. They are part of the stored
 * fingerprints: add to them for a new version, and never change one.
 */
export const TRIP_SAMPLES: readonly Sample[] = [
  {
    input: {
      traveller: { name: 'Ada Byron', email: 'ada@example.com' },
      flight: { offer: 'BLR-LHR-0417' },
      hotel: { offer: 'H-204', nights: 2 },
      payment: { amount: 240_000, currency: 'INR', source: 'tok_visa' },
      metadata: { cart: '81' },
    },
    charge: { id: 'ch_1' },
    flight: { id: 'or_1' },
    hotel: { id: 'rs_1' },
    ticket: { ticket: 'T-1' },
    receipt: { id: 'msg_1' },
  },
  {
    input: {
      traveller: { name: 'Tenzing Norgay', email: 'tenzing@example.com' },
      flight: { offer: 'LHR-KTM-0001' },
      hotel: { offer: 'H-1', nights: 14 },
      payment: { amount: 1, currency: 'GBP', source: 'tok_mastercard' },
      metadata: {},
    },
    charge: { id: 'ch_2' },
    flight: { id: 'or_2' },
    hotel: { id: 'rs_2' },
    ticket: { ticket: 'T-2' },
    receipt: { id: 'msg_2' },
  },
];
