import { describe, expect, test } from 'vitest';
import { movesBesideTimers } from './one-call.js';
import {
  byAsking,
  byKey,
  byKeyAlone,
  byPerson,
  byRepeating,
  roundTrip,
  sagaOf,
  trip,
} from './small-sagas.js';
import { Story } from './story.js';

const start = new Story(trip);

describe('how long a call is tried', () => {
  const within = { withinMs: 60_000 };

  test('no attempt begins later than withinMs after the first', () => {
    const story = new Story(sagaOf({ room: { ...byPerson, retry: within } }));
    expect(story.again('room', { tryingMs: 50_000, retryMs: 9_000 }).moves()).toEqual([
      'wait 9000 ms after line 2',
    ]);
    expect(story.again('room', { tryingMs: 50_000, retryMs: 10_001 }).moves()).toEqual([
      'turn back: refused',
    ]);
  });

  test('after a verdict withinMs is counted anew', () => {
    const story = new Story(sagaOf({ room: { ...byPerson, retry: within } }));
    const decided = story.unknown('room', { tryingMs: 10_000 }).cased();
    const anew = decided.verdict('room', 'did-not-happen');
    const hour = 3_600_000;
    expect(anew.again('room', { tryingMs: hour }).moves()).toEqual(['send room, attempt 3']);
    const tired = anew.again('room', { tryingMs: hour }).again('room', { tryingMs: hour + 60_001 });
    expect(tired.moves()).toEqual(['turn back: refused']);
  });

  test('after a verdict the attempts are counted anew', () => {
    const plan = { ...byPerson, retry: { attempts: 2 } };
    const story = new Story(sagaOf({ room: plan })).again('room').unknown('room').cased();
    const anew = story.verdict('room', 'did-not-happen').again('room');
    expect(anew.moves()).toEqual(['send room, attempt 4']);
  });

  test('what was not even sent uses up no attempt', () => {
    const story = start.many(50, (told) => told.again('charge', { counts: false }));
    expect(story.moves()).toEqual(['send charge, attempt 51']);
    expect(story.many(5, (told) => told.again('charge')).moves()).toEqual(['turn back: refused']);
  });

  test('a key is sent again until it is used up, then the provider is asked', () => {
    const lost = start.many(5, (told) => told.unknown('charge'));
    expect(lost.moves()).toEqual(['ask about charge']);
    const saga = sagaOf({ charge: byKeyAlone });
    const alone = new Story(saga).many(5, (told) => told.unknown('charge'));
    expect(alone.moves()).toEqual(['desk charge: unknown-outcome']);
    expect(alone.cased().moves()).toEqual([]);
  });
});

describe('how long an undo is tried', () => {
  test('the same key is sent again for as long as it takes, if its author says nothing', () => {
    const saga = sagaOf({ charge: { ...byKey, undo: byKeyAlone }, room: byPerson });
    const turned = new Story(saga).done('charge').refused('room').turned('refused');
    const lost = turned.many(50, (told) => told.unknown('charge:undo'));
    expect(lost.moves()).toEqual(['send charge:undo, attempt 51']);
  });
});

describe('how long is waited', () => {
  test('the next attempt comes when its time has come, and not before', () => {
    const story = start.again('charge', { retryMs: 200 });
    const { seq: of } = story.lines.at(-1) ?? { seq: 0 };
    expect(story.moves()).toEqual([`wait 200 ms after line ${of}`]);
    expect(story.ticked({ kind: 'due', of }).moves()).toEqual(['send charge, attempt 2']);
    expect(story.ticked({ kind: 'due', of: of - 1 }).moves()).toEqual(story.moves());
  });

  test('the next question comes when its time has come', () => {
    const story = start.done('charge').unknown('flight').cannotTell('flight', 0, 5_000);
    const of = story.lines.length;
    expect(story.moves()).toEqual([`wait 5000 ms after line ${of}`]);
    expect(story.ticked({ kind: 'due', of }).moves()).toEqual(['ask about flight']);
  });

  test('a verdict is acted on at once', () => {
    const story = start.done('charge', 'flight').unknown('hotel', { retryMs: 9_000 }).cased();
    expect(story.verdict('hotel', 'did-not-happen').moves()).toEqual(['send hotel, attempt 2']);
  });
});

describe('what goes on while somebody else decides', () => {
  test('a question is asked on while it lies on the desk', () => {
    const asking = start.done('charge').unknown('flight').cannotTell('flight', 900_000);
    expect(asking.moves()).toEqual(['desk flight: unknown-outcome', 'ask about flight']);
    expect(asking.cased().moves()).toEqual(['ask about flight']);
    const answered = asking.cased().found('flight');
    expect(answered.desk()).toEqual([]);
    expect(answered.moves()).toEqual(['send hotel, attempt 1']);
  });

  test('a case of one step does not hold up the undos of the others', () => {
    const lost = start.done('charge', 'flight').unknown('hotel').cancelled().turned('cancel');
    expect(movesBesideTimers(lost.cased())).toEqual(['send flight:undo, attempt 1']);
    const rest = lost.cased().done('flight:undo', 'charge:undo');
    expect(rest.moves()).toEqual([]);
    expect(rest.verdict('hotel', 'happened').moves()).toEqual(['send hotel:undo, attempt 1']);
  });

  test('a case of a step beside it does not stop a step on its way', () => {
    const saga = sagaOf({
      flight: { ...byAsking, undo: byRepeating, group: 0 },
      hotel: { ...byPerson, undo: byRepeating, group: 0 },
      ticket: { ...byPerson, place: 'pivot' },
    });
    const story = new Story(saga).unknown('hotel').cased();
    expect(story.moves()).toEqual(['send flight, attempt 1']);
    expect(story.done('flight').moves()).toEqual([]);
  });
});

describe('a saga without a pivot', () => {
  const booked = new Story(roundTrip).done('charge', 'flight', 'hotel');

  test('completes when all is done', () => {
    expect(booked.moves()).toEqual(['finish: completed']);
    expect(booked.view().status).toBe('pending');
    expect(booked.finished('completed').view().status).toBe('confirmed');
  });

  test('can be cancelled until it has ended', () => {
    expect(booked.cancelAnswer()).toBe('accepted');
    expect(booked.cancelled().moves()).toEqual(['turn back: cancel']);
    expect(booked.finished('completed').cancelAnswer()).toBe('already-ended');
  });

  test('completes although the deadline has passed, when everything was done before', () => {
    expect(booked.deadlinePassed().moves()).toEqual(['finish: completed']);
  });

  test('with a verdict that leaves a step turns back, as any other', () => {
    const left = new Story(roundTrip).done('charge').unknown('flight').differs('flight').cased();
    expect(left.verdict('flight', 'left-as-is').moves()).toEqual(['turn back: person']);
  });
});

describe('a driver that has lost its memory', () => {
  test('is told the same by the same journal, and is sent to read what is in flight', () => {
    const story = start.done('charge').begun('flight');
    expect(story.moves()).toEqual(['read flight, attempt 1']);
    expect(story.moves()).toEqual(story.moves());
  });

  test('has nothing to do once the run has ended', () => {
    const ended = start.refused('charge').turned('refused').finished('undone');
    expect(ended.moves()).toEqual([]);
    expect(ended.deadlinePassed().moves()).toEqual([]);
  });
});
