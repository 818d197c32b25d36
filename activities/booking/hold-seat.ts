import { differs, done, found, unknown, type Act, type FindOf, type UndoOf } from 'recourse';
import { whenDone, whenOne } from 'recourse/activity';
import { z } from 'zod';
import { ProviderId } from './providers/answer-fields.js';
import type { Flights, SeatOrder } from './providers/flights.client.js';
import type { HeldAnswer } from './providers/flights.outcomes.js';

export type SeatInput = SeatOrder;

/** The held seat, by the order that flights opened for it. */
const Seat = z.object({ id: ProviderId });
export type Seat = Readonly<z.infer<typeof Seat>>;

const Released = z.null();

/** Holds a seat; it is not paid and not ticketed yet. */
export function holdSeat(flights: Flights): Act<'flights', SeatInput, Seat> {
  return {
    kind: 'act',
    provider: 'flights',
    parse: (value) => Seat.parse(value),
    sample: { id: 'or_1' },
    async perform(call) {
      return whenDone(await flights.hold(call, call.input), (order) => {
        const difference = differenceOfSeat(order, call.key);
        return difference === null ? done({ id: order.id }) : unknown(difference);
      });
    },
  };
}

/** Gives the seat back. Safe to repeat: an order that is cancelled already answers the same. */
export function releaseSeat(flights: Flights): UndoOf<'holdSeat', SeatInput, Seat, null> {
  return {
    kind: 'undo',
    of: 'holdSeat',
    parse: (value) => Released.parse(value),
    async perform(call) {
      const order = call.input.value.id;
      return whenDone(await flights.cancel(call, order), (answer) => {
        if (answer.id !== order) return unknown('order-differs');
        return answer.status === 'cancelled' ? done(null) : unknown('status-differs');
      });
    },
  };
}

/**
 * Asks for the order made under the key. One that is not held any more was changed by somebody
 * else, because nothing of ours is sent for a seat before its hold is known: a person looks at it.
 */
export function findSeat(flights: Flights): FindOf<'holdSeat', Seat> {
  return {
    kind: 'find',
    of: 'holdSeat',
    async perform(call) {
      return whenOne(await flights.findOrders(call), (order) => {
        const difference = differenceOfSeat(order, call.key);
        return difference === null ? found({ id: order.id }) : differs(difference);
      });
    },
  };
}

function differenceOfSeat(order: HeldAnswer, key: string): string | null {
  if (order.reference !== key) return 'reference-differs';
  return order.status === 'held' ? null : 'status-differs';
}
