import { describe, expect, test } from 'vitest';
import { plain, tableUnder } from '../../support/document.js';
import { roundTrip, trip } from './small-sagas.js';
import { Story } from './story.js';
import { expectSameRows, meaningOf, page } from './tables.js';

const start = new Story(trip);
const booked = start.done('charge', 'flight', 'hotel');
const ticketed = booked.done('ticket');
const cancelled = booked.cancelled().turned('cancel');
const soldOut = start.done('charge').refused('flight').turned('refused');

const moments: Readonly<Record<string, readonly Story[]>> = {
  'forward, and the pivot is not on its way': [
    start,
    start.begun('charge'),
    start.unknown('charge'),
    start.done('charge').refused('flight'),
    booked,
    booked.again('ticket'),
    booked.unknown('ticket').notThere('ticket'),
    booked.refused('ticket'),
    new Story(roundTrip).done('charge', 'flight', 'hotel'),
  ],
  'it was cancelled before': [booked.cancelled(), start.begun('charge').cancelled(), cancelled],
  'it has turned back already': [soldOut, soldOut.begun('charge:undo')],
  'it ended as cancelled': [start.cancelled().turned('cancel').finished('cancelled')],
  'the pivot is on its way': [
    booked.begun('ticket'),
    booked.unknown('ticket'),
    booked.unknown('ticket').again('ticket'),
    booked.unknown('ticket').refused('ticket'),
    booked.unknown('ticket').begun('ticket'),
    booked.unknown('ticket').cannotTell('ticket', 900_000).cased(),
  ],
  'the pivot took effect': [
    ticketed,
    ticketed.refused('receipt').cased(),
    ticketed.done('receipt').finished('completed'),
    ticketed.refused('receipt').cased().verdict('receipt', 'left-as-is').finished('closed_by_hand'),
  ],
  'it ended otherwise': [
    soldOut.done('charge:undo').finished('undone'),
    new Story(roundTrip).done('charge', 'flight', 'hotel').finished('completed'),
    start.done('charge').turned('person').finished('closed_by_hand'),
  ],
};

const thens: Readonly<Record<string, readonly string[]>> = {
  'the run turns back, and ends cancelled': ['accepted'],
  'nothing changes': ['unchanged', 'pivot-in-progress', 'past-pivot', 'already-ended'],
};

/** The words of the API for what the kernel answers. */
function inHttp(answer: string): string {
  return answer === 'accepted' || answer === 'unchanged' ? '202' : `409 ${answer}`;
}

describe('a cancel', () => {
  const { rows } = tableUnder(page, 'A cancel');

  test('the page and the tests know the same moments', () => {
    expectSameRows(rows, moments);
  });

  test.each(rows)('%s: %s, %s', (row, answer = '', then = '') => {
    for (const story of meaningOf(moments, row)) {
      const given = story.cancelAnswer();
      expect(inHttp(given)).toBe(plain(answer));
      expect(meaningOf(thens, then)).toContain(given);
    }
  });

  test('an accepted one turns the run back at whatever point it comes', () => {
    for (const story of meaningOf(moments, 'forward, and the pivot is not on its way')) {
      expect(story.cancelled().moves()).toEqual(['turn back: cancel']);
    }
  });

  test('it is kept although the step on its way is done after it', () => {
    const onItsWay = start.done('charge', 'flight').begun('hotel').cancelled();
    expect(onItsWay.done('hotel').moves()).toEqual(['turn back: cancel']);
  });

  test('it wins over the deadline and over a refusal that are seen at the same time', () => {
    const both = start.done('charge').refused('flight').cancelled().deadlinePassed();
    expect(both.moves()).toEqual(['turn back: cancel']);
  });
});
