import { explore, type Invariant } from 'recourse/testing';
import { expect, test } from 'vitest';
import { providers } from '../src/acts.js';
import { orderGoodsV1 } from '../src/order-goods.v1.saga.js';

const oneParcel: Invariant = {
  name: 'an order is shipped at most once',
  broken: ({ effects }) => {
    const parcels = effects.filter(({ step }) => step === 'ship').length;
    return parcels > 1 ? `there are ${parcels} parcels` : null;
  },
};

test('no failure alone makes a second parcel', () => {
  const { failure } = explore(orderGoodsV1, { faults: 1, providers, invariants: [oneParcel] });
  expect(failure).toBe(null);
});
