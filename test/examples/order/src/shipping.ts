import { found, type Act, type FindOf } from 'recourse';
import { readFinding, readOutcome, whenOne, type ProviderClient } from 'recourse/activity';
import { z } from 'zod';
import type { Goods } from './stock.js';

export interface Shipment {
  readonly goods: Goods;
  readonly reservation: string;
  readonly address: string;
}

const Parcel = z.object({ id: z.string() });
export type Parcel = z.infer<typeof Parcel>;

const Listed = z.object({ data: z.array(Parcel) }).transform(({ data }) => data);

export function ship(shipping: ProviderClient): Act<'shipping', Shipment, Parcel> {
  return {
    kind: 'act',
    provider: 'shipping',
    parse: (value) => Parcel.parse(value),
    sample: { id: 'pc_1' },
    async perform(call) {
      const body = { ...call.input, reference: call.key };
      const answer = await shipping.send(call, { method: 'POST', path: '/parcels', body });
      return readOutcome(answer, [], Parcel);
    },
  };
}

export function findParcel(shipping: ProviderClient): FindOf<'ship', Parcel> {
  return {
    kind: 'find',
    of: 'ship',
    async perform(call) {
      const query = { reference: call.key };
      const answer = await shipping.send(call, { method: 'GET', path: '/parcels', query });
      return whenOne(readFinding(answer, Listed), found);
    },
  };
}
