import { describe, expect, test } from 'vitest';
import type { Because } from '../../../src/engine/saga/journal.js';
import { plain, tableUnder } from '../../support/document.js';
import { movesBesideTimers } from './one-call.js';
import {
  byAsking,
  byKey,
  byKeyAlone,
  byPerson,
  byRepeating,
  hurriedTrip,
  sagaOf,
  trip,
  type StepPlan,
} from './small-sagas.js';
import { Story } from './story.js';
import { expectSameRows, meaningOf, page } from './tables.js';

describe('why a run turns back', () => {
  const { rows } = tableUnder(page, 'Why a run turns back');
  const booked = new Story(trip).done('charge', 'flight');
  const seen: Readonly<Record<string, Story>> = {
    'a cancel was accepted': booked.cancelled(),
    'a step, or the pivot, was refused': booked.done('hotel').refused('ticket'),
    'the deadline passed before the pivot was begun': new Story(hurriedTrip)
      .done('charge')
      .again('flight', { retryMs: 200 })
      .deadlinePassed(),
    'a verdict settled a step in another way': booked
      .unknown('hotel')
      .cased()
      .verdict('hotel', 'undone-by-hand'),
    'a cancel was accepted, and a step was refused': booked.cancelled().refused('hotel'),
  };

  test('the page and the tests know the same reasons', () => {
    expectSameRows(rows, seen);
  });

  test.each(rows)('%s: because of %s, and it ends as %s', (row, because = '', ending = '') => {
    const story = meaningOf(seen, row);
    expect(story.moves()).toEqual([`turn back: ${plain(because)}`]);
    const undone = wentBack(story.turned(plain(because) as Because));
    expect(undone.moves()).toEqual([`finish: ${plain(ending)}`]);
  });

  test('a refusal turns it at once, while one beside it is on its way and another waits', () => {
    const three = sagaOf({
      flight: { ...byKey, group: 0, undo: byRepeating },
      hotel: { ...byKey, group: 0, undo: byRepeating },
      car: { ...byKey, group: 0, undo: byRepeating },
    });
    const begun = new Story(three).begun('flight', 'hotel', 'car').again('car', { retryMs: 200 });
    expect(begun.refused('flight').moves()).toEqual(['turn back: refused']);
  });

  test('whatever the reason, a run with something that remains is closed by hand', () => {
    const left = booked.unknown('hotel').cased().verdict('hotel', 'left-as-is');
    expect(left.moves()).toEqual(['turn back: person']);
    expect(wentBack(left.turned('person')).moves()).toEqual(['finish: closed_by_hand']);
  });

  /** The story with every undo done that is due. */
  function wentBack(story: Story): Story {
    const due = story.moves().map((move) => /^send (\S+:undo),/.exec(move)?.[1]);
    const next = due.find((call) => call !== undefined);
    return next === undefined ? story : wentBack(story.done(next));
  }
});

interface Stranded {
  readonly plan: StepPlan;
  readonly tell: (story: Story) => Story;
}

const undo = byRepeating;

/** The step under test stands between one that is done and one that is not begun. */
const stranded: Readonly<Record<string, Stranded>> = {
  'not begun': { plan: { ...byKey, undo }, tell: (story) => story },
  'waiting after again, and was never unknown': {
    plan: { ...byKey, undo },
    tell: (story) => story.again('subject'),
  },
  'in flight': { plan: { ...byKey, undo }, tell: (story) => story.begun('subject') },
  'unknown, can be asked': {
    plan: { ...byKey, undo },
    tell: (story) => story.unknown('subject'),
  },
  'unknown, honours its key, cannot be asked': {
    plan: { ...byKeyAlone, undo },
    tell: (story) => story.unknown('subject'),
  },
  'unknown, honours its key, which is too old': {
    plan: { ...byKeyAlone, undo },
    tell: (story) => story.unknown('subject').keyExpired('subject'),
  },
  'unknown, can be neither asked nor sent again': {
    plan: { ...byPerson, undo },
    tell: (story) => story.unknown('subject'),
  },
  'unknown, and its author prefers a duplicate': {
    plan: { whenUnknown: 'prefer-duplicate' },
    tell: (story) => story.unknown('subject'),
  },
  done: { plan: { ...byAsking, undo }, tell: (story) => story.done('subject') },
  'done, and has nothing to undo': {
    plan: { ...byAsking },
    tell: (story) => story.done('subject'),
  },
  refused: { plan: { ...byKey, undo }, tell: (story) => story.refused('subject') },
  'known not to have happened': {
    plan: { ...byAsking, undo },
    tell: (story) => story.unknown('subject').notThere('subject'),
  },
};

const charged = 'send charge:undo, attempt 1';

/** What a cell stands for: what is done next, and what the step looks like. */
const fates: Readonly<Record<string, { moves: readonly string[]; state?: string }>> = {
  'it is never sent': { moves: [charged], state: 'skipped' },
  'its outcome is awaited': { moves: ['read subject, attempt 1'], state: 'in_progress' },
  'the provider is asked': { moves: ['ask about subject'], state: 'unknown' },
  'the same key is sent again, to learn': { moves: ['send subject, attempt 2'], state: 'unknown' },
  'a case, and the other undos go on': { moves: [charged], state: 'unknown' },
  'it counts as missed': { moves: [charged], state: 'missed' },
  'it is undone': { moves: ['send subject:undo, attempt 1'], state: 'done' },
  nothing: { moves: [charged] },
};

function toTheTurn({ plan, tell }: Stranded): Story {
  const last = { ...byPerson, undo };
  const saga = sagaOf({ charge: { ...byKey, undo: byKey }, subject: plan, last });
  return tell(new Story(saga).done('charge')).cancelled().turned('cancel');
}

describe('what becomes of each step', () => {
  const { rows } = tableUnder(page, 'What becomes of each step then');

  test('the page and the tests know the same steps', () => {
    expectSameRows(rows, stranded);
  });

  test.each(rows)('%s: %s', (row, cell = '') => {
    const turned = toTheTurn(meaningOf(stranded, row));
    const { moves, state } = meaningOf(fates, cell);
    const isCase = plain(cell).startsWith('a case');
    const story = isCase ? turned.cased() : turned;
    if (isCase) expect(story.desk()).toHaveLength(1);
    expect(movesBesideTimers(story)).toEqual(moves);
    const shown = story.view().steps.find(({ name }) => name === 'subject')?.state;
    if (state !== undefined) expect(shown).toBe(state);
  });

  test.each([
    ['done', (story: Story) => story.done('subject'), 'send subject:undo, attempt 1'],
    ['again', (story: Story) => story.again('subject'), charged],
    ['refused', (story: Story) => story.refused('subject'), charged],
    ['unknown', (story: Story) => story.unknown('subject'), 'ask about subject'],
  ])('what was in flight and is %s goes on as its outcome says', (_outcome, tell, move) => {
    const landed = tell(toTheTurn(meaningOf(stranded, 'in flight')));
    expect(movesBesideTimers(landed)).toEqual([move]);
  });

  test('a message whose second attempt fails on the way back is not sent a third time', () => {
    const saga = sagaOf({ hello: { whenUnknown: 'prefer-duplicate' }, charge: byKey });
    const sent = new Story(saga).unknown('hello').begun('hello').cancelled().turned('cancel');
    expect(sent.again('hello').moves()).toEqual(['finish: cancelled']);
    expect(sent.refused('hello').moves()).toEqual(['finish: cancelled']);
    expect(sent.unknown('hello').moves()).toEqual(['finish: cancelled']);
  });

  test('an unknown step holds up earlier undos for 30 seconds, and no longer', () => {
    const turned = new Story(trip).done('charge').unknown('flight').cancelled().turned('cancel');
    expect(turned.moves()).toEqual(['ask about flight', 'pass flight after 30000 ms']);
    expect(turned.slow('flight').moves()).toEqual([
      'ask about flight',
      'send charge:undo, attempt 1',
    ]);
  });
});
