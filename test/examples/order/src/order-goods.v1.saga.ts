import { defineSaga } from 'recourse';
import type { OrderActs } from './acts.js';
import type { Payment } from './payments.js';
import type { Goods } from './stock.js';

export interface OrderInput {
  readonly goods: Goods;
  readonly payment: Payment;
  readonly address: string;
}

/** Stock and card side by side, then the money, then the parcel. */
export const orderGoodsV1 = defineSaga<OrderInput, OrderActs>('order-goods', {
  version: 1,
  deadlineMs: 10 * 60_000,
})
  .parallel((group) =>
    group
      .step('stock', {
        run: 'reserveStock',
        at: 'stock',
        whenUnknown: 'ask-provider',
        find: 'findReservation',
        input: ({ input }) => input.goods,
        undo: {
          run: 'releaseStock',
          whenUnknown: 'repeat',
          why: 'what is released already answers the same',
        },
      })
      .step('authorise', {
        run: 'authorise',
        at: 'payments',
        whenUnknown: 'retry-with-key',
        find: 'findAuthorisation',
        input: ({ input }) => input.payment,
        undo: { run: 'voidAuthorisation', whenUnknown: 'retry-with-key', find: 'findVoid' },
      }),
  )
  .pivot('capture', {
    run: 'capture',
    at: 'payments',
    whenUnknown: 'retry-with-key',
    find: 'findCapture',
    input: ({ authorise }) => ({ authorisation: authorise.id }),
  })
  .step('ship', {
    run: 'ship',
    at: 'shipping',
    whenUnknown: 'ask-provider',
    find: 'findParcel',
    input: ({ input, stock }) => ({
      goods: input.goods,
      reservation: stock.id,
      address: input.address,
    }),
  });
