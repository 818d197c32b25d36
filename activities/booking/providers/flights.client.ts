import type { Finding, Outcome } from 'recourse';
import { readFinding, readOutcome, type ProviderClient, type Sending } from 'recourse/activity';
import type { Person } from '../person.js';
import { listOf } from './answer-fields.js';
import {
  CANCEL_ANSWERS,
  CancelledAnswer,
  HOLD_ANSWERS,
  HeldAnswer,
  OrderEntry,
  TICKET_ANSWERS,
  TicketedAnswer,
} from './flights.outcomes.js';

export interface SeatOrder {
  readonly offer: string;
  readonly traveller: Person;
}

/** Knows no keys, but can be asked by reference. */
export interface Flights {
  readonly hold: (sending: Sending, order: SeatOrder) => Promise<Outcome<HeldAnswer>>;
  readonly cancel: (sending: Sending, order: string) => Promise<Outcome<CancelledAnswer>>;
  readonly ticket: (sending: Sending, order: string) => Promise<Outcome<TicketedAnswer>>;
  /** All orders made, or worked on, under the key of `sending`. */
  readonly findOrders: (sending: Sending) => Promise<Finding<readonly OrderEntry[]>>;
}

export function createFlights(client: ProviderClient): Flights {
  return {
    async hold(sending, { offer, traveller }) {
      const body = { offer, traveller, reference: sending.key };
      const answer = await client.send(sending, { method: 'POST', path: '/orders', body });
      return readOutcome(answer, HOLD_ANSWERS, HeldAnswer);
    },
    async cancel(sending, order) {
      const path = `/orders/${encodeURIComponent(order)}/cancel`;
      const body = { reference: sending.key };
      const answer = await client.send(sending, { method: 'POST', path, body });
      return readOutcome(answer, CANCEL_ANSWERS, CancelledAnswer);
    },
    async ticket(sending, order) {
      const path = `/orders/${encodeURIComponent(order)}/ticket`;
      const body = { reference: sending.key };
      const answer = await client.send(sending, { method: 'POST', path, body });
      return readOutcome(answer, TICKET_ANSWERS, TicketedAnswer);
    },
    async findOrders(sending) {
      const query = { reference: sending.key };
      const answer = await client.send(sending, { method: 'GET', path: '/orders', query });
      return readFinding(answer, listOf(OrderEntry));
    },
  };
}
