import { expect, test } from 'vitest';
import { BOOKED, CONFIRMED, inToldOrder, UNDONE } from '../support/trip-effects.js';

const [PAID, SEAT, ROOM] = ['charge charge', 'flight hold', 'hotel reserve'];
const [NO_SEAT, NO_ROOM, REFUND] = [
  'flight:undo release',
  'hotel:undo cancel',
  'charge:undo refund',
];

test.each([
  ['the room before the seat', [PAID, ROOM, SEAT], BOOKED],
  ['all of it', [PAID, ROOM, SEAT, 'ticket ticket', 'receipt message'], CONFIRMED],
  ['the seat undone before the room', [PAID, SEAT, ROOM, NO_SEAT, NO_ROOM, REFUND], UNDONE],
  ['the seat undone before there is a room', [PAID, SEAT, NO_SEAT, ROOM, NO_ROOM, REFUND], UNDONE],
])('%s is told as if one had waited for the other', (_what, effects, told) => {
  expect(inToldOrder(effects)).toEqual(told);
});

test.each([
  ['an undo before what it undoes', [PAID, NO_SEAT, SEAT, ROOM, NO_ROOM, REFUND]],
  ['a refund before an undo', [PAID, SEAT, ROOM, NO_ROOM, REFUND, NO_SEAT]],
  ['a seat before the charge', [SEAT, PAID, ROOM, NO_ROOM, NO_SEAT, REFUND]],
  ['a room that is held twice', [PAID, SEAT, ROOM, ROOM, NO_ROOM, NO_SEAT, REFUND]],
  ['a room that is undone twice', [PAID, SEAT, ROOM, NO_ROOM, NO_ROOM, NO_SEAT, REFUND]],
])('%s is told as it was', (_what, effects) => {
  expect(inToldOrder(effects)).not.toEqual(UNDONE);
});
