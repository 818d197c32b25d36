import type { Do } from './fault-script.js';
import type { Route } from './operations.js';
import type { Answer } from './world/answer.js';
import type { Call } from './world/world.js';

/** How an answer leaves the house. */
export type Manner =
  | { readonly how: 'plain' }
  | { readonly how: 'reset' }
  | { readonly how: 'hang' }
  | { readonly how: 'malformed_json' }
  | { readonly how: 'truncated_body' }
  | { readonly how: 'huge_body'; readonly bytes: number }
  | { readonly how: 'slow_drip'; readonly bytesPerSecond: number };

/** What becomes of one request, from its arrival to the last byte of its answer. */
export interface Plan {
  /** Stands in for the provider, which never sees the request: no key is taken, nothing happens. */
  readonly instead: Answer | 'hang' | 'reset' | null;
  /** The Retry-After header of the answer that stands in. */
  readonly retryAfter: string | null;
  /** Between arrival and effect. The effect comes also when the caller has gone. */
  readonly waitMs: number;
  /** Whether the caller's connection is reset before the wait. */
  readonly resetFirst: boolean;
  readonly key: 'honoured' | 'ignored' | 'forgotten';
  readonly copies: 1 | 2;
  /** A new effect is made with another amount; a question or a repetition is answered with one. */
  readonly wrongAmount: boolean;
  readonly ignoresDeadline: boolean;
  /** The answer names another id than the record. */
  readonly otherId: boolean;
  /** The answer is 500, whatever happened. */
  readonly hidden: boolean;
  readonly manner: Manner;
}

const PLAIN: Plan = {
  instead: null,
  retryAfter: null,
  waitMs: 0,
  resetFirst: false,
  key: 'honoured',
  copies: 1,
  wrongAmount: false,
  ignoresDeadline: false,
  otherId: false,
  hidden: false,
  manner: { how: 'plain' },
};

/** How long an offer that ends in -SLOW takes: long enough to act meanwhile, below a time-out. */
export const SLOW_OFFER_MS = 3_000;

/** Turns a fault into the course of one request. */
export function planOf(fault: Do, route: Route): Plan {
  switch (fault.name) {
    case 'ok':
      return PLAIN;
    case 'decline':
      return { ...PLAIN, instead: route.declined };
    case 'status':
      return { ...PLAIN, ...scriptedStatus(fault.code, fault.retry_after) };
    case 'delay':
      return { ...PLAIN, waitMs: fault.ms };
    case 'hang':
      return { ...PLAIN, instead: 'hang' };
    case 'hang_then_effect':
      return { ...PLAIN, waitMs: fault.ms, manner: { how: 'hang' } };
    case 'reset_before_effect':
      return { ...PLAIN, instead: 'reset' };
    case 'reset_then_effect':
      return { ...PLAIN, resetFirst: true, waitMs: fault.ms };
    case 'effect_then_reset':
      return { ...PLAIN, manner: { how: 'reset' } };
    case 'effect_then_hang':
      return { ...PLAIN, manner: { how: 'hang' } };
    case 'effect_then_500':
      return { ...PLAIN, hidden: true };
    case 'effect_then_malformed_json':
      return { ...PLAIN, manner: { how: 'malformed_json' } };
    case 'effect_then_truncated_body':
      return { ...PLAIN, manner: { how: 'truncated_body' } };
    case 'duplicate_effect':
      return { ...PLAIN, copies: 2 };
    case 'replay_different_body':
      return { ...PLAIN, otherId: true };
    case 'ignore_key':
      return { ...PLAIN, key: 'ignored' };
    case 'ignore_deadline':
      return { ...PLAIN, ignoresDeadline: true };
    case 'expire_key':
      return { ...PLAIN, key: 'forgotten' };
    case 'wrong_amount':
      return { ...PLAIN, wrongAmount: true };
    case 'huge_body':
      return { ...PLAIN, manner: { how: 'huge_body', bytes: fault.bytes } };
    case 'slow_drip':
      return {
        ...PLAIN,
        manner: { how: 'slow_drip', bytesPerSecond: fault.bytes_per_second },
      };
  }
}

function scriptedStatus(
  status: number,
  retryAfter: number | string | undefined,
): Pick<Plan, 'instead' | 'retryAfter'> {
  const body =
    status < 300 ? {} : { error: { code: 'scripted', message: `scripted to answer ${status}` } };
  return { instead: { status, body }, retryAfter: retryAfter?.toString() ?? null };
}

/** What the input itself asks for. A scripted fault, `ok` too, takes its place. */
export function magicOf(call: Call): Do {
  if (call.operation === 'charge' && call.source === 'tok_declined') return { name: 'decline' };
  if (call.operation !== 'hold' && call.operation !== 'reserve') return { name: 'ok' };
  const { offer } = call;
  if (offer.endsWith('-SOLDOUT')) return { name: 'decline' };
  if (offer.endsWith('-HANG')) return { name: 'hang' };
  if (offer.endsWith('-LOST')) return { name: 'effect_then_reset' };
  if (offer.endsWith('-500')) return { name: 'status', code: 500 };
  if (offer.endsWith('-SLOW')) return { name: 'delay', ms: SLOW_OFFER_MS };
  return { name: 'ok' };
}

/** Another amount, one minor unit away: near enough to be overlooked by who does not look. */
export function wrongAmountFor(amount: number): number {
  return amount > 1 ? amount - 1 : amount + 1;
}

/** The call as a provider carries it out that gets amounts wrong. */
export function withWrongAmount(call: Call): Call {
  if (call.operation !== 'charge' && call.operation !== 'refund') return call;
  return { ...call, amount: wrongAmountFor(call.amount) };
}

/** An answer in which every id, or every amount, is another than the record's. */
export function distorted(answer: Answer, change: 'id' | 'amount', newId: () => string): Answer {
  if (answer.body === null || answer.status >= 300) return answer;
  const { data } = answer.body;
  const one = (body: Readonly<Record<string, unknown>>) => distortedObject(body, change, newId);
  if (!Array.isArray(data)) return { ...answer, body: one(answer.body) };
  return { ...answer, body: { ...answer.body, data: data.map(one) } };
}

function distortedObject(
  object: Readonly<Record<string, unknown>>,
  change: 'id' | 'amount',
  newId: () => string,
): Record<string, unknown> {
  const value = object[change];
  if (typeof value === 'number') return { ...object, [change]: wrongAmountFor(value) };
  if (typeof value === 'string') {
    return { ...object, [change]: `${value.slice(0, value.indexOf('_'))}_${newId()}` };
  }
  return { ...object };
}
