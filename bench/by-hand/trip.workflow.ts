import { CancellationScope, log, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { TripActivities, TripOrder } from './trip-types.js';

/** No retry policy: the default one, as every first saga has it. */
const activities = proxyActivities<TripActivities>({ startToCloseTimeout: '10 seconds' });

/**
 * The trip as Temporal's own guidance has it written (docs/design-patterns/saga-pattern.mdx):
 * each compensation is registered before its act; after a failure or a cancel all run in reverse
 * order, none is cut short, one that fails does not keep the others from running, and the first
 * failure is thrown on.
 */
export async function tripByHand(order: TripOrder): Promise<{ readonly ticket: string }> {
  const { payment, traveller } = order;
  const key = (step: string) => `${workflowInfo().workflowId}:${step}`;
  const compensations: (() => Promise<void>)[] = [];
  let issued: Issued;
  try {
    compensations.unshift(() =>
      activities.refundCard(key('charge'), key('charge:undo'), payment.amount),
    );
    const charge = await activities.chargeCard(key('charge'), payment);

    compensations.unshift(() => activities.releaseSeat(key('flight'), key('flight:undo')));
    const seat = await activities.holdSeat(key('flight'), order.flight.offer, traveller);

    // Hotels cannot be asked: without the reservation's name there is nothing to take back.
    const named: { room?: string } = {};
    compensations.unshift(async () => {
      if (named.room !== undefined) await activities.releaseRoom(key('hotel:undo'), named.room);
    });
    const { offer, nights } = order.hotel;
    const room = await activities.reserveRoom(key('hotel'), offer, nights, traveller);
    named.room = room;

    const ticket = await activities.issueTicket(key('ticket'), seat);
    issued = { charge, order: seat, ticket, reservation: room };
  } catch (failure) {
    await CancellationScope.nonCancellable(() => unwind(compensations));
    throw failure;
  }
  // A ticket cannot be taken back: what fails from here on is no reason to undo the trip.
  const total = { amount: payment.amount, currency: payment.currency };
  await activities.sendReceipt(key('receipt'), traveller.email, { total, ...issued });
  return { ticket: issued.ticket };
}

interface Issued {
  readonly charge: string;
  readonly order: string;
  readonly ticket: string;
  readonly reservation: string;
}

async function unwind(compensations: readonly (() => Promise<void>)[]): Promise<void> {
  for (const compensate of compensations) {
    try {
      await compensate();
    } catch (failure) {
      log.error('a compensation failed', { failure });
    }
  }
}
