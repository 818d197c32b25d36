import { describe, expect, test } from 'vitest';
import { answerAbandon, answerRetry, factsOfAbandoning } from '../../../src/engine/saga/actions.js';
import { remainsAs } from '../../../src/engine/saga/remains.js';
import { foldJournal } from '../../../src/engine/saga/run-state.js';
import { plain, tablesUnder } from '../../support/document.js';
import { movesBesideTimers } from './one-call.js';
import { byKeyAlone, byPerson, byRepeating, sagaOf, trip } from './small-sagas.js';
import { Story, againAs, doneAs } from './story.js';
import { expectSameRows, meaningOf, page } from './tables.js';

const HOUR = 3_600_000;
const start = new Story(trip);
const booked = start.done('charge', 'flight');
const roomed = booked.done('hotel');
const ticketed = roomed.done('ticket');
const back = booked.cancelled().turned('cancel');

const runOf = (story: Story) => foldJournal(story.saga, story.lines);
const retried = (story: Story) => story.add({ kind: 'retried', by: 'operator' });
const abandoned = (story: Story) =>
  factsOfAbandoning(runOf(story)).reduce<Story>((told, fact) => told.add(fact), story);

/** The words of the API for what the kernel answers. */
const inHttp = (answer: string) => (answer === 'accepted' ? '200' : `409 ${answer}`);

describe('retry now', () => {
  const [ofCalls, ofAnswers] = tablesUnder(page, 'Retry now');
  const keyed = new Story(
    sagaOf({ charge: { ...byKeyAlone, undo: byRepeating }, hotel: byPerson }),
  );
  const learning = keyed.unknown('charge', { retryMs: 9_000 }).cancelled().turned('cancel');
  /** A story, and what is done next once somebody has said "now". */
  const calls: Readonly<Record<string, readonly (readonly [Story, readonly string[]])[]>> = {
    'waits before its next attempt': [
      [start.again('charge', { retryMs: 9_000 }), ['send charge, attempt 2']],
      [start.unknown('charge', { retryMs: 9_000 }), ['send charge, attempt 2']],
      [
        booked.unknown('hotel').cased().verdict('hotel', 'did-not-happen').again('hotel', {
          retryMs: 300_000,
        }),
        ['send hotel, attempt 3'],
      ],
      [back.again('flight:undo', { retryMs: 9_000 }), ['send flight:undo, attempt 2']],
      [ticketed.again('receipt', { retryMs: 9_000 }), ['send receipt, attempt 2']],
    ],
    'waits before it is sent again to learn': [[learning, ['send charge, attempt 2']]],
    'waits before the next question': [
      [start.done('charge').unknown('flight').cannotTell('flight', 0, HOUR), ['ask about flight']],
    ],
    'waits beside a case': [
      [
        back.again('flight:undo', { tryingMs: HOUR, retryMs: 300_000 }).cased(),
        ['send flight:undo, attempt 2', 'send charge:undo, attempt 1'],
      ],
    ],
    'is used up, and on the desk': [
      [ticketed.many(5, (told) => told.again('receipt', { retryMs: 9_000 })).cased(), []],
    ],
    'was refused, and is on the desk': [
      [ticketed.refused('receipt').cased(), []],
      [back.refused('flight:undo').cased().done('charge:undo'), []],
    ],
    'is unknown, and a person must say': [
      [booked.unknown('hotel', { retryMs: 9_000 }).cased(), []],
    ],
    'is in flight': [
      [start.again('charge', { retryMs: 9_000 }).begun('charge'), ['read charge, attempt 2']],
    ],
    'waits for the undo of a later step': [
      [back.begun('flight:undo'), ['read flight:undo, attempt 1']],
    ],
  };

  test('the page and the tests know the same calls', () => {
    expectSameRows(ofCalls?.rows ?? [], calls);
  });

  test.each(ofCalls?.rows ?? [])('a call that %s: %s', (row, then = '') => {
    for (const [story, moves] of meaningOf(calls, row)) {
      const told = retried(story);
      expect(movesBesideTimers(told)).toEqual(moves);
      expect(told.desk()).toEqual(story.desk());
      const isTheSame = plain(then) === 'nothing changes';
      expect(told.moves().join() === story.moves().join()).toBe(isTheSame);
    }
  });

  const answers: Readonly<Record<string, readonly Story[]>> = {
    'something waits for its time': [
      start.again('charge', { retryMs: 9_000 }),
      back.again('flight:undo', { tryingMs: HOUR, retryMs: 300_000 }).cased(),
    ],
    'nothing waits for its time': [
      start,
      booked.begun('hotel'),
      booked.unknown('hotel').cased(),
      retried(start.again('charge', { retryMs: 9_000 })),
      start.again('charge', { retryMs: 9_000 }).cancelled(),
    ],
    'the deadline has passed, and the run is about to turn back': [
      start.again('charge', { retryMs: 9_000 }).deadlinePassed(),
    ],
    'it has ended': [ticketed.done('receipt').finished('completed')],
  };

  test('the page and the tests know the same answers', () => {
    expectSameRows(ofAnswers?.rows ?? [], answers);
  });

  test.each(ofAnswers?.rows ?? [])('%s: %s', (row, answer = '') => {
    for (const story of meaningOf(answers, row)) {
      expect(inHttp(answerRetry(runOf(story), story.ticks))).toBe(plain(answer));
    }
  });

  test('no attempt is given back: the last one that the policy allows is the last', () => {
    const four = start.many(4, (told) => told.again('charge', { retryMs: 9_000 }));
    expect(retried(four).moves()).toEqual(['send charge, attempt 5']);
    expect(retried(four).again('charge').moves()).toEqual(['turn back: refused']);
  });

  test('no patience begins anew', () => {
    const tired = back.again('flight:undo', { tryingMs: HOUR, retryMs: 9_000 });
    expect(retried(tired).cased().desk()).toEqual(['flight:undo: undo-stuck']);
  });
});

describe('abandon', () => {
  const [ofCalls, ofSteps, ofAnswers] = tablesUnder(page, 'Abandon');
  const words: Readonly<Record<string, readonly string[]>> = {
    nothing: [],
    'it was not undone': ['undo not-undone'],
    'it may not have been undone': ['undo unknown'],
    'it may have taken effect': ['do unknown'],
    'it may have taken effect, and was not undone': ['do unknown', 'undo not-undone'],
    'it was not done': ['do not-done'],
  };
  const silent = sagaOf({ note: byPerson, charge: { ...byKeyAlone, undo: byKeyAlone } });
  const missable = { whenUnknown: 'prefer-miss', place: 'after-pivot' } as const;
  const told = new Story(sagaOf({ ticket: { ...byPerson, place: 'pivot' }, receipt: missable }));

  const calls: Readonly<Record<string, readonly (readonly [Story, string])[]>> = {
    'not begun': [
      [start, 'charge'],
      [booked, 'ticket'],
    ],
    'waits, and has certainly not happened': [[booked.again('hotel'), 'hotel']],
    refused: [
      [booked.refused('hotel'), 'hotel'],
      [booked.refused('hotel').turned('refused'), 'hotel'],
    ],
    'done, and has nothing to undo': [[new Story(silent).done('note'), 'note']],
    'done, and was undone': [[back.done('flight:undo'), 'flight']],
    'done, and its undo was not begun': [
      [booked, 'flight'],
      [back, 'charge'],
      [roomed.unknown('ticket'), 'charge'],
    ],
    'done, and its undo waits': [[back.again('flight:undo'), 'flight']],
    'done, and its undo was refused': [[back.refused('flight:undo').cased(), 'flight']],
    'done, and its undo is unknown or in flight': [
      [back.begun('flight:undo'), 'flight'],
      [start.done('charge').cancelled().turned('cancel').unknown('charge:undo'), 'charge'],
    ],
    'unknown or in flight': [
      [booked.unknown('hotel').cased(), 'hotel'],
      [booked.begun('hotel'), 'hotel'],
      [roomed.begun('ticket'), 'ticket'],
      [booked.unknown('hotel').cancelled().turned('cancel'), 'hotel'],
    ],
    'done, and another attempt of it is in flight': [
      [
        start
          .done('charge')
          .unknown('flight')
          .notThere('flight')
          .begun('flight')
          .late(...(['flight', 1, doneAs('or_1')] as const)),
        'flight',
      ],
    ],
    'undone by hand': [
      [booked.unknown('hotel').cased().verdict('hotel', 'undone-by-hand'), 'hotel'],
      [back.refused('flight:undo').cased().verdict('flight:undo', 'undone-by-hand'), 'flight'],
    ],
    'left as it is': [[booked.unknown('hotel').cased().verdict('hotel', 'left-as-is'), 'hotel']],
  };
  const steps: Readonly<Record<string, readonly (readonly [Story, string])[]>> = {
    done: [[ticketed.done('receipt'), 'receipt']],
    'let go, as its author chose': [[told.done('ticket').unknown('receipt'), 'receipt']],
    'not begun': [[ticketed, 'receipt']],
    'waits, and has certainly not happened': [[ticketed.again('receipt'), 'receipt']],
    refused: [[ticketed.refused('receipt').cased(), 'receipt']],
    'unknown or in flight': [
      [ticketed.begun('receipt'), 'receipt'],
      [ticketed.unknown('receipt'), 'receipt'],
    ],
  };

  function remaining(story: Story, step: string): readonly string[] {
    const of = story.view().remains.filter((one) => one.step === step);
    return of.map(({ direction, what }) => `${direction} ${what}`);
  }

  test('the page and the tests know the same calls', () => {
    expectSameRows(ofCalls?.rows ?? [], calls);
    expectSameRows(ofSteps?.rows ?? [], steps);
  });

  test.each(ofCalls?.rows ?? [])('of a call that is %s remains: %s', (row, remains = '') => {
    for (const [story, step] of meaningOf(calls, row)) {
      expect(remaining(abandoned(story), step)).toEqual(meaningOf(words, remains));
    }
  });

  test.each(ofSteps?.rows ?? [])('of a step past the pivot that is %s: %s', (row, remains = '') => {
    for (const [story, step] of meaningOf(steps, row)) {
      const ended = abandoned(story);
      expect(remaining(ended, step)).toEqual(meaningOf(words, remains));
      expect(ended.view()).toMatchObject({ state: 'closed_by_hand', status: 'confirmed' });
      const others = ended.view().remains.filter((one) => one.step !== step);
      expect(others).toEqual([]);
    }
  });

  const everywhere = [...Object.values(calls), ...Object.values(steps)].flat();

  test('whatever the run was doing, it has ended, and nothing is to be done or decided', () => {
    for (const [story] of everywhere) {
      const ended = abandoned(story);
      expect(ended.moves()).toEqual([]);
      expect(ended.desk()).toEqual([]);
      expect(ended.view().state).toBe('closed_by_hand');
      const open = ended.view().steps.filter((step) => /in_progress|waiting/.test(step.state));
      expect(open).toEqual([]);
    }
  });

  test('before the pivot the customer sees it closed, and why it failed', () => {
    expect(abandoned(booked.again('hotel')).view()).toMatchObject({
      status: 'closed',
      failure: { code: 'closed-by-hand', step: 'hotel' },
    });
    const refused = booked.refused('hotel').turned('refused');
    expect(abandoned(refused).view()).toMatchObject({
      status: 'closed',
      failure: { code: 'sold-out', step: 'hotel' },
    });
    expect(abandoned(back).view()).toMatchObject({ status: 'closed', failure: null });
    expect(abandoned(ticketed).view().failure).toBe(null);
  });

  test('what was not undone is shown as left, and what was undone as done', () => {
    const story = abandoned(roomed.cancelled().turned('cancel').done('hotel:undo'));
    expect(story.view().steps.map(({ name, undo }) => `${name} ${undo}`)).toEqual([
      'charge left',
      'flight left',
      'hotel done',
      'ticket not_owed',
      'receipt not_owed',
    ]);
  });

  test('a call that took effect after all opens a case, and the run stays closed', () => {
    const late = abandoned(booked.begun('hotel')).late('hotel', 1, doneAs('rs_1'));
    expect(late.desk()).toEqual(['hotel: contradiction']);
    expect(late.view()).toMatchObject({ state: 'closed_by_hand', status: 'closed' });
    expect(late.verdict('hotel', 'undone-by-hand').desk()).toEqual([]);
  });

  test('a call that did nothing after all opens none', () => {
    const ended = abandoned(booked.begun('hotel'));
    expect(ended.late('hotel', 1, againAs({})).desk()).toEqual([]);
  });

  const answers: Readonly<Record<string, readonly (readonly [Story, boolean])[]>> = {
    'no call can be sent any more': [
      [start, false],
      [booked.begun('hotel'), false],
      [ticketed.refused('receipt').cased(), false],
      [booked.cancelled(), false],
    ],
    'a call may still be sent': [[booked.begun('hotel'), true]],
    'it has ended': [
      [ticketed.done('receipt').finished('completed'), false],
      [abandoned(booked), false],
      [abandoned(booked.begun('hotel')), true],
    ],
  };

  test('the page and the tests know the same answers', () => {
    expectSameRows(ofAnswers?.rows ?? [], answers);
  });

  test.each(ofAnswers?.rows ?? [])('%s: %s', (row, answer = '') => {
    for (const [story, mayBeSent] of meaningOf(answers, row)) {
      expect(inHttp(answerAbandon(runOf(story), mayBeSent))).toBe(plain(answer));
    }
  });

  test.each([
    [{ direction: 'do' }, 'unknown'],
    [{ direction: 'undo' }, 'not-undone'],
    [{ direction: 'undo', what: 'unknown' }, 'unknown'],
  ] as const)('what an older row says, %o, is read as %s', (kept, what) => {
    expect(remainsAs(kept)).toBe(what);
  });
});
