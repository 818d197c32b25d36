import type { Decision, DecisionTools } from './answer.js';
import { addTo, oneEffect, onlyAnswer, refusal } from './answer.js';

/**
 * Flights: knows no keys, so a second hold with the same reference is a second order; can be asked.
 * An order is found by its own reference and by that of every operation on it that was answered
 * with 200.
 *
 * Ticketing a ticketed order again, with whatever reference, gives the same ticket and no second
 * effect: an order carries one ticket, as with real carriers, so the order itself protects what a
 * key would protect elsewhere. Cancelling a cancelled order is the same.
 */

export type FlightsCall =
  | {
      readonly provider: 'flights';
      readonly operation: 'hold';
      readonly reference: string;
      readonly offer: string;
    }
  | {
      readonly provider: 'flights';
      readonly operation: 'cancel' | 'ticket';
      readonly reference: string;
      readonly order: string;
    }
  | { readonly provider: 'flights'; readonly operation: 'find'; readonly reference: string };

export type FlightsEffect = {
  readonly provider: 'flights';
  /** The order's id, for all three kinds. */
  readonly id: string;
  readonly reference: string;
} & (
  | { readonly operation: 'hold'; readonly kind: 'hold'; readonly offer: string }
  | { readonly operation: 'cancel'; readonly kind: 'release' }
  | { readonly operation: 'ticket'; readonly kind: 'ticket'; readonly ticket: string }
);

interface Order {
  readonly id: string;
  readonly offer: string;
  readonly reference: string;
  status: 'held' | 'ticketed' | 'cancelled';
  ticket: string | null;
}

export interface FlightsState {
  readonly orders: Map<string, Order>;
  readonly byReference: Map<string, Set<string>>;
}

export function emptyFlights(): FlightsState {
  return { orders: new Map(), byReference: new Map() };
}

/** Decides one call by the order's present state. */
export function decideFlights(
  state: FlightsState,
  call: FlightsCall,
  tools: DecisionTools,
): Decision<FlightsEffect> {
  const { provider, reference } = call;
  if (call.operation === 'find') {
    const ids = [...(state.byReference.get(reference) ?? [])];
    const orders = ids.map((id) => state.orders.get(id)).filter((order) => order !== undefined);
    return onlyAnswer({ status: 200, body: { data: orders.map(presentOrder) } });
  }
  if (call.operation === 'hold') {
    const { operation, offer } = call;
    const id = `or_${tools.newId()}`;
    const answer = { status: 201, body: { id, status: 'held', reference } };
    return oneEffect(answer, { provider, operation, kind: 'hold', id, reference, offer });
  }
  const order = state.orders.get(call.order);
  if (order === undefined) {
    return onlyAnswer(refusal(404, 'no_such_order', `there is no order ${call.order}`));
  }
  return call.operation === 'cancel'
    ? decideCancel(order, reference)
    : decideTicket(order, reference, tools);
}

function decideCancel(order: Order, reference: string): Decision<FlightsEffect> {
  const { id } = order;
  const answer = { status: 200, body: { id, status: 'cancelled' } };
  switch (order.status) {
    case 'held':
      return oneEffect(answer, {
        provider: 'flights',
        operation: 'cancel',
        kind: 'release',
        id,
        reference,
      });
    case 'cancelled':
      return { answer, effects: [], mentions: [{ id, reference }] };
    case 'ticketed':
      return onlyAnswer(refusal(409, 'ticketed', `${id} is ticketed, which cannot be undone`));
  }
}

function decideTicket(
  order: Order,
  reference: string,
  tools: DecisionTools,
): Decision<FlightsEffect> {
  const { id } = order;
  if (order.status === 'cancelled') {
    return onlyAnswer(refusal(409, 'cancelled', `${id} is cancelled`));
  }
  const ticket = order.ticket ?? `T-${tools.newId()}`;
  const answer = { status: 200, body: { id, status: 'ticketed', ticket } };
  if (order.status === 'ticketed') return { answer, effects: [], mentions: [{ id, reference }] };
  return oneEffect(answer, {
    provider: 'flights',
    operation: 'ticket',
    kind: 'ticket',
    id,
    reference,
    ticket,
  });
}

/** Makes an effect true. The same effects in the same order give the same state. */
export function applyFlights(state: FlightsState, effect: FlightsEffect): void {
  const { id, reference } = effect;
  addTo(state.byReference, reference, id);
  if (effect.kind === 'hold') {
    state.orders.set(id, { id, offer: effect.offer, reference, status: 'held', ticket: null });
    return;
  }
  const order = state.orders.get(id);
  if (order === undefined) return;
  if (effect.kind === 'release') {
    order.status = 'cancelled';
    return;
  }
  order.status = 'ticketed';
  order.ticket ??= effect.ticket;
}

function presentOrder(order: Order): Record<string, unknown> {
  const { id, status, reference, offer, ticket } = order;
  return { id, status, reference, offer, ...(ticket === null ? {} : { ticket }) };
}
