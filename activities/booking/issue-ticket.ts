import { differs, done, found, notThere, unknown, type Act, type FindOf } from 'recourse';
import { whenDone, whenOne } from 'recourse/activity';
import { z } from 'zod';
import { ProviderId } from './providers/answer-fields.js';
import type { Flights } from './providers/flights.client.js';

const TicketInput = z.object({ order: ProviderId });
export type TicketInput = Readonly<z.infer<typeof TicketInput>>;

const Ticket = z.object({ ticket: ProviderId });
export type Ticket = Readonly<z.infer<typeof Ticket>>;

/** Turns the held seat into a ticket. It cannot be undone: it is the pivot of the trip. */
export function issueTicket(flights: Flights): Act<'flights', TicketInput, Ticket> {
  return {
    kind: 'act',
    provider: 'flights',
    parse: (value) => Ticket.parse(value),
    sample: { ticket: 'T-1' },
    async perform(call) {
      const { order } = call.input;
      return whenDone(await flights.ticket(call, order), (answer) => {
        if (answer.id !== order) return unknown('order-differs');
        if (answer.status !== 'ticketed') return unknown('status-differs');
        return done({ ticket: answer.ticket });
      });
    },
  };
}

/**
 * Asks for the order that was worked on under the key. The entry's own reference is that of the
 * hold, so the order's name is compared instead. An order that is still held was not ticketed; one
 * that is cancelled was changed by somebody else.
 */
export function findTicket(flights: Flights): FindOf<'issueTicket', Ticket> {
  return {
    kind: 'find',
    of: 'issueTicket',
    async perform(call) {
      const { order } = TicketInput.parse(call.input);
      return whenOne(await flights.findOrders(call), (entry) => {
        if (entry.id !== order) return differs('order-differs');
        if (entry.status === 'held') return notThere();
        if (entry.status !== 'ticketed') return differs('status-differs');
        return typeof entry.ticket === 'string'
          ? found({ ticket: entry.ticket })
          : differs('ticket-missing');
      });
    },
  };
}
