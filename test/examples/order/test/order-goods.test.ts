import { explore } from 'recourse/testing';
import { expect, test } from 'vitest';
import { providers } from '../src/acts.js';
import { orderGoodsV1 } from '../src/order-goods.v1.saga.js';

const LIMIT = { timeout: 120_000 };

test('whatever goes wrong, an order is done once, undone once, or on the desk', LIMIT, () => {
  expect(explore(orderGoodsV1, { faults: 2, providers }).failure).toBe(null);
});
