import type { Answer, Decision, DecisionTools } from './answer.js';
import { addTo, oneEffect, onlyAnswer, refusal } from './answer.js';

/**
 * Payments: honours keys for 24 hours and can be asked. One key makes one effect, also while the
 * first request is still at work. Only effects are kept under a key: after a refusal the same key
 * is decided anew.
 */

/** How long a key is remembered, counted from its effect: what the provider promises. */
export const KEY_WINDOW_MS = 24 * 60 * 60 * 1000;

export type PaymentsCall =
  | {
      readonly provider: 'payments';
      readonly operation: 'charge';
      readonly reference: string;
      readonly amount: number;
      readonly currency: string;
      readonly source: string;
    }
  | {
      readonly provider: 'payments';
      readonly operation: 'refund';
      readonly reference: string;
      readonly charge: string;
      readonly amount: number;
    }
  | {
      readonly provider: 'payments';
      readonly operation: 'find_charge' | 'find_refund';
      readonly reference: string;
    };

export type PaymentsEffect = {
  readonly provider: 'payments';
  readonly id: string;
  readonly reference: string;
  readonly amount: number;
  readonly currency: string;
  readonly body_hash: string;
  readonly keeps_key: boolean;
} & (
  | { readonly operation: 'charge'; readonly kind: 'charge' }
  | { readonly operation: 'refund'; readonly kind: 'refund'; readonly charge: string }
);

interface Charge {
  readonly effect: PaymentsEffect;
  refunded: number;
}

interface KeyRecord {
  readonly effect: PaymentsEffect;
  readonly atMs: number;
}

export interface PaymentsState {
  readonly charges: Map<string, Charge>;
  readonly refunds: Map<string, PaymentsEffect>;
  readonly chargesByReference: Map<string, Set<string>>;
  readonly refundsByReference: Map<string, Set<string>>;
  readonly keys: Map<string, KeyRecord>;
  /** Keys whose first request has no effect yet. Not on disk: a crash ends that work. */
  readonly atWork: Map<string, { readonly operation: string; readonly bodyHash: string }>;
}

export function emptyPayments(): PaymentsState {
  return {
    charges: new Map(),
    refunds: new Map(),
    chargesByReference: new Map(),
    refundsByReference: new Map(),
    keys: new Map(),
    atWork: new Map(),
  };
}

/**
 * What is known of a key: an answer that ends the request (the first answer once more, 409
 * `in_progress`, 422 `key_reused`), or null for a key that is new or forgotten.
 */
export function answerOfKey(
  state: PaymentsState,
  key: string,
  request: { readonly operation: string; readonly bodyHash: string },
  nowMs: number,
): Answer | null {
  const kept = state.keys.get(key);
  const known = kept !== undefined && nowMs - kept.atMs < KEY_WINDOW_MS ? kept.effect : null;
  const working = state.atWork.get(key);
  const first = working ?? (known && { operation: known.operation, bodyHash: known.body_hash });
  if (first === null) return null;
  if (first.bodyHash !== request.bodyHash || first.operation !== request.operation) {
    return refusal(422, 'key_reused', 'this key came before with another request');
  }
  // An effect is not told of before it is on disk: until then its request is at work.
  if (known === null || working !== undefined) {
    return refusal(409, 'in_progress', 'the first request with this key is still at work');
  }
  return answerOfEffect(known);
}

/** Decides one call; keys have been looked at before. */
export function decidePayments(
  state: PaymentsState,
  call: PaymentsCall,
  tools: DecisionTools,
): Decision<PaymentsEffect> {
  switch (call.operation) {
    case 'charge':
      return made({
        ...common(call.reference, tools),
        operation: 'charge',
        kind: 'charge',
        id: `ch_${tools.newId()}`,
        amount: call.amount,
        currency: call.currency,
      });
    case 'refund':
      return decideRefund(state, call, tools);
    case 'find_charge':
      return found(state.chargesByReference, call.reference, (id) => state.charges.get(id)?.effect);
    case 'find_refund':
      return found(state.refundsByReference, call.reference, (id) => state.refunds.get(id));
  }
}

function decideRefund(
  state: PaymentsState,
  call: PaymentsCall & { operation: 'refund' },
  tools: DecisionTools,
): Decision<PaymentsEffect> {
  const charge = state.charges.get(call.charge);
  if (charge === undefined) {
    return onlyAnswer(refusal(404, 'no_such_charge', `there is no charge ${call.charge}`));
  }
  const left = charge.effect.amount - charge.refunded;
  if (call.amount > left) {
    return onlyAnswer(refusal(409, 'already_refunded', `${left} is left of ${call.charge}`));
  }
  return made({
    ...common(call.reference, tools),
    operation: 'refund',
    kind: 'refund',
    id: `re_${tools.newId()}`,
    charge: call.charge,
    amount: call.amount,
    currency: charge.effect.currency,
  });
}

/** Makes an effect true. The same effects in the same order give the same state. */
export function applyPayments(state: PaymentsState, effect: PaymentsEffect, atMs: number): void {
  if (effect.kind === 'charge') {
    state.charges.set(effect.id, { effect, refunded: 0 });
    addTo(state.chargesByReference, effect.reference, effect.id);
  } else {
    state.refunds.set(effect.id, effect);
    addTo(state.refundsByReference, effect.reference, effect.id);
    const charge = state.charges.get(effect.charge);
    if (charge !== undefined) charge.refunded += effect.amount;
  }
  if (effect.keeps_key) state.keys.set(effect.reference, { effect, atMs });
}

function common(reference: string, tools: DecisionTools) {
  return {
    provider: 'payments',
    reference,
    body_hash: tools.bodyHash,
    keeps_key: tools.keepsKey,
  } as const;
}

function made(effect: PaymentsEffect): Decision<PaymentsEffect> {
  return oneEffect(answerOfEffect(effect), effect);
}

function answerOfEffect(effect: PaymentsEffect): Answer {
  return { status: 201, body: presentEffect(effect) };
}

function presentEffect(effect: PaymentsEffect): Record<string, unknown> {
  const { id, amount, currency, reference } = effect;
  const charge = effect.kind === 'refund' ? { charge: effect.charge } : {};
  return { id, status: 'succeeded', ...charge, amount, currency, reference };
}

function found(
  index: ReadonlyMap<string, ReadonlySet<string>>,
  reference: string,
  effectOf: (id: string) => PaymentsEffect | undefined,
): Decision<PaymentsEffect> {
  const effects = [...(index.get(reference) ?? [])].map(effectOf);
  const data = effects.filter((effect) => effect !== undefined).map(presentEffect);
  return onlyAnswer({ status: 200, body: { data } });
}
