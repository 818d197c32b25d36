import { CancellationScope, log, proxyActivities, workflowInfo } from '@temporalio/workflow';
import { queueOf, type ProviderName } from './queues.js';
import type { TripActivities, TripOrder } from './trip-types.js';

/** No retry policy: the default one, as every first saga has it. */
const OPTIONS = { startToCloseTimeout: '10 seconds' } as const;
const activities = proxyActivities<TripActivities>(OPTIONS);

/** Where the activities of each provider are run. */
type Places = Readonly<Record<ProviderName, TripActivities>>;

/** The trip on the one queue that the workflow has too, as every first saga is. */
export function tripByHand(order: TripOrder): Promise<Travels> {
  const at = { payments: activities, flights: activities, hotels: activities };
  return trip(order, { ...at, messages: activities });
}

/**
 * The same with a queue for each provider, so that one that hangs takes nobody else's place, as the
 * engine has it. What it costs by itself: the server may not hand an activity to the worker that
 * has just asked for it.
 */
export function tripOnQueues(order: TripOrder): Promise<Travels> {
  const on = (provider: ProviderName) =>
    proxyActivities<TripActivities>({
      ...OPTIONS,
      taskQueue: queueOf(workflowInfo().taskQueue, provider),
    });
  const at = { payments: on('payments'), flights: on('flights'), hotels: on('hotels') };
  return trip(order, { ...at, messages: on('messages') });
}

/**
 * The trip as Temporal's own guidance has it written (docs/design-patterns/saga-pattern.mdx):
 * each compensation is registered before its act; after a failure or a cancel all run in reverse
 * order, none is cut short, one that fails does not keep the others from running, and the first
 * failure is thrown on. Seat and room are asked for side by side, and both answers are awaited
 * before anything is taken back.
 */
async function trip(order: TripOrder, at: Places): Promise<Travels> {
  const { payment, traveller } = order;
  const key = (step: string) => `${workflowInfo().workflowId}:${step}`;
  const compensations: (() => Promise<void>)[] = [];
  let issued: Issued;
  try {
    compensations.unshift(() =>
      at.payments.refundCard(key('charge'), key('charge:undo'), payment.amount),
    );
    const charge = await at.payments.chargeCard(key('charge'), payment);

    compensations.unshift(() => at.flights.releaseSeat(key('flight'), key('flight:undo')));
    // Hotels cannot be asked: without the reservation's name there is nothing to take back.
    const named: { room?: string } = {};
    compensations.unshift(async () => {
      if (named.room !== undefined) await at.hotels.releaseRoom(key('hotel:undo'), named.room);
    });
    const { offer, nights } = order.hotel;
    const [seat, room] = await both(
      at.flights.holdSeat(key('flight'), order.flight.offer, traveller),
      at.hotels
        .reserveRoom(key('hotel'), offer, nights, traveller)
        .then((name) => (named.room = name)),
    );

    const ticket = await at.flights.issueTicket(key('ticket'), seat);
    issued = { charge, order: seat, ticket, reservation: room };
  } catch (failure) {
    await CancellationScope.nonCancellable(() => unwind(compensations));
    throw failure;
  }
  // A ticket cannot be taken back: what fails from here on is no reason to undo the trip.
  const total = { amount: payment.amount, currency: payment.currency };
  await at.messages.sendReceipt(key('receipt'), traveller.email, { total, ...issued });
  return { ticket: issued.ticket };
}

/** Waits for both, whatever becomes of either, and then throws what failed first in their order. */
async function both<One, Other>(
  one: Promise<One>,
  other: Promise<Other>,
): Promise<readonly [One, Other]> {
  await Promise.allSettled([one, other]);
  return [await one, await other];
}

/** What the traveller gets to know. */
interface Travels {
  readonly ticket: string;
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
