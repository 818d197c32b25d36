import { standingOf } from './demo-standing.js';

type Effect = Readonly<Record<string, unknown>>;
type Money = { readonly amount: number; readonly currency: string };
type SayMoney = (money: Money) => string;

const PRICE: Money = { amount: 240_000, currency: 'INR' };
const FLIGHT = 'BLR-LHR-0417';
const NIGHTS = 2;

interface Trip {
  readonly who: string;
  /** The sandbox's magic offers: `-SOLDOUT`, `-SLOW`, `-LOST`. */
  readonly hotel: string;
  readonly endsAs: string;
  readonly end: string;
  readonly isCancelled?: true;
}

const TRIPS: readonly Trip[] = [
  { who: 'Ada', hotel: 'H-204', endsAs: 'completed', end: 'confirmed' },
  { who: 'Ben', hotel: 'H-204-SOLDOUT', endsAs: 'undone', end: 'failed, and all of it undone' },
  {
    who: 'Chiyo',
    hotel: 'H-204-SLOW',
    endsAs: 'cancelled',
    end: 'cancelled, and all of it undone',
    isCancelled: true,
  },
  { who: 'Dara', hotel: 'H-204-LOST', endsAs: 'needs_reconciliation', end: 'waits for a person' },
];

/**
 * Four trips to show, one for each ending, and the words to tell them in. They end so only with the
 * sandbox's providers.
 */
export function demoTrips(sayMoney: SayMoney): ReturnType<typeof story>[] {
  return TRIPS.map((trip) => story(trip, sayMoney));
}

function story(trip: Trip, sayMoney: SayMoney) {
  const { who, hotel, endsAs, end } = trip;
  const price = sayMoney(PRICE);
  return {
    ...{ endsAs, end },
    title: `${who}'s trip`,
    order: { path: '/v1/bookings', body: orderOf(trip) },
    ...(trip.isCancelled && {
      cancel: { during: 'hotel', path: (id: string) => `/v1/bookings/${id}/cancel` },
    }),
    ordered: `${who} books the flight ${FLIGHT}, ${NIGHTS} nights in ${hotel}, for ${price}`,
    steps: stepWords(trip, price),
    standing: (effects: readonly Effect[]) => standingOf(effects, sayMoney),
    valueOf: (step: string, effects: readonly Effect[]) => {
      const room = effects.find(({ kind }) => kind === 'reserve');
      return step === 'hotel' && room !== undefined ? { id: room.id } : undefined;
    },
  };
}

function orderOf({ who, hotel }: Trip) {
  return {
    traveller: { name: who, email: `${who.toLowerCase()}@example.com` },
    flight: { offer: FLIGHT },
    hotel: { offer: hotel, nights: NIGHTS },
    payment: { ...PRICE, source: 'tok_visa' },
  };
}

function stepWords({ who }: Trip, price: string) {
  return {
    charge: {
      done: `The card is charged ${price}`,
      refused: 'The card is declined',
      undone: `${price} are given back to the card`,
    },
    flight: {
      begun: 'A seat is asked for, at the same time as a room',
      done: 'A seat is held',
      refused: 'The flight has no seat',
      undone: 'The seat is released',
    },
    hotel: {
      begun: 'The hotel is asked for a room, and takes its time',
      done: 'A room is reserved',
      refused: 'The hotel has no room',
      unknown:
        'The hotel is asked for a room, and the answer is lost: it may or may not be reserved',
      undone: 'The room is given back',
    },
    ticket: { done: 'The ticket is issued: from here on nothing is undone' },
    receipt: { done: `${who} is sent the receipt` },
  };
}
