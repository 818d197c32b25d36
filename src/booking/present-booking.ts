import { remainsAs, type RunSnapshot } from 'recourse/nest';
import type { BookTripInput } from '../../workflows/booking/book-trip.v1.saga.js';
import type { Booking } from './booking-schema.js';

/** What a trip's run is accepted with: the saga's input, and what the caller wants back. */
export interface TripOrder extends BookTripInput {
  readonly metadata: Readonly<Record<string, string>>;
}

/** Shows a run of the trip as the booking that the customer sees. */
export function presentBooking(run: RunSnapshot): Booking {
  const order = run.input as TripOrder;
  const total = { amount: order.payment.amount, currency: order.payment.currency };
  const result = (step: string, member: string) => textIn(valueOf(run, step), member);
  return {
    object: 'booking',
    id: run.id,
    status: run.status,
    reference: run.reference,
    total,
    steps: run.steps.map(({ name, state, undo }) => ({ name, state, undo })),
    payment: {
      charge: result('charge', 'id'),
      refunded: { ...total, amount: isGivenBack(run, 'charge') ? total.amount : 0 },
    },
    flight: { order: result('flight', 'id'), ticket: result('ticket', 'ticket') },
    hotel: { reservation: result('hotel', 'id') },
    failure: presentFailure(run),
    cancellation: presentCancellation(run),
    resolution: presentResolution(run),
    metadata: { ...order.metadata },
    created_at: run.createdAt.toISOString(),
    updated_at: run.updatedAt.toISOString(),
  };
}

function valueOf(run: RunSnapshot, step: string): unknown {
  return run.results.find((one) => one.step === step && one.direction === 'do')?.value;
}

function textIn(value: unknown, member: string): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const text: unknown = (value as Record<string, unknown>)[member];
  return typeof text === 'string' ? text : null;
}

/** The trip is charged once and given back whole, by the undo or by a person. */
function isGivenBack(run: RunSnapshot, step: string): boolean {
  const undo = run.steps.find((one) => one.name === step)?.undo;
  return undo === 'done' || undo === 'by_hand';
}

/** Why a booking was not confirmed, in words; null when nothing failed. */
export function presentFailure(run: Pick<RunSnapshot, 'failure'>): Booking['failure'] {
  if (run.failure === null) return null;
  const { code, step } = run.failure;
  return { code, step, message: sayFailure(code, step) };
}

function sayFailure(code: string, step: string | null): string {
  switch (code) {
    case 'deadline-passed':
      return 'The booking could not be confirmed in time.';
    case 'closed-by-hand':
      return 'A person looked into the booking and decided that it does not go on.';
    case 'no-answer':
      return `The booking could not be confirmed: ${step ?? 'a step'} did not answer.`;
    default:
      return `The booking could not be confirmed: ${step ?? 'a step'} was refused (${code}).`;
  }
}

function presentCancellation(run: RunSnapshot): Booking['cancellation'] {
  if (run.cancelRequestedAt === null) return null;
  return {
    requested_at: run.cancelRequestedAt.toISOString(),
    completed_at: run.status === 'cancelled' ? (run.endedAt?.toISOString() ?? null) : null,
  };
}

/** What is left of the booking as it is, when it was closed. */
function presentResolution(run: RunSnapshot): Booking['resolution'] {
  if (run.status !== 'closed') return null;
  return { remains: run.remains.map((one) => ({ step: one.step, what: sayRemains(one) })) };
}

function sayRemains(one: RunSnapshot['remains'][number]): string {
  switch (remainsAs(one)) {
    case 'unknown':
      return one.direction === 'do' ? 'may have taken effect' : 'may not have been undone';
    case 'not-undone':
      return 'was not undone';
    case 'not-done':
      return 'was not done';
  }
}
