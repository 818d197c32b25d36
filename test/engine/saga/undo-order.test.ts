import { describe, expect, test } from 'vitest';
import { byAsking, byKey, byPerson, byRepeating, sagaOf, trip, widerTrip } from './small-sagas.js';
import { Story } from './story.js';

const undoHotel = 'send hotel:undo, attempt 1';
const undoFlight = 'send flight:undo, attempt 1';
const undoCharge = 'send charge:undo, attempt 1';
const passHotel = 'pass hotel after 30000 ms';
const passFlight = 'pass flight after 30000 ms';

const turned = new Story(trip).done('charge', 'flight', 'hotel').cancelled().turned('cancel');

describe('undos in reverse order of start', () => {
  test.each([
    ['nothing is undone', turned, [undoHotel, passHotel]],
    [
      'the first is on its way',
      turned.begun('hotel:undo'),
      ['read hotel:undo, attempt 1', passHotel],
    ],
    ['the first is done', turned.done('hotel:undo'), [undoFlight, passFlight]],
    ['the second is done', turned.done('hotel:undo', 'flight:undo'), [undoCharge]],
    [
      'all are done',
      turned.done('hotel:undo', 'flight:undo', 'charge:undo'),
      ['finish: cancelled'],
    ],
  ])('when %s', (_when, story, moves) => {
    expect(story.moves()).toEqual(moves);
  });

  test('side by side means in the order in which they were begun, not in which they ended', () => {
    const both = new Story(widerTrip).done('charge').begun('hotel', 'flight').done('flight');
    const back = both.done('hotel').cancelled().turned('cancel');
    expect(back.moves()).toEqual([undoFlight, passFlight]);
    expect(back.done('flight:undo').moves()).toEqual([undoHotel, passHotel]);
  });

  test('side by side, one that is refused waits for the outcome of the other', () => {
    const saga = new Story(widerTrip).done('charge');
    expect(saga.moves()).toEqual(['send flight, attempt 1', 'send hotel, attempt 1']);
    const back = saga.begun('flight', 'hotel').refused('flight').turned('refused');
    expect(back.moves()).toEqual(['read hotel, attempt 1', passHotel]);
    expect(back.done('hotel').moves()).toEqual([undoHotel, passHotel]);
  });

  test('side by side, nothing is undone before the others have settled, or for 30 seconds', () => {
    const both = new Story(widerTrip).done('charge').begun('flight', 'hotel').done('hotel');
    const back = both.cancelled().turned('cancel');
    expect(back.moves()).toEqual(['read flight, attempt 1', passFlight]);
    expect(back.slow('flight').moves()).toEqual([undoHotel, passHotel, 'read flight, attempt 1']);
    expect(back.done('flight').moves()).toEqual([undoHotel, passHotel]);
    const asked = both.unknown('flight').cancelled().turned('cancel');
    expect(asked.moves()).toEqual(['ask about flight', passFlight]);
    expect(asked.notThere('flight').moves()).toEqual([undoHotel, passHotel]);
  });

  test('what did not happen is passed over at once', () => {
    const story = new Story(trip).done('charge', 'flight').refused('hotel').turned('refused');
    expect(story.moves()).toEqual([undoFlight, passFlight]);
  });
});

describe('an undo that is slow', () => {
  const slow = turned.unknown('hotel:undo', { retryMs: 60_000 });

  test('lets the next one pass after 30 seconds, and goes on itself', () => {
    expect(slow.moves()).toEqual([`wait 60000 ms after line ${slow.lines.length}`, passHotel]);
    expect(slow.slow('hotel').moves()).toEqual([
      `wait 60000 ms after line ${slow.lines.length}`,
      undoFlight,
      passFlight,
    ]);
  });

  test('gives the next one the same 30 seconds, counted from its own turn', () => {
    const passed = slow.slow('hotel').begun('flight:undo');
    expect(passed.moves()).toContain(passFlight);
    expect(passed.moves()).not.toContain(undoCharge);
    expect(passed.slow('flight').moves()).toContain(undoCharge);
  });

  test('is awaited before the run ends', () => {
    const rest = slow.slow('hotel').done('flight:undo', 'charge:undo');
    expect(rest.moves()).toEqual([`wait 60000 ms after line ${slow.lines.length}`]);
    expect(rest.done('hotel:undo').moves()).toEqual(['finish: cancelled']);
  });
});

describe('an undo that waits for a person', () => {
  const stuck = turned.refused('hotel:undo').cased();

  test('lets the next one pass at once', () => {
    expect(turned.refused('hotel:undo').moves()).toContain('desk hotel:undo: undo-stuck');
    expect(stuck.moves()).toEqual([undoFlight, passFlight]);
  });

  test('keeps the run alive when all others are done', () => {
    const rest = stuck.done('flight:undo', 'charge:undo');
    expect(rest.moves()).toEqual([]);
    expect(rest.view().state).toBe('needs_reconciliation');
    expect(rest.verdict('hotel:undo', 'undone-by-hand').moves()).toEqual(['finish: cancelled']);
  });

  test('swallows no other failure: every stuck undo has a case of its own', () => {
    const all = stuck.refused('flight:undo').cased().refused('charge:undo').cased();
    expect(all.desk()).toEqual([
      'hotel:undo: undo-stuck',
      'flight:undo: undo-stuck',
      'charge:undo: undo-stuck',
    ]);
    expect(all.moves()).toEqual([]);
  });
});

describe("onStuckUndo: 'stop'", () => {
  const saga = sagaOf({
    charge: { ...byKey, undo: byKey },
    flight: { ...byAsking, undo: byRepeating, onStuckUndo: 'stop' },
    hotel: { ...byPerson, undo: byRepeating },
  });
  const back = new Story(saga).done('charge', 'flight').cancelled().turned('cancel');

  test('makes the earlier undos wait, however slow it is and whoever looks at it', () => {
    const slow = back.unknown('flight:undo').slow('flight');
    expect(slow.moves()).toEqual(['send flight:undo, attempt 2']);
    const stuck = back.refused('flight:undo').cased();
    expect(stuck.moves()).toEqual([]);
    expect(stuck.verdict('flight:undo', 'left-as-is').moves()).toEqual([undoCharge]);
  });

  test('makes them wait for its outcome too', () => {
    const unknown = new Story(saga).done('charge').unknown('flight').cancelled().turned('cancel');
    expect(unknown.slow('flight').moves()).toEqual(['ask about flight']);
    const asking = unknown.cannotTell('flight', 900_000, 1_000).cased();
    expect(asking.moves()).toEqual([`wait 1000 ms after line ${asking.lines.length - 1}`]);
    expect(asking.notThere('flight').moves()).toEqual([undoCharge]);
  });

  test('does not stop a later step, and is not stopped by one that is done', () => {
    const all = new Story(saga).done('charge', 'flight', 'hotel').cancelled().turned('cancel');
    expect(all.moves()).toEqual([undoHotel, passHotel]);
    expect(all.done('hotel:undo').moves()).toEqual([undoFlight]);
    expect(all.done('hotel:undo', 'flight:undo').moves()).toEqual([undoCharge]);
  });
});
