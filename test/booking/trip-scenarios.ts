import type { FaultWish } from '../support/sandbox.js';
import type { TripWishes } from '../support/customer.js';
import {
  abandonUnknown,
  cancelAt,
  decide,
  refusedCancelAt,
  resetAt,
  retryNowAt,
} from './play-scenario.js';
import type { Scenario } from './scenario.js';

const on = (provider: FaultWish['provider'], operation: string) => (what: FaultWish['do']) => ({
  ...{ provider, operation },
  do: what,
});
const charge = on('payments', 'charge');
const refund = on('payments', 'refund');
const seat = on('flights', 'hold');
const room = on('hotels', 'reserve');
const ticket = on('flights', 'ticket');
const receipt = on('messages', 'send');

const SLOW: FaultWish['do'] = { delay: { ms: 1_000 } };
const SLOWER: FaultWish['do'] = { delay: { ms: 1_600 } };
const LATER: FaultWish['do'] = { status: { code: 429, retry_after: 1 } };
/** Far longer than anybody waits here. */
const UNTIL_ASKED: FaultWish['do'] = { status: { code: 429, retry_after: 300 } };
const MUCH_LATER: FaultWish['do'] = { status: { code: 429, retry_after: 20 } };
const REFUSED: FaultWish['do'] = { status: { code: 422 } };
const LOST = 'effect_then_reset';
const NEVER_ARRIVED = 'reset_before_effect';
const NO_SEAT: TripWishes = { flight: 'BLR-LHR-0417-SOLDOUT' };
const NO_ROOM: TripWishes = { hotel: 'H-204-SOLDOUT' };
const REMAINS = { amount: { amount: 9_000, currency: 'INR' } };

/** Of every version: each ending, and each way in which one call can go. */
const OF_EVERY_VERSION: Readonly<Record<string, Scenario>> = {
  completed: { ends: 'completed' },
  'completed-after-a-lost-charge': { faults: [charge(LOST)], ends: 'completed' },
  'completed-after-a-lost-seat': { faults: [seat(LOST)], ends: 'completed' },
  'completed-after-a-seat-that-was-not-held': { faults: [seat(NEVER_ARRIVED)], ends: 'completed' },
  'completed-after-a-hotel-that-was-busy': { faults: [room(LATER)], ends: 'completed' },
  'completed-after-a-lost-ticket': { faults: [ticket(LOST)], ends: 'completed' },
  'completed-though-a-cancel-came-too-late': {
    faults: [ticket(SLOW)],
    deeds: [refusedCancelAt('ticket')],
    ends: 'completed',
  },
  'completed-after-a-receipt-that-was-refused': {
    faults: [receipt(REFUSED)],
    deeds: [decide('did-not-happen')],
    ends: 'completed',
  },
  'undone-by-a-declined-card': { wishes: { source: 'tok_declined' }, ends: 'undone' },
  'undone-by-a-sold-out-flight': { wishes: NO_SEAT, ends: 'undone' },
  'undone-by-a-sold-out-hotel': { wishes: NO_ROOM, ends: 'undone' },
  'undone-by-a-ticket-that-was-refused': { faults: [ticket('decline')], ends: 'undone' },
  'undone-by-the-deadline': { faults: [charge(SLOWER)], deadlineMs: 1_200, ends: 'undone' },
  'undone-by-the-deadline-while-a-hotel-is-busy': {
    faults: [room(MUCH_LATER)],
    deadlineMs: 2_000,
    ends: 'undone',
  },
  'undone-after-a-lost-refund': { wishes: NO_ROOM, faults: [refund(LOST)], ends: 'undone' },
  'undone-after-a-refund-that-was-stuck': {
    wishes: NO_ROOM,
    faults: [refund(REFUSED)],
    deeds: [decide('undone-by-hand')],
    ends: 'undone',
  },
  'cancelled-while-a-card-is-charged': {
    faults: [charge(SLOW)],
    deeds: [cancelAt('charge')],
    ends: 'cancelled',
  },
  'cancelled-while-a-hotel-is-booked': {
    faults: [room(SLOW)],
    deeds: [cancelAt('hotel')],
    ends: 'cancelled',
  },
  'cancelled-while-a-hotel-is-unknown': {
    faults: [room(LOST)],
    deeds: [decide('undone-by-hand', { cancelFirst: true })],
    ends: 'cancelled',
  },
  'verdict-happened': {
    faults: [room(LOST)],
    deeds: [decide('happened')],
    ends: 'completed',
  },
  'verdict-did-not-happen': {
    faults: [room(LOST)],
    deeds: [decide('did-not-happen')],
    ends: 'completed',
  },
  'verdict-undone-by-hand': {
    faults: [room(LOST)],
    deeds: [decide('undone-by-hand')],
    ends: 'undone',
  },
  'verdict-left-as-is': {
    faults: [room(LOST)],
    deeds: [decide('left-as-is', { with: REMAINS })],
    ends: 'closed_by_hand',
  },
  'completed-after-retry-now': {
    faults: [seat(UNTIL_ASKED)],
    deeds: [retryNowAt('flight')],
    ends: 'completed',
  },
  'completed-after-a-reset': {
    faults: [room(SLOW)],
    deeds: [resetAt('hotel')],
    ends: 'completed',
  },
  'cancelled-and-reset': {
    faults: [room(SLOW)],
    deeds: [cancelAt('hotel'), resetAt('hotel')],
    ends: 'cancelled',
  },
  'abandoned-while-a-hotel-is-unknown': {
    faults: [room(LOST)],
    deeds: [abandonUnknown],
    ends: 'closed_by_hand',
  },
};

/** Of what is done side by side: what becomes of one while the other goes its own way. */
const SIDE_BY_SIDE: Readonly<Record<string, Scenario>> = {
  'no-seat-while-a-room-is-booked': { wishes: NO_SEAT, faults: [room(SLOW)], ends: 'undone' },
  'no-seat-after-a-room-was-booked': { wishes: NO_SEAT, faults: [seat(LATER)], ends: 'undone' },
  'no-room-while-a-seat-is-held': { wishes: NO_ROOM, faults: [seat(SLOW)], ends: 'undone' },
  'no-room-after-a-seat-was-held': { wishes: NO_ROOM, faults: [room(LATER)], ends: 'undone' },
  'neither-seat-nor-room': { wishes: { ...NO_SEAT, ...NO_ROOM }, ends: 'undone' },
  'no-room-while-a-seat-is-unknown': { wishes: NO_ROOM, faults: [seat(LOST)], ends: 'undone' },
  'no-seat-while-a-room-is-unknown': {
    wishes: NO_SEAT,
    faults: [room(LOST)],
    deeds: [decide('undone-by-hand')],
    ends: 'undone',
  },
  'seat-and-room-unknown': {
    faults: [seat(LOST), room(LOST)],
    deeds: [decide('happened')],
    ends: 'completed',
  },
  'cancelled-while-seat-and-room-are-asked-for': {
    faults: [seat(SLOW), room(SLOW)],
    deeds: [cancelAt('flight', 'hotel')],
    ends: 'cancelled',
  },
  'cancelled-while-a-seat-is-held': {
    faults: [seat(SLOW)],
    deeds: [cancelAt('flight')],
    ends: 'cancelled',
  },
  'cancelled-while-a-hotel-is-busy': {
    faults: [room(LATER)],
    deeds: [cancelAt('hotel')],
    ends: 'cancelled',
  },
};

/** The scenarios of each released version, whose histories are stored, by the version's number. */
export const TRIP_SCENARIOS: Readonly<Record<1 | 2, Readonly<Record<string, Scenario>>>> = {
  1: OF_EVERY_VERSION,
  2: { ...OF_EVERY_VERSION, ...SIDE_BY_SIDE },
};
