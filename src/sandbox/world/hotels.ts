import type { Decision, DecisionTools } from './answer.js';
import { oneEffect, onlyAnswer, refusal } from './answer.js';

/**
 * Hotels: knows no keys, so a second call with the same reference is a second reservation, and
 * cannot be asked: whoever loses its answer needs a person.
 */

export type HotelsCall =
  | {
      readonly provider: 'hotels';
      readonly operation: 'reserve';
      readonly reference: string;
      readonly offer: string;
    }
  | {
      readonly provider: 'hotels';
      readonly operation: 'cancel';
      readonly reference: string;
      readonly reservation: string;
    };

export type HotelsEffect = {
  readonly provider: 'hotels';
  /** The reservation's id, for both kinds. */
  readonly id: string;
  readonly reference: string;
} & (
  | { readonly operation: 'reserve'; readonly kind: 'reserve'; readonly offer: string }
  | { readonly operation: 'cancel'; readonly kind: 'cancel' }
);

export interface HotelsState {
  readonly reservations: Map<string, 'confirmed' | 'cancelled'>;
}

export function emptyHotels(): HotelsState {
  return { reservations: new Map() };
}

/** Decides one call by the reservation's present state. */
export function decideHotels(
  state: HotelsState,
  call: HotelsCall,
  tools: DecisionTools,
): Decision<HotelsEffect> {
  const { provider, reference } = call;
  if (call.operation === 'reserve') {
    const { operation, offer } = call;
    const id = `rs_${tools.newId()}`;
    const answer = { status: 201, body: { id, status: 'confirmed', reference } };
    return oneEffect(answer, { provider, operation, kind: 'reserve', id, reference, offer });
  }
  const { operation, reservation: id } = call;
  switch (state.reservations.get(id)) {
    case undefined:
      return onlyAnswer(refusal(404, 'no_such_reservation', `there is no reservation ${id}`));
    case 'cancelled':
      return onlyAnswer(refusal(409, 'already_cancelled', `${id} is cancelled already`));
    case 'confirmed':
      return oneEffect(
        { status: 204, body: null },
        { provider, operation, kind: 'cancel', id, reference },
      );
  }
}

/** Makes an effect true. The same effects in the same order give the same state. */
export function applyHotels(state: HotelsState, effect: HotelsEffect): void {
  state.reservations.set(effect.id, effect.kind === 'reserve' ? 'confirmed' : 'cancelled');
}
