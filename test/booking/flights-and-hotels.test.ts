import { cannotTell, differs, done, found, notThere, refused, unknown } from 'recourse';
import { expect, test } from 'vitest';
import { ZodError } from 'zod';
import { findSeat, holdSeat, releaseSeat } from '../../activities/booking/hold-seat.js';
import { findTicket, issueTicket } from '../../activities/booking/issue-ticket.js';
import { createFlights } from '../../activities/booking/providers/flights.client.js';
import { createHotels } from '../../activities/booking/providers/hotels.client.js';
import { createMessages } from '../../activities/booking/providers/messages.client.js';
import { releaseRoom, reserveRoom } from '../../activities/booking/reserve-room.js';
import { sendReceipt } from '../../activities/booking/send-receipt.js';
import { callWith, jsonAnswer, scriptedClient } from '../support/scripted-client.js';

const ada = { name: 'Ada Byron', email: 'ada@example.com' };
const seatInput = { offer: 'BLR-LHR-0417', traveller: ada };
const roomInput = { offer: 'H-204', nights: 2, guest: ada };
const seat = { input: seatInput, value: { id: 'or_1' } };
const room = { input: roomInput, value: { id: 'rs_1' } };
const receiptInput = {
  to: ada.email,
  data: {
    total: { amount: 240_000, currency: 'INR' },
    charge: 'ch_1',
    order: 'or_1',
    ticket: 'T-1',
    reservation: 'rs_1',
  },
};

function referring(reference: string, more: object = {}): object {
  return { ...more, reference };
}

test('each act sends one request, under its key and with nothing but its input', async () => {
  const client = scriptedClient(jsonAnswer(200, {}));
  const [flights, hotels] = [createFlights(client), createHotels(client)];
  await holdSeat(flights).perform(callWith('r:flight', seatInput));
  await findSeat(flights).perform(callWith('r:flight', seatInput));
  await releaseSeat(flights).perform(callWith('r:flight:undo', seat));
  await reserveRoom(hotels).perform(callWith('r:hotel', roomInput));
  await releaseRoom(hotels).perform(callWith('r:hotel:undo', room));
  await issueTicket(flights).perform(callWith('r:ticket', { order: 'or_1' }));
  await findTicket(flights).perform(callWith('r:ticket', { order: 'or_1' }));
  await sendReceipt(createMessages(client)).perform(callWith('r:receipt', receiptInput));

  expect(client.sent.map(({ request }) => request)).toEqual([
    { method: 'POST', path: '/orders', body: referring('r:flight', seatInput) },
    { method: 'GET', path: '/orders', query: referring('r:flight') },
    { method: 'POST', path: '/orders/or_1/cancel', body: referring('r:flight:undo') },
    { method: 'POST', path: '/reservations', body: referring('r:hotel', roomInput) },
    { method: 'DELETE', path: '/reservations/rs_1' },
    { method: 'POST', path: '/orders/or_1/ticket', body: referring('r:ticket') },
    { method: 'GET', path: '/orders', query: referring('r:ticket') },
    {
      method: 'POST',
      path: '/messages',
      body: referring('r:receipt', { ...receiptInput, kind: 'receipt' }),
    },
  ]);
  const keys = ['r:flight', 'r:flight', 'r:flight:undo', 'r:hotel', 'r:hotel:undo'];
  expect(client.sent.map(({ key }) => key)).toEqual([...keys, 'r:ticket', 'r:ticket', 'r:receipt']);
});

const held = { id: 'or_1', status: 'held', reference: 'r:flight' };

test.each([
  ['the order', jsonAnswer(201, held), done({ id: 'or_1' })],
  ['a full plane', jsonAnswer(409, { error: { code: 'sold_out' } }), refused('sold_out')],
  ["another's key", jsonAnswer(201, { ...held, reference: 'x' }), unknown('reference-differs')],
  ['an open end', jsonAnswer(201, { ...held, status: 'requested' }), unknown('status-differs')],
  ['taken in only', jsonAnswer(202, held), unknown('only-accepted')],
])('a hold that is answered with %s', async (_what, answer, outcome) => {
  const act = holdSeat(createFlights(scriptedClient(answer)));
  expect(await act.perform(callWith('r:flight', seatInput))).toEqual(outcome);
});

test.each([
  ['the cancelled order', jsonAnswer(200, { id: 'or_1', status: 'cancelled' }), done(null)],
  ['another order', jsonAnswer(200, { id: 'or_2', status: 'cancelled' }), unknown('order-differs')],
  ['the held order', jsonAnswer(200, { id: 'or_1', status: 'held' }), unknown('status-differs')],
  [
    'no such order',
    jsonAnswer(404, { error: { code: 'no_such_order' } }),
    refused('no-such-thing'),
  ],
  ['a ticketed order', jsonAnswer(409, { error: { code: 'ticketed' } }), refused('ticketed')],
])('a seat whose release is answered with %s', async (_what, answer, outcome) => {
  const undo = releaseSeat(createFlights(scriptedClient(answer)));
  expect(await undo.perform(callWith('r:flight:undo', seat))).toEqual(outcome);
});

test.each([
  ['the held order', [held], found({ id: 'or_1' })],
  ['nothing', [], notThere()],
  ['two orders', [held, { ...held, id: 'or_2' }], differs('two-results')],
  ['a cancelled order', [{ ...held, status: 'cancelled' }], differs('status-differs')],
  ["another's order", [{ ...held, reference: 'x' }], differs('reference-differs')],
  ['something else', ['or_1'], cannotTell('unreadable')],
])('of a seat is found: %s', async (_what, data, finding) => {
  const find = findSeat(createFlights(scriptedClient(jsonAnswer(200, { data }))));
  expect(await find.perform(callWith('r:flight', seatInput))).toEqual(finding);
});

const ticketed = { id: 'or_1', status: 'ticketed', ticket: 'T-1' };

test.each([
  ['the ticket', jsonAnswer(200, ticketed), done({ ticket: 'T-1' })],
  ['another order', jsonAnswer(200, { ...ticketed, id: 'or_2' }), unknown('order-differs')],
  ['an open end', jsonAnswer(200, { ...ticketed, status: 'held' }), unknown('status-differs')],
  ['no ticket', jsonAnswer(200, { ...ticketed, ticket: null }), unknown('unreadable')],
  ['a cancelled order', jsonAnswer(409, { error: { code: 'cancelled' } }), refused('cancelled')],
])('a ticket that is answered with %s', async (_what, answer, outcome) => {
  const act = issueTicket(createFlights(scriptedClient(answer)));
  expect(await act.perform(callWith('r:ticket', { order: 'or_1' }))).toEqual(outcome);
});

test.each([
  ['the ticket', [{ ...held, ...ticketed }], found({ ticket: 'T-1' })],
  ['nothing', [], notThere()],
  ['an order still held', [held], notThere()],
  ['an order without its ticket', [{ ...held, status: 'ticketed' }], differs('ticket-missing')],
  ['a cancelled order', [{ ...held, status: 'cancelled' }], differs('status-differs')],
  ['another order', [{ ...held, ...ticketed, id: 'or_2' }], differs('order-differs')],
  ['two orders', [held, { ...held, id: 'or_2' }], differs('two-results')],
])('of a ticket is found: %s', async (_what, data, finding) => {
  const find = findTicket(createFlights(scriptedClient(jsonAnswer(200, { data }))));
  expect(await find.perform(callWith('r:ticket', { order: 'or_1' }))).toEqual(finding);
});

const confirmed = { id: 'rs_1', status: 'confirmed', reference: 'r:hotel' };

test.each([
  ['the reservation', jsonAnswer(201, confirmed), done({ id: 'rs_1' })],
  ['a full house', jsonAnswer(409, { error: { code: 'sold_out' } }), refused('sold_out')],
  [
    "another's key",
    jsonAnswer(201, { ...confirmed, reference: 'x' }),
    unknown('reference-differs'),
  ],
  [
    'an open end',
    jsonAnswer(201, { ...confirmed, status: 'requested' }),
    unknown('status-differs'),
  ],
])('a room that is answered with %s', async (_what, answer, outcome) => {
  const act = reserveRoom(createHotels(scriptedClient(answer)));
  expect(await act.perform(callWith('r:hotel', roomInput))).toEqual(outcome);
});

const emptyAnswer = (status: number) =>
  ({ kind: 'answered', status, body: { kind: 'empty' } }) as const;

test.each([
  ['done', emptyAnswer(204), done(null)],
  ['state unknown', emptyAnswer(202), unknown('state-unknown')],
  ['cancelled already', jsonAnswer(409, { error: { code: 'already_cancelled' } }), done(null)],
  [
    'no such room',
    jsonAnswer(404, { error: { code: 'no_such_reservation' } }),
    refused('no-such-thing'),
  ],
  ['too late', jsonAnswer(409, { error: { code: 'not_cancellable' } }), refused('not_cancellable')],
])('a room whose release is answered with %s', async (_what, answer, outcome) => {
  const undo = releaseRoom(createHotels(scriptedClient(answer)));
  expect(await undo.perform(callWith('r:hotel:undo', room))).toEqual(outcome);
});

test.each([
  ['the message', jsonAnswer(202, { id: 'ms_1' }), done({ id: 'ms_1' })],
  ['no id', jsonAnswer(202, {}), unknown('unreadable')],
  [
    'a bad address',
    jsonAnswer(422, { error: { code: 'recipient_refused' } }),
    refused('recipient_refused'),
  ],
])('a receipt that is answered with %s', async (_what, answer, outcome) => {
  const act = sendReceipt(createMessages(scriptedClient(answer)));
  expect(await act.perform(callWith('r:receipt', receiptInput))).toEqual(outcome);
});

test('a person gives what the next step needs, and nothing for what is given back', () => {
  const client = scriptedClient(jsonAnswer(200, {}));
  const [flights, hotels] = [createFlights(client), createHotels(client)];
  expect(holdSeat(flights).parse({ id: 'or_1' })).toEqual({ id: 'or_1' });
  expect(reserveRoom(hotels).parse({ id: 'rs_1' })).toEqual({ id: 'rs_1' });
  expect(issueTicket(flights).parse({ ticket: 'T-1' })).toEqual({ ticket: 'T-1' });
  expect(releaseSeat(flights).parse(null)).toBeNull();
  expect(releaseRoom(hotels).parse(null)).toBeNull();
  expect(() => reserveRoom(hotels).parse({ reservation: 'rs_1' })).toThrow(ZodError);
  expect(() => releaseRoom(hotels).parse({ id: 'rs_1' })).toThrow(ZodError);
});
