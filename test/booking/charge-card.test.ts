import { cannotTell, differs, done, found, notThere, refused, unknown } from 'recourse';
import { expect, test } from 'vitest';
import { ZodError } from 'zod';
import {
  chargeCard,
  findCharge,
  findRefund,
  refundCard,
} from '../../activities/booking/charge-card.js';
import { createPayments } from '../../activities/booking/providers/payments.client.js';
import { callWith, jsonAnswer, scriptedClient } from '../support/scripted-client.js';

const input = { source: 'tok_visa', total: { amount: 240_000, currency: 'INR' } };
const value = { id: 'ch_1' };
const key = 'bk_1:charge';
const undoKey = `${key}:undo`;
const charge = {
  id: 'ch_1',
  status: 'succeeded',
  amount: 240_000,
  currency: 'INR',
  reference: key,
};
const refund = {
  id: 're_1',
  status: 'succeeded',
  charge: 'ch_1',
  amount: 240_000,
  reference: undoKey,
};

test('a charge is asked for under its key, with the money and the source alone', async () => {
  const client = scriptedClient(jsonAnswer(201, charge));
  await chargeCard(createPayments(client)).perform(callWith(key, input));
  const body = { amount: 240_000, currency: 'INR', source: 'tok_visa', reference: key };
  expect(client.sent).toEqual([{ key, request: { method: 'POST', path: '/charges', body } }]);
});

test('a refund is asked for under its own key, of the whole charge', async () => {
  const client = scriptedClient(jsonAnswer(201, refund));
  await refundCard(createPayments(client)).perform(callWith(undoKey, { input, value }));
  const body = { charge: 'ch_1', amount: 240_000, reference: undoKey };
  const request = { method: 'POST', path: '/refunds', body };
  expect(client.sent).toEqual([{ key: undoKey, request }]);
});

test.each([
  ['the charge', jsonAnswer(201, charge), done(value)],
  ['a decline', jsonAnswer(402, { error: { code: 'card_declined' } }), refused('card_declined')],
  ['less money', jsonAnswer(201, { ...charge, amount: 239_999 }), unknown('amount-differs')],
  ['other money', jsonAnswer(201, { ...charge, currency: 'USD' }), unknown('currency-differs')],
  ["another's key", jsonAnswer(201, { ...charge, reference: 'x' }), unknown('reference-differs')],
  ['an open end', jsonAnswer(201, { ...charge, status: 'pending' }), unknown('status-differs')],
  ['money in a text', jsonAnswer(201, { ...charge, amount: '240000' }), unknown('unreadable')],
  ['half a paisa', jsonAnswer(201, { ...charge, amount: 240_000.5 }), unknown('unreadable')],
  ['an id that is a path', jsonAnswer(201, { ...charge, id: '../x' }), unknown('unreadable')],
  ['nothing', jsonAnswer(201, null), unknown('unreadable')],
])('a charge that is answered with %s', async (_what, answer, outcome) => {
  const act = chargeCard(createPayments(scriptedClient(answer)));
  expect(await act.perform(callWith(key, input))).toEqual(outcome);
});

test.each([
  ['the refund', jsonAnswer(201, refund), done({ id: 're_1' })],
  ['a part of it', jsonAnswer(201, { ...refund, amount: 1 }), unknown('amount-differs')],
  ["another's charge", jsonAnswer(201, { ...refund, charge: 'ch_2' }), unknown('charge-differs')],
  [
    'the key of the charge',
    jsonAnswer(201, { ...refund, reference: key }),
    unknown('reference-differs'),
  ],
  ['a failure', jsonAnswer(201, { ...refund, status: 'failed' }), unknown('status-differs')],
  [
    'no such charge',
    jsonAnswer(404, { error: { code: 'no_such_charge' } }),
    refused('no-such-thing'),
  ],
  [
    "somebody else's refund",
    jsonAnswer(409, { error: { code: 'already_refunded' } }),
    refused('already_refunded'),
  ],
])('a refund that is answered with %s', async (_what, answer, outcome) => {
  const undo = refundCard(createPayments(scriptedClient(answer)));
  expect(await undo.perform(callWith(undoKey, { input, value }))).toEqual(outcome);
});

test('charge and refund are looked for by their keys', async () => {
  const client = scriptedClient(jsonAnswer(200, { data: [] }));
  const payments = createPayments(client);
  await findCharge(payments).perform(callWith(key, input));
  await findRefund(payments).perform(callWith(undoKey, { input, value }));
  expect(client.sent).toEqual([
    { key, request: { method: 'GET', path: '/charges', query: { reference: key } } },
    { key: undoKey, request: { method: 'GET', path: '/refunds', query: { reference: undoKey } } },
  ]);
});

test.each([
  ['the charge', [charge], found(value)],
  ['nothing', [], notThere()],
  ['two charges', [charge, { ...charge, id: 'ch_2' }], differs('two-results')],
  ['less money', [{ ...charge, amount: 1 }], differs('amount-differs')],
  ['other money', [{ ...charge, currency: 'USD' }], differs('currency-differs')],
  ["another's key", [{ ...charge, reference: 'x' }], differs('reference-differs')],
  ['an open end', [{ ...charge, status: 'pending' }], differs('status-differs')],
  ['something else', [{ id: 'ch_1' }], cannotTell('unreadable')],
])('of a charge is found: %s', async (_what, data, finding) => {
  const find = findCharge(createPayments(scriptedClient(jsonAnswer(200, { data }))));
  expect(await find.perform(callWith(key, input))).toEqual(finding);
});

test.each([
  ['the refund', [refund], found({ id: 're_1' })],
  ['nothing', [], notThere()],
  ['two refunds', [refund, { ...refund, id: 're_2' }], differs('two-results')],
  ['a part of it', [{ ...refund, amount: 1 }], differs('amount-differs')],
  ["another's charge", [{ ...refund, charge: 'ch_2' }], differs('charge-differs')],
])('of a refund is found: %s', async (_what, data, finding) => {
  const find = findRefund(createPayments(scriptedClient(jsonAnswer(200, { data }))));
  expect(await find.perform(callWith(undoKey, { input, value }))).toEqual(finding);
});

test('a question with an input that no charge was made with is a bug, and throws', async () => {
  const find = findCharge(createPayments(scriptedClient(jsonAnswer(200, { data: [] }))));
  await expect(find.perform(callWith(key, { total: 240_000 }))).rejects.toThrow(ZodError);
});

const { parse } = chargeCard(createPayments(scriptedClient(jsonAnswer(200, {}))));

test.each([[{ id: 'ch_1' }], [{ id: 'ch_1', note: 'seen in the dashboard' }]])(
  'a person may give %j as the charge',
  (given) => expect(parse(given)).toEqual({ id: 'ch_1' }),
);

test.each([[{ id: '' }], [{ id: 'see mail of Monday' }], [{ charge: 'ch_1' }], [null]])(
  'a person may not give %j as the charge',
  (given) => expect(() => parse(given)).toThrow(ZodError),
);
