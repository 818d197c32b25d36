import { defineSaga } from 'recourse';
import type { BookingActs } from '../../activities/booking/index.js';
import type { BookTripInput } from './book-trip.v1.saga.js';

/**
 * A trip, version 2: charge → flight ∥ hotel → ticket → receipt. Seat and room are asked for side
 * by side, so that a slow hotel no longer comes on top of a slow flight; all else is as in version
 * 1. Released: this file is never edited again; a change is `book-trip.v3.saga.ts`.
 */
export const bookTripV2 = defineSaga<BookTripInput, BookingActs>('book-trip', {
  version: 2,
  deadlineMs: 15 * 60_000,
})
  .step('charge', {
    run: 'chargeCard',
    at: 'payments',
    whenUnknown: 'retry-with-key',
    find: 'findCharge',
    input: ({ input: { payment } }) => ({
      source: payment.source,
      total: { amount: payment.amount, currency: payment.currency },
    }),
    undo: { run: 'refundCard', whenUnknown: 'retry-with-key', find: 'findRefund' },
  })
  .parallel((group) =>
    group
      .step('flight', {
        run: 'holdSeat',
        at: 'flights',
        whenUnknown: 'ask-provider',
        find: 'findSeat',
        input: ({ input }) => ({ offer: input.flight.offer, traveller: input.traveller }),
        undo: {
          run: 'releaseSeat',
          whenUnknown: 'repeat',
          why: 'a seat that is cancelled already answers 200',
        },
      })
      .step('hotel', {
        run: 'reserveRoom',
        at: 'hotels',
        whenUnknown: 'ask-person',
        input: ({ input }) => ({
          offer: input.hotel.offer,
          nights: input.hotel.nights,
          guest: input.traveller,
        }),
        undo: {
          run: 'releaseRoom',
          whenUnknown: 'repeat',
          why: 'a room that is cancelled already answers 409 already_cancelled',
        },
      }),
  )
  .pivot('ticket', {
    run: 'issueTicket',
    at: 'flights',
    whenUnknown: 'ask-provider',
    find: 'findTicket',
    input: ({ flight }) => ({ order: flight.id }),
  })
  .step('receipt', {
    run: 'sendReceipt',
    at: 'messages',
    whenUnknown: 'prefer-duplicate',
    why: 'two receipts are better than none',
    input: ({ input, charge, flight, hotel, ticket }) => ({
      to: input.traveller.email,
      data: {
        total: { amount: input.payment.amount, currency: input.payment.currency },
        charge: charge.id,
        order: flight.id,
        ticket: ticket.ticket,
        reservation: hotel.id,
      },
    }),
  });
