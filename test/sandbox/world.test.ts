import { expect, test } from 'vitest';
import { applyEffect, applyMention, decide, emptyWorld } from '../../src/sandbox/world/world.js';
import type { Call, Effect, World } from '../../src/sandbox/world/world.js';
import { doubled } from '../../src/sandbox/world/world.js';
import type { PaymentsState } from '../../src/sandbox/world/payments.js';
import { answerOfKey, KEY_WINDOW_MS } from '../../src/sandbox/world/payments.js';
import type { Answer } from '../../src/sandbox/world/answer.js';

/** Plays calls one after another in a new world; ids count from 1, so `or_1` is known. */
function play(calls: readonly Call[]): { last: Answer; effects: Effect[]; world: World } {
  const world = emptyWorld();
  const effects: Effect[] = [];
  let last: Answer = { status: 0, body: null };
  let ids = 0;
  const newId = () => String((ids += 1));
  for (const call of calls) {
    const decision = decide(world, call, { newId, bodyHash: 'hash', keepsKey: true });
    for (const effect of decision.effects) applyEffect(world, effect, 0);
    for (const mention of decision.mentions) applyMention(world, mention);
    effects.push(...decision.effects);
    last = decision.answer;
  }
  return { last, effects, world };
}

const payments = { provider: 'payments' } as const;
const charge: Call = {
  ...payments,
  operation: 'charge',
  reference: 'r:charge',
  amount: 100,
  currency: 'INR',
  source: 'tok_visa',
};
const refund = (amount: number, reference = 'r:charge:undo', of = 'ch_1'): Call => {
  return { ...payments, operation: 'refund', reference, charge: of, amount };
};
const ask = (operation: 'find_charge' | 'find_refund', reference: string): Call => {
  return { ...payments, operation, reference };
};

const flights = { provider: 'flights' } as const;
const hold: Call = { ...flights, operation: 'hold', reference: 'r:flight', offer: 'O' };
const cancel = (reference = 'r:flight:undo', order = 'or_1'): Call => {
  return { ...flights, operation: 'cancel', reference, order };
};
const ticket = (reference = 'r:ticket', order = 'or_1'): Call => {
  return { ...flights, operation: 'ticket', reference, order };
};
const find = (reference: string): Call => ({ ...flights, operation: 'find', reference });

const hotels = { provider: 'hotels' } as const;
const reserve: Call = { ...hotels, operation: 'reserve', reference: 'r:hotel', offer: 'H' };
const free = (reservation = 'rs_1'): Call => {
  return { ...hotels, operation: 'cancel', reference: 'r:hotel:undo', reservation };
};
const send: Call = { provider: 'messages', operation: 'send', reference: 'r:m', kind: 'receipt' };

const held = { id: 'or_1', status: 'held', reference: 'r:flight', offer: 'O' };
const refundBody = { id: 're_2', status: 'succeeded', charge: 'ch_1', reference: 'r:charge:undo' };
const chargeBody = { id: 'ch_1', status: 'succeeded', amount: 100, currency: 'INR' };

const rows: [sentence: string, calls: Call[], status: number, body: unknown, kinds: string[]][] = [
  // payments
  ['a charge succeeds', [charge], 201, { ...chargeBody, reference: 'r:charge' }, ['charge']],
  [
    'a refund in part succeeds',
    [charge, refund(40)],
    201,
    { ...refundBody, amount: 40, currency: 'INR' },
    ['charge', 'refund'],
  ],
  ['the rest can be refunded', [charge, refund(40), refund(60)], 201, {}, ['c', 'r', 'r']],
  ['not more than is left', [charge, refund(40), refund(61)], 409, 'already_refunded', ['c', 'r']],
  ['not twice in full', [charge, refund(100), refund(100)], 409, 'already_refunded', ['c', 'r']],
  ['nothing without a charge', [refund(1)], 404, 'no_such_charge', []],
  [
    'a charge is found by its reference',
    [charge, ask('find_charge', 'r:charge')],
    200,
    { data: [{ ...chargeBody, reference: 'r:charge' }] },
    ['charge'],
  ],
  [
    'a refund is found by its reference',
    [charge, refund(40), ask('find_refund', 'r:charge:undo')],
    200,
    { data: [{ ...refundBody, amount: 40, currency: 'INR' }] },
    ['charge', 'refund'],
  ],
  ['not by a prefix', [charge, ask('find_charge', 'r:ch')], 200, { data: [] }, ['charge']],
  ['refunds are no charges', [charge, ask('find_refund', 'r:charge')], 200, { data: [] }, ['c']],
  // flights
  ['a hold is an order', [hold], 201, { id: 'or_1', status: 'held' }, ['hold']],
  ['a second hold is a second order', [hold, hold], 201, { id: 'or_2' }, ['hold', 'hold']],
  ['cancelled', [hold, cancel()], 200, { id: 'or_1', status: 'cancelled' }, ['hold', 'release']],
  ['cancelled already', [hold, cancel(), cancel('x')], 200, { status: 'cancelled' }, ['h', 'r']],
  ['ticketed', [hold, ticket()], 200, { status: 'ticketed', ticket: 'T-2' }, ['hold', 'ticket']],
  ['the same ticket again', [hold, ticket(), ticket('x')], 200, { ticket: 'T-2' }, ['h', 't']],
  ['no ticket after a cancel', [hold, cancel(), ticket()], 409, 'cancelled', ['hold', 'release']],
  ['no cancel after a ticket', [hold, ticket(), cancel()], 409, 'ticketed', ['hold', 'ticket']],
  ['no order, no cancel', [cancel()], 404, 'no_such_order', []],
  ['no order, no ticket', [ticket()], 404, 'no_such_order', []],
  ['found while held', [hold, find('r:flight')], 200, { data: [held] }, ['hold']],
  ['not found by a prefix', [hold, find('r:fl')], 200, { data: [] }, ['hold']],
  [
    'found by its ticket’s reference, as it is now',
    [hold, ticket(), find('r:ticket')],
    200,
    { data: [{ ...held, status: 'ticketed', ticket: 'T-2' }] },
    ['hold', 'ticket'],
  ],
  [
    'found by its cancel’s reference, as it is now',
    [hold, cancel(), find('r:flight:undo')],
    200,
    { data: [{ ...held, status: 'cancelled' }] },
    ['hold', 'release'],
  ],
  [
    'found by the reference of a cancel that changed nothing',
    [hold, cancel(), cancel('x'), find('x')],
    200,
    { data: [{ ...held, status: 'cancelled' }] },
    ['hold', 'release'],
  ],
  [
    'found by the reference of a ticket that was there already',
    [hold, ticket(), ticket('x'), find('x')],
    200,
    { data: [{ ...held, status: 'ticketed', ticket: 'T-2' }] },
    ['hold', 'ticket'],
  ],
  ['not by a refused one', [hold, ticket(), cancel('x'), find('x')], 200, { data: [] }, ['h', 't']],
  [
    'two orders of one reference are both found',
    [hold, hold, find('r:flight')],
    200,
    { data: [held, { ...held, id: 'or_2' }] },
    ['hold', 'hold'],
  ],
  // hotels
  ['a reservation', [reserve], 201, { id: 'rs_1', status: 'confirmed' }, ['reserve']],
  ['a second reservation', [reserve, reserve], 201, { id: 'rs_2' }, ['reserve', 'reserve']],
  ['a cancelled reservation', [reserve, free()], 204, null, ['reserve', 'cancel']],
  ['cancelled once', [reserve, free(), free()], 409, 'already_cancelled', ['reserve', 'cancel']],
  ['nothing to cancel', [free()], 404, 'no_such_reservation', []],
  // messages
  ['a message', [send], 202, { id: 'ms_1' }, ['message']],
  ['every message again', [send, send], 202, { id: 'ms_2' }, ['message', 'message']],
];

/** A string stands for the refusal with that code, an object for a body that holds at least it. */
function expectedBody(body: unknown): unknown {
  if (body === null) return null;
  const message: unknown = expect.any(String);
  if (typeof body === 'string') return { error: { code: body, message } };
  return expect.objectContaining(body as object);
}

test.each(rows)('%s', (_sentence, calls, status, body, kinds) => {
  const { last, effects } = play(calls);
  expect(last.status).toBe(status);
  expect(last.body).toEqual(expectedBody(body));
  // A kind may be written as its first letter.
  expect(effects.map(({ kind }, at) => kind.slice(0, kinds[at]?.length))).toEqual(kinds);
});

const sameCharge = { operation: 'charge', bodyHash: 'hash' };
const otherBody = { operation: 'charge', bodyHash: 'other' };
const refundOfKey = { operation: 'refund', bodyHash: 'hash' };
const used = () => play([charge]).world.payments;
const fresh = () => play([]).world.payments;
const working = (state: PaymentsState, bodyHash = 'hash') => {
  state.atWork.set('r:charge', { operation: 'charge', bodyHash });
  return state;
};

test.each<[string, PaymentsState, request: typeof sameCharge, nowMs: number, status: unknown]>([
  ['a new key', fresh(), sameCharge, 0, undefined],
  ['a key that was used', used(), sameCharge, 1, 201],
  ['within its window', used(), sameCharge, KEY_WINDOW_MS - 1, 201],
  ['after its window', used(), sameCharge, KEY_WINDOW_MS, undefined],
  ['another body', used(), otherBody, 1, 422],
  ['another body after its window', used(), otherBody, KEY_WINDOW_MS, undefined],
  ['another operation', used(), refundOfKey, 1, 422],
  ['a key at work', working(fresh()), sameCharge, 0, 409],
  ['a key at work with another body', working(fresh(), 'other'), sameCharge, 0, 422],
  ['an effect that is not on disk yet', working(used()), sameCharge, 0, 409],
])('payments knows %s', (_sentence, state, request, nowMs, status) => {
  expect(answerOfKey(state, 'r:charge', request, nowMs)?.status).toBe(status);
});

test('a doubled effect is told apart by its id, or by its ticket', () => {
  const ids = ['8', '9'];
  const { effects } = play([charge, hold, ticket('r:ticket', 'or_2')]);
  const twice = doubled(effects, () => ids.pop() ?? '7');
  expect(twice.map((effect) => ('ticket' in effect ? effect.ticket : effect.id))).toEqual([
    'ch_1',
    'ch_9',
    'or_2',
    'or_8',
    'T-3',
    'T-7',
  ]);
});
