import type { Act, FindOf, UndoOf } from 'recourse';
import { createProviderClient, type Answer, type ProviderClient } from 'recourse/activity';
import {
  chargeCard,
  findCharge,
  findRefund,
  refundCard,
  type Charge,
  type ChargeInput,
  type Refund,
} from './charge-card.js';
import { findSeat, holdSeat, releaseSeat, type Seat, type SeatInput } from './hold-seat.js';
import { findTicket, issueTicket, type Ticket, type TicketInput } from './issue-ticket.js';
import { createFlights } from './providers/flights.client.js';
import { createHotels } from './providers/hotels.client.js';
import { createMessages } from './providers/messages.client.js';
import { createPayments } from './providers/payments.client.js';
import { releaseRoom, reserveRoom, type Room, type RoomInput } from './reserve-room.js';
import { sendReceipt, type Receipt, type ReceiptInput } from './send-receipt.js';

/** Everything a trip can do, undo and ask after, by the names that sagas use. */
export interface BookingActs {
  readonly chargeCard: Act<'payments', ChargeInput, Charge>;
  readonly refundCard: UndoOf<'chargeCard', ChargeInput, Charge, Refund>;
  readonly findCharge: FindOf<'chargeCard', Charge>;
  readonly findRefund: FindOf<'refundCard', Refund>;
  readonly holdSeat: Act<'flights', SeatInput, Seat>;
  readonly releaseSeat: UndoOf<'holdSeat', SeatInput, Seat, null>;
  readonly findSeat: FindOf<'holdSeat', Seat>;
  readonly reserveRoom: Act<'hotels', RoomInput, Room>;
  readonly releaseRoom: UndoOf<'reserveRoom', RoomInput, Room, null>;
  readonly issueTicket: Act<'flights', TicketInput, Ticket>;
  readonly findTicket: FindOf<'issueTicket', Ticket>;
  readonly sendReceipt: Act<'messages', ReceiptInput, Receipt>;
}

/** Where a provider is, and the key it knows us by; null: it asks for none. */
export interface ProviderPlace {
  readonly url: string;
  readonly key: string | null;
}

export interface BookingProviders {
  readonly payments: ProviderPlace;
  readonly flights: ProviderPlace;
  readonly hotels: ProviderPlace;
  readonly messages: ProviderPlace;
}

/** Told what every request to a provider came to. */
export type OnAnswer = (provider: keyof BookingProviders, answer: Answer) => void;

/**
 * Makes the acts of the booking domain, each bound to its provider. Connections are kept where a
 * lost call is repeated or asked after; hotels can be neither, so each call there opens its own.
 * Throws a RangeError or TypeError for a place whose `url` is none.
 */
export function createBookingActs(
  places: BookingProviders,
  onAnswer: OnAnswer = () => undefined,
): BookingActs {
  const clientOf = (name: keyof BookingProviders, reuseConnections: boolean): ProviderClient =>
    createProviderClient({
      ...places[name],
      reuseConnections,
      onAnswer: (answer) => onAnswer(name, answer),
    });
  const payments = createPayments(clientOf('payments', true));
  const flights = createFlights(clientOf('flights', true));
  const hotels = createHotels(clientOf('hotels', false));
  const messages = createMessages(clientOf('messages', true));
  return Object.freeze({
    chargeCard: chargeCard(payments),
    refundCard: refundCard(payments),
    findCharge: findCharge(payments),
    findRefund: findRefund(payments),
    holdSeat: holdSeat(flights),
    releaseSeat: releaseSeat(flights),
    findSeat: findSeat(flights),
    reserveRoom: reserveRoom(hotels),
    releaseRoom: releaseRoom(hotels),
    issueTicket: issueTicket(flights),
    findTicket: findTicket(flights),
    sendReceipt: sendReceipt(messages),
  });
}
