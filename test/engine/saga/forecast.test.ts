import { describe, expect, test } from 'vitest';
import { sayExpected } from '../../../src/engine/runs/say-expected.js';
import { forecast } from '../../../src/engine/saga/forecast.js';
import { movesOf } from '../../../src/engine/saga/next-moves.js';
import { foldJournal } from '../../../src/engine/saga/run-state.js';
import { byKeyAlone, hurriedTrip, sagaOf, trip, widerTrip } from './small-sagas.js';
import { Story, doneAs } from './story.js';

const start = new Story(trip);
const booked = start.done('charge', 'flight');
const back = (story: Story) => story.cancelled();

/** What is expected of a run, as a person is told it. */
function told(story: Story): readonly string[] {
  const expected = forecast(foldJournal(story.saga, story.lines), story.ticks);
  return expected.map((one) => `${one.turn} ${sayExpected(story.saga, one)}`);
}

describe('what is expected', () => {
  test.each<[string, Story, readonly string[]]>([
    [
      'of a run that goes on',
      booked,
      [
        '1 send hotel (hotel at mute)',
        '2 send ticket (ticket at askable)',
        '3 send receipt (receipt at mute)',
        '4 end as completed',
      ],
    ],
    [
      'of a cancel while nothing is on its way: the undos, in their order',
      back(booked.done('hotel')),
      [
        '1 turn back, because it was cancelled',
        '2 undo hotel (undo-hotel at mute)',
        '3 undo flight (undo-flight at askable)',
        '4 undo charge (undo-charge at keyed)',
        '5 end as cancelled',
      ],
    ],
    [
      'of a cancel while a call is on its way: it is awaited first',
      back(booked.begun('hotel')),
      [
        '1 turn back, because it was cancelled',
        '2 await the outcome of hotel, which is on its way',
        '3 undo hotel (undo-hotel at mute), if it took effect',
        '4 undo flight (undo-flight at askable)',
        '5 undo charge (undo-charge at keyed)',
        '6 end as cancelled',
      ],
    ],
    [
      'of a cancel while nobody knows: the provider is asked',
      back(start.done('charge').unknown('flight')),
      [
        '1 turn back, because it was cancelled',
        '2 ask askable whether flight took effect',
        '3 undo flight (undo-flight at askable), if it took effect',
        '4 undo charge (undo-charge at keyed)',
        '5 end as cancelled',
      ],
    ],
    [
      'of a cancel while only a person can know: the others are undone, and it waits',
      back(booked.unknown('hotel').cased()),
      [
        '1 turn back, because it was cancelled',
        '2 undo flight (undo-flight at askable)',
        '3 undo charge (undo-charge at keyed)',
        '4 a person decides about hotel: nobody can say whether it took effect',
      ],
    ],
    [
      'of what will come to the desk',
      booked.unknown('hotel'),
      ['1 a person decides about hotel: nobody can say whether it took effect'],
    ],
    [
      'of a cancel while a key can be sent again: it is, to learn',
      back(new Story(sagaOf({ charge: { ...byKeyAlone, undo: byKeyAlone } })).unknown('charge')),
      [
        '1 turn back, because it was cancelled',
        '2 send charge again under the same key, to learn whether it took effect',
        '3 undo charge (undo-charge at keyed), if it took effect',
        '4 end as cancelled',
      ],
    ],
    [
      'of a run that waits for its next try',
      booked.again('hotel', { retryMs: 299_001 }),
      [
        '1 wait for the next try of hotel, at most 300 s',
        '2 send hotel (hotel at mute), attempt 2',
        '3 send ticket (ticket at askable)',
        '4 send receipt (receipt at mute)',
        '5 end as completed',
      ],
    ],
    [
      'of a run that waits for its next question',
      start.done('charge').unknown('flight').cannotTell('flight', 0, 500).cancelled(),
      [
        '1 turn back, because it was cancelled',
        '2 wait for the next try of flight, at most 500 ms',
        '3 ask askable whether flight took effect',
        '4 undo flight (undo-flight at askable), if it took effect',
        '5 undo charge (undo-charge at keyed)',
        '6 end as cancelled',
      ],
    ],
    [
      'of steps side by side: they have the same turn',
      new Story(widerTrip).done('charge'),
      [
        '1 send flight (flight at askable)',
        '1 send hotel (hotel at mute)',
        '2 send ticket (ticket at askable)',
        '3 send receipt (receipt at mute)',
        '4 end as completed',
      ],
    ],
    [
      'of a run whose deadline has passed',
      new Story(hurriedTrip).done('charge').again('flight', { retryMs: 9_000 }).deadlinePassed(),
      [
        '1 turn back, because its deadline has passed',
        '2 undo charge (undo-charge at keyed)',
        '3 end as undone',
      ],
    ],
    [
      'of an undo that goes on beside its case',
      back(booked).turned('cancel').again('flight:undo', { tryingMs: 900_000 }).cased(),
      [
        '1 undo flight (undo-flight at askable), attempt 2',
        '1 undo charge (undo-charge at keyed)',
        '2 end as cancelled',
      ],
    ],
    [
      'while a contradiction lies on the desk: it does not end',
      booked.late('flight', 1, doneAs('another')).cancelled(),
      [
        '1 turn back, because it was cancelled',
        '2 undo flight (undo-flight at askable)',
        '3 undo charge (undo-charge at keyed)',
        '4 a person decides about flight: a fact contradicts what was decided',
      ],
    ],
    ['of a run that has ended', start.refused('charge').turned('refused').finished('undone'), []],
  ])('%s', (_what, story, expected) => {
    expect(told(story)).toEqual(expected);
  });

  test('nothing is changed by looking ahead', () => {
    const run = foldJournal(trip, booked.lines);
    forecast(run, []);
    expect(run).toEqual(foldJournal(trip, booked.lines));
    expect(movesOf(run, [])).toHaveLength(1);
  });

  test('a case that lies on the desk is named by its id', () => {
    const story = booked.unknown('hotel').cased();
    const [id] = [...foldJournal(trip, story.lines).openCases.keys()];
    expect(forecast(foldJournal(trip, story.lines), [])).toEqual([
      {
        turn: 1,
        kind: 'person',
        step: 'hotel',
        direction: 'do',
        problem: 'unknown-outcome',
        case: id,
      },
    ]);
  });
});
