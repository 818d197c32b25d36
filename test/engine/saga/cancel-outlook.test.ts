import { describe, expect, test } from 'vitest';
import {
  cancelOutlook,
  comesToTheSame,
  quotedOf,
  type Held,
} from '../../../src/engine/saga/cancel-outlook.js';
import { foldJournal } from '../../../src/engine/saga/run-state.js';
import { sagaOf, trip } from './small-sagas.js';
import { Story } from './story.js';

const start = new Story(trip);
const paid = start.done('charge');
const booked = start.done('charge', 'flight', 'hotel');
const kept = new Story(sagaOf({ charge: { whenUnknown: 'ask-person' } }));

const outlook = (story: Story) => cancelOutlook(foldJournal(story.saga, story.lines), story.ticks);

/** In a line: what is undone (`?`: if it took effect), what stays and why, and how it ends. */
function told(story: Story): string {
  const { undone, stays, ends } = outlook(story);
  const steps = undone.map(({ step, isKnown }) => `${step}${isKnown ? '' : '?'}`);
  const left = stays.map(({ step, why }) => `${step} stays (${why})`);
  return [...steps, ...left, ends ?? 'a person'].join(', ');
}

describe('a cancel that came now would come to', () => {
  test.each<[string, Story, string]>([
    ['nothing has begun', start, 'cancelled'],
    ['a step took effect', paid, 'charge, cancelled'],
    ['a step certainly did not', paid.again('flight'), 'charge, cancelled'],
    ['a call is on its way', paid.begun('flight'), 'charge, flight?, cancelled'],
    ['nobody knows, and it can be asked', paid.unknown('flight'), 'charge, flight?, cancelled'],
    ['everything before the pivot did', booked, 'charge, flight, hotel, cancelled'],
    [
      'only a person can know',
      start.done('charge', 'flight').unknown('hotel').cased(),
      'charge, flight, hotel stays (unknown-outcome), a person',
    ],
    ['a step has no undo', kept.done('charge'), 'charge stays (has-no-undo), cancelled'],
    ['it is cancelled already', paid.cancelled(), 'charge, cancelled'],
    [
      'it has turned back for another reason',
      paid.refused('flight').turned('refused'),
      'charge, undone',
    ],
    [
      'half of it is undone',
      start.done('charge', 'flight').refused('hotel').turned('refused').done('flight:undo'),
      'charge, flight, undone',
    ],
  ])('if %s', (_when, story, expected) => {
    expect(told(story)).toBe(expected);
  });
});

const quoted = (story: Story, held: Readonly<Record<string, Held>> = {}) =>
  quotedOf(outlook(story), new Map(Object.entries(held)));

describe('what a provider holds makes a quote surer', () => {
  const flying = paid.begun('flight');
  test.each<[string, Readonly<Record<string, Held>>, string]>([
    ['there: it will be undone', { flight: 'there' }, 'will'],
    ['not there: it will not', { flight: 'not-there' }, 'not'],
    ['not asked: it may be', {}, 'may'],
  ])('%s', (_what, held, undone) => {
    expect(quoted(flying, held).steps).toEqual([
      { step: 'charge', undone: 'will' },
      { step: 'flight', undone },
    ]);
  });

  test('of what is on record nothing is taken back', () => {
    expect(quoted(paid, { charge: 'not-there' }).steps).toEqual([
      { step: 'charge', undone: 'will' },
    ]);
  });
});

describe('a quote still holds', () => {
  const flying = paid.begun('flight');
  test.each<[boolean, string, Story, Readonly<Record<string, Held>>, Story]>([
    [true, 'when nothing has happened', paid, {}, paid],
    [true, 'when it was cancelled meanwhile', paid, {}, paid.cancelled()],
    [true, 'when a try came to nothing', paid, {}, paid.again('flight')],
    [true, 'when a person changed nothing', booked, {}, booked],
    [false, 'when a step has begun', paid, {}, flying],
    [false, 'when a step took effect', paid, {}, paid.done('flight')],
    [
      false,
      'when it has turned back, and fails',
      paid,
      {},
      paid.refused('flight').turned('refused'),
    ],
    [false, 'when a person is needed', paid, {}, paid.unknown('hotel').cased()],
    [true, 'when what might happen did', flying, {}, flying.done('flight')],
    [true, 'when what might happen did not', flying, {}, flying.again('flight')],
    [
      true,
      'when the record has learned what its provider said',
      flying,
      { flight: 'there' },
      flying.done('flight'),
    ],
    [true, 'when the record does not know it yet', flying, { flight: 'there' }, flying],
    [
      false,
      'when the record contradicts that it is there',
      flying,
      { flight: 'there' },
      flying.again('flight'),
    ],
    [
      true,
      'when the record does not know yet that it is not there',
      flying,
      { flight: 'not-there' },
      flying,
    ],
    [
      false,
      'when the record contradicts that it is not',
      flying,
      { flight: 'not-there' },
      flying.done('flight'),
    ],
    [false, 'when a person has found out', paid.unknown('hotel').cased(), {}, paid],
  ])('%s: %s', (holds, _when, then, held, now) => {
    expect(comesToTheSame(quoted(then, held), outlook(now))).toBe(holds);
  });
});
