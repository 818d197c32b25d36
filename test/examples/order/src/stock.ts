import { differs, found, type Act, type FindOf, type UndoOf } from 'recourse';
import { readFinding, readOutcome, whenOne, type ProviderClient } from 'recourse/activity';
import { z } from 'zod';

export interface Goods {
  readonly sku: string;
  readonly quantity: number;
}

const Reservation = z.object({ id: z.string() });
export type Reservation = z.infer<typeof Reservation>;

const Released = z.object({ id: z.string(), status: z.literal('released') });
const Listed = z.object({ data: z.array(Reservation.extend({ status: z.string() })) });

export function reserveStock(stock: ProviderClient): Act<'stock', Goods, Reservation> {
  return {
    kind: 'act',
    provider: 'stock',
    parse: (value) => Reservation.parse(value),
    sample: { id: 'rv_1' },
    async perform(call) {
      const body = { ...call.input, reference: call.key };
      const answer = await stock.send(call, { method: 'POST', path: '/reservations', body });
      return readOutcome(answer, [], Reservation);
    },
  };
}

/** Safe to repeat: what is released already answers the same. */
export function releaseStock(
  stock: ProviderClient,
): UndoOf<'reserveStock', Goods, Reservation, z.infer<typeof Released>> {
  return {
    kind: 'undo',
    of: 'reserveStock',
    parse: (value) => Released.parse(value),
    async perform(call) {
      const path = `/reservations/${encodeURIComponent(call.input.value.id)}/release`;
      const body = { reference: call.key };
      return readOutcome(await stock.send(call, { method: 'POST', path, body }), [], Released);
    },
  };
}

/** A reservation that is not held any more was changed by somebody else: a person looks at it. */
export function findReservation(stock: ProviderClient): FindOf<'reserveStock', Reservation> {
  return {
    kind: 'find',
    of: 'reserveStock',
    async perform(call) {
      const query = { reference: call.key };
      const answer = await stock.send(call, { method: 'GET', path: '/reservations', query });
      const all = readFinding(
        answer,
        Listed.transform(({ data }) => data),
      );
      return whenOne(all, ({ id, status }) =>
        status === 'held' ? found({ id }) : differs('status-differs'),
      );
    },
  };
}
