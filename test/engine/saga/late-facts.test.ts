import { describe, expect, test } from 'vitest';
import type { EndedAs } from '../../../src/engine/saga/journal.js';
import { movesBesideTimers } from './one-call.js';
import { byKeyAlone, byPerson, sagaOf, trip } from './small-sagas.js';
import { Story, againAs, doneAs } from './story.js';

const booked = new Story(trip).done('charge', 'flight');
const refused: EndedAs = { outcome: 'refused', code: 'sold-out' };
const contradiction = (call: string): readonly string[] => [`${call}: contradiction`];

describe('"it took effect" comes late', () => {
  test.each([
    [
      'after unknown',
      booked.unknown('hotel'),
      'hotel',
      { moves: ['send ticket, attempt 1'], desk: [] },
    ],
    [
      'after not-there, before another attempt',
      new Story(trip).done('charge').unknown('flight').notThere('flight'),
      'flight',
      { moves: ['send hotel, attempt 1'], desk: [] },
    ],
    [
      'after the run turned back because of it',
      booked.unknown('hotel').cased().verdict('hotel', 'left-as-is').turned('person'),
      'hotel',
      { moves: ['send flight:undo, attempt 1'], desk: contradiction('hotel') },
    ],
    [
      'on the way back, after not-there: it is undone too',
      new Story(trip)
        .done('charge')
        .unknown('flight')
        .notThere('flight')
        .cancelled()
        .turned('cancel'),
      'flight',
      { moves: ['send flight:undo, attempt 1'], desk: [] },
    ],
    [
      'on the way back, after a refusal that was no answer to it',
      new Story(trip)
        .done('charge')
        .unknown('flight')
        .notThere('flight')
        .refused('flight')
        .turned('refused'),
      'flight',
      { moves: ['send flight:undo, attempt 1'], desk: [] },
    ],
    [
      'against "did not happen", before another attempt: it is not sent again',
      booked.unknown('hotel').cased().verdict('hotel', 'did-not-happen'),
      'hotel',
      { moves: ['send ticket, attempt 1'], desk: contradiction('hotel') },
    ],
    [
      'against "did not happen" on the way back: it is undone',
      booked
        .unknown('hotel')
        .cancelled()
        .turned('cancel')
        .cased()
        .verdict('hotel', 'did-not-happen'),
      'hotel',
      { moves: ['send hotel:undo, attempt 1'], desk: contradiction('hotel') },
    ],
    [
      'after "happened", which it agrees with',
      booked.unknown('hotel').cased().verdict('hotel', 'happened'),
      'hotel',
      { moves: ['send ticket, attempt 1'], desk: [] },
    ],
    [
      'after "happened" with another id: the value on record may be of something else',
      booked.unknown('hotel').cased().verdict('hotel', 'happened', 'rs_mistyped'),
      'hotel',
      { moves: ['send ticket, attempt 1'], desk: contradiction('hotel') },
    ],
    [
      'for the pivot, after turning back',
      booked.done('hotel').unknown('ticket').notThere('ticket').cancelled().turned('cancel'),
      'ticket',
      { moves: ['send hotel:undo, attempt 1'], desk: contradiction('ticket') },
    ],
    [
      'for the pivot, in flight when the run turned, which no driver should allow',
      booked.done('hotel').begun('ticket').turned('deadline'),
      'ticket',
      { moves: ['send hotel:undo, attempt 1'], desk: contradiction('ticket') },
    ],
    [
      'for the pivot, when a cancel is accepted and not yet seen',
      booked.done('hotel').unknown('ticket').notThere('ticket').cancelled(),
      'ticket',
      { moves: ['turn back: cancel'], desk: contradiction('ticket') },
    ],
    [
      'for the pivot, after a refusal that has not turned the run yet',
      booked.done('hotel').unknown('ticket').notThere('ticket').refused('ticket'),
      'ticket',
      { moves: ['send receipt, attempt 1'], desk: [] },
    ],
    [
      'after the end',
      new Story(trip)
        .done('charge')
        .unknown('flight')
        .notThere('flight')
        .cancelled()
        .turned('cancel')
        .done('charge:undo')
        .finished('cancelled'),
      'flight',
      { moves: [], desk: contradiction('flight') },
    ],
  ])('%s', (_when, story, call, { moves, desk }) => {
    const told = story.late(call, 1, doneAs(`${call}-late`));
    expect(movesBesideTimers(told)).toEqual(moves);
    expect(told.desk()).toEqual(desk);
  });

  test('after the end the state of the run stays, and the verdict only closes the case', () => {
    const ended = booked.refused('hotel').turned('refused').done('flight:undo', 'charge:undo');
    const late = ended.finished('undone').late('hotel', 1, doneAs('rs_1'));
    expect(late.view()).toMatchObject({ state: 'undone', status: 'failed' });
    const noted = late.verdict('hotel', 'did-not-happen');
    expect(noted.desk()).toEqual([]);
    expect(noted.moves()).toEqual([]);
    expect(noted.view()).toMatchObject({ state: 'undone', status: 'failed' });
  });

  test('while another attempt is in flight, that one is awaited before the undo and the end', () => {
    const twice = new Story(trip).done('charge').unknown('flight').notThere('flight');
    const back = twice.begun('flight').cancelled().turned('cancel').late('flight', 1, doneAs('or'));
    expect(movesBesideTimers(back)).toEqual(['read flight, attempt 2']);
    expect(movesBesideTimers(back.again('flight'))).toEqual(['send flight:undo, attempt 1']);
    const done = twice.begun('flight').late('flight', 1, doneAs('or')).done('hotel', 'ticket');
    expect(done.done('receipt').moves()).toEqual(['read flight, attempt 2']);
  });
});

describe('a second effect', () => {
  test.each([
    ['two charges', new Story(trip).done('charge'), 'charge'],
    ['two refunds', booked.cancelled().turned('cancel').done('flight:undo'), 'flight:undo'],
    ['two charges, one of them found', new Story(trip).unknown('charge').found('charge'), 'charge'],
  ])('%s under two ids of the provider go to the desk', (_what, story, call) => {
    expect(story.late(call, 1, doneAs('another')).desk()).toEqual(contradiction(call));
  });

  test.each([
    ['the same id', 'charge-1'],
    ['no id', null],
  ])('%s shows none', (_what, id) => {
    expect(new Story(trip).done('charge').late('charge', 2, doneAs(id)).desk()).toEqual([]);
  });

  test('of what a person had denied shows itself although a later attempt counts', () => {
    const counted = booked
      .unknown('hotel')
      .cased()
      .verdict('hotel', 'did-not-happen')
      .unknown('hotel')
      .cased()
      .verdict('hotel', 'happened');
    expect(counted.late('hotel', 1, doneAs('rs_1')).desk()).toEqual(contradiction('hotel'));
    expect(counted.late('hotel', 2, doneAs('rs_2')).desk()).toEqual([]);
  });
});

describe('"it did not happen" comes late', () => {
  test.each([
    ['refused', refused],
    ['again', againAs({})],
  ])('%s after "happened" goes to the desk', (_outcome, late) => {
    const happened = booked.unknown('hotel').cased().verdict('hotel', 'happened');
    expect(happened.late('hotel', 1, late).desk()).toEqual(contradiction('hotel'));
  });

  test('after "happened" the last attempt that could have happened is denied', () => {
    const once = booked.again('hotel').unknown('hotel').cased().verdict('hotel', 'happened');
    expect(once.late('hotel', 2, refused).desk()).toEqual(contradiction('hotel'));
    const saga = sagaOf({ charge: { ...byKeyAlone, retry: { attempts: 2 } } });
    const lost = new Story(saga).unknown('charge').unknown('charge').cased();
    const first = lost.verdict('charge', 'happened').late('charge', 1, refused);
    expect(first.desk()).toEqual([]);
    expect(first.late('charge', 2, refused).desk()).toEqual(contradiction('charge'));
  });

  test('a refusal of the only unknown attempt is the outcome of the step', () => {
    const told = booked.unknown('hotel').cased().late('hotel', 1, refused);
    expect(told.moves()).toEqual(['turn back: refused']);
    expect(told.desk()).toEqual([]);
  });

  test('an attempt that certainly did nothing is sent again', () => {
    const told = booked.unknown('hotel').cased().late('hotel', 1, againAs({}));
    expect(told.moves()).toEqual(['send hotel, attempt 2']);
    expect(told.desk()).toEqual([]);
  });

  test('a refusal of one unknown attempt says nothing about another', () => {
    const saga = sagaOf({ charge: byKeyAlone, hotel: byPerson });
    const twice = new Story(saga).unknown('charge').unknown('charge');
    expect(twice.late('charge', 1, refused).moves()).toEqual(['send charge, attempt 3']);
    expect(twice.late('charge', 2, refused).moves()).toEqual(['desk charge: unknown-outcome']);
    expect(twice.late('charge', 1, refused).late('charge', 2, refused).moves()).toEqual([
      'turn back: refused',
    ]);
  });

  test('what a person has denied already does not turn the run', () => {
    const anew = booked.unknown('hotel').cased().verdict('hotel', 'did-not-happen');
    expect(anew.late('hotel', 1, refused).moves()).toEqual(['send hotel, attempt 2']);
  });

  test('a fact about an attempt that was counted before uses up nothing more', () => {
    const plan = { ...byPerson, retry: { attempts: 2 } };
    const told = new Story(sagaOf({ hotel: plan })).unknown('hotel').late('hotel', 1, againAs({}));
    expect(told.moves()).toEqual(['send hotel, attempt 2']);
    expect(told.again('hotel').moves()).toEqual(['turn back: refused']);
  });
});

describe('an answer that comes late', () => {
  const asking = new Story(trip).done('charge').unknown('flight');

  test('says nothing when another attempt is in flight, but for what was found', () => {
    const sent = asking.notThere('flight').begun('flight');
    expect(sent.notThere('flight').moves()).toEqual(['read flight, attempt 2']);
    expect(sent.cannotTell('flight').moves()).toEqual(['read flight, attempt 2']);
    expect(sent.differs('flight').moves()).toEqual(['read flight, attempt 2']);
    expect(sent.found('flight').moves()).toEqual(['send hotel, attempt 1']);
  });

  test('says nothing once it is known what happened', () => {
    const done = asking.late('flight', 1, doneAs('or_1'));
    expect(done.notThere('flight').moves()).toEqual(['send hotel, attempt 1']);
    expect(done.keyExpired('flight').moves()).toEqual(['send hotel, attempt 1']);
  });
});
