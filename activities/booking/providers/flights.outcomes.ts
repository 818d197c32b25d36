import { NO_SUCH_THING } from 'recourse';
import type { AnswerTable } from 'recourse/activity';
import { z } from 'zod';
import { ProviderId } from './answer-fields.js';

/** Flights does not know keys: a second hold is a second seat. */
export const HOLD_ANSWERS: AnswerTable = [];

/** A cancelled order that is cancelled again answers 200, so an undo may be repeated. */
export const CANCEL_ANSWERS: AnswerTable = [
  { status: 404, code: 'no_such_order', means: 'refused', as: NO_SUCH_THING },
];

export const TICKET_ANSWERS: AnswerTable = [];

const Order = z.object({ id: ProviderId, status: z.string() });

export const HeldAnswer = Order.extend({ reference: z.string() });
export type HeldAnswer = z.infer<typeof HeldAnswer>;

export const CancelledAnswer = Order;
export type CancelledAnswer = z.infer<typeof CancelledAnswer>;

export const TicketedAnswer = Order.extend({ ticket: ProviderId });
export type TicketedAnswer = z.infer<typeof TicketedAnswer>;

/** An order as it is now; `reference` is its own, also when it is found by another. */
export const OrderEntry = Order.extend({ reference: z.string(), ticket: ProviderId.nullish() });
export type OrderEntry = z.infer<typeof OrderEntry>;
