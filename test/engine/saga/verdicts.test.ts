import { describe, expect, test } from 'vitest';
import { NO_SUCH_THING } from '../../../src/engine/saga/no-such-thing.js';
import type { Verdict } from '../../../src/engine/saga/journal.js';
import {
  allowedVerdicts,
  type AllowedVerdict,
  type CaseSubject,
} from '../../../src/engine/saga/verdicts.js';
import { plain, tableUnder } from '../../support/document.js';
import { movesBesideTimers } from './one-call.js';
import { byKeyAlone, byPerson, sagaOf, trip } from './small-sagas.js';
import { Story, doneAs, unknownAs } from './story.js';
import { expectSameRows, meaningOf, page } from './tables.js';

const all: readonly Verdict[] = ['happened', 'did-not-happen', 'undone-by-hand', 'left-as-is'];

const upToHotel = new Story(trip).done('charge', 'flight');

/** The same question in each place where it can be asked. */
const asked: Readonly<Record<string, { story: Story; call: string; subject: CaseSubject }>> = {
  forward: {
    story: upToHotel.unknown('hotel').cased(),
    call: 'hotel',
    subject: about({}),
  },
  'on the way back': {
    story: upToHotel.begun('hotel').cancelled().turned('cancel').unknown('hotel').cased(),
    call: 'hotel',
    subject: about({ unwinding: true }),
  },
  'after the pivot': {
    story: upToHotel.done('hotel', 'ticket').refused('receipt').cased(),
    call: 'receipt',
    subject: about({ place: 'after-pivot', problem: 'forward-stuck', undoable: false }),
  },
  'an undo': {
    story: upToHotel.cancelled().turned('cancel').refused('flight:undo').cased(),
    call: 'flight:undo',
    subject: about({ direction: 'undo', unwinding: true, problem: 'undo-stuck' }),
  },
};

function about(subject: Partial<CaseSubject>): CaseSubject {
  return {
    problem: 'unknown-outcome',
    direction: 'do',
    place: 'before-pivot',
    undoable: true,
    unwinding: false,
    ended: false,
    ...subject,
  };
}

interface Meant {
  readonly moves: readonly string[];
  readonly undo?: string;
  readonly remains?: true;
}

const undoFlight = 'send flight:undo, attempt 1';
const undoCharge = 'send charge:undo, attempt 1';

/** What a cell stands for: what is done next, and what is shown of the way back. */
const meanings: Readonly<Record<string, Readonly<Record<string, Meant>>>> = {
  forward: {
    'the run goes on': { moves: ['send ticket, attempt 1'], undo: 'owed' },
    'it is sent again': { moves: ['send hotel, attempt 2'], undo: 'not_owed' },
    'undone by hand, and the run turns back': {
      moves: ['turn back: person'],
      undo: 'by_hand',
    },
    'it remains, and the run turns back': {
      moves: ['turn back: person'],
      undo: 'left',
      remains: true,
    },
  },
  'on the way back': {
    'it is undone': { moves: ['send hotel:undo, attempt 1'], undo: 'owed' },
    'it is never sent': { moves: [undoFlight], undo: 'not_owed' },
    'undone by hand': { moves: [undoFlight], undo: 'by_hand' },
    'it remains': { moves: [undoFlight], undo: 'left', remains: true },
  },
  'after the pivot': {
    'the run goes on': { moves: ['finish: completed'], undo: 'not_owed' },
    'it is sent again': { moves: ['send receipt, attempt 2'], undo: 'not_owed' },
    'it remains, and the run ends': {
      moves: ['finish: closed_by_hand'],
      undo: 'left',
      remains: true,
    },
  },
  'an undo': {
    'the undo is done': { moves: [undoCharge], undo: 'done' },
    'it is sent again': { moves: ['send flight:undo, attempt 2'], undo: 'in_progress' },
    'undone by hand': { moves: [undoCharge], undo: 'by_hand' },
    'it remains': { moves: [undoCharge], undo: 'left', remains: true },
  },
};

describe('what a verdict does', () => {
  const { head, rows } = tableUnder(page, 'What a verdict does');
  const columns = head.slice(1);
  const cells = rows.flatMap(([verdict = '', ...written]) =>
    columns.map((where, index) => ({
      verdict: plain(verdict) as Verdict,
      where,
      cell: written[index] ?? '',
    })),
  );

  test('the page knows every verdict, and the tests every place', () => {
    expect(columns).toEqual(Object.keys(asked));
    expectSameRows(rows, Object.fromEntries(all.map((verdict) => [verdict, verdict])));
  });

  test.each(cells)('$verdict, $where: $cell', ({ verdict, where, cell }) => {
    const { story, call, subject } = meaningOf(asked, where);
    const offered = namesOf(allowedVerdicts(subject));
    if (cell === 'not offered') {
      expect(offered).not.toContain(verdict);
      return;
    }
    expect(offered).toContain(verdict);
    const meant = meaningOf(meaningOf(meanings, where), cell);
    const decided = story.verdict(call, verdict);
    expect(movesBesideTimers(decided)).toEqual(meant.moves);
    expect(decided.desk()).toEqual([]);
    const view = decided.view();
    const [step] = call.split(':');
    expect(view.steps.find(({ name }) => name === step)?.undo).toBe(meant.undo);
    expect(view.remains.map((one) => one.step)).toEqual(meant.remains ? [step] : []);
  });

  test.each(all)('%s on a contradiction changes nothing but the desk', (verdict) => {
    const done = upToHotel.late('flight', 1, doneAs('another'));
    expect(done.desk()).toEqual(['flight: contradiction']);
    const decided = done.verdict('flight', verdict);
    expect(decided.desk()).toEqual([]);
    expect(decided.moves()).toEqual(upToHotel.moves());
    expect(decided.view().steps).toEqual(upToHotel.view().steps);
  });

  test('a run with something that remains is closed by hand, also when it was cancelled', () => {
    const { story } = meaningOf(asked, 'on the way back');
    const left = story.verdict('hotel', 'left-as-is').done('flight:undo', 'charge:undo');
    expect(left.moves()).toEqual(['finish: closed_by_hand']);
  });

  test('after the deadline the step that did not happen is not sent again', () => {
    const { story } = meaningOf(asked, 'forward');
    const decided = story.verdict('hotel', 'did-not-happen').deadlinePassed();
    expect(decided.moves()).toEqual(['turn back: deadline']);
  });

  test('an attempt in flight is awaited before another is sent, whatever the verdict', () => {
    const saga = sagaOf({ charge: { ...byKeyAlone, undo: byKeyAlone }, hotel: byPerson });
    const trying = new Story(saga)
      .done('charge')
      .cancelled()
      .turned('cancel')
      .unknown('charge:undo', { tryingMs: 900_000 })
      .cased()
      .begun('charge:undo');
    expect(trying.verdict('charge:undo', 'did-not-happen').moves()).toEqual([
      'read charge:undo, attempt 2',
    ]);
    const landed = trying.verdict('charge:undo', 'did-not-happen').done('charge:undo');
    expect(landed.desk()).toEqual([]);
    expect(landed.moves()).toEqual(['finish: cancelled']);
  });

  test('with a verdict patience starts anew', () => {
    const tired = upToHotel
      .cancelled()
      .turned('cancel')
      .again('flight:undo', { tryingMs: 900_000 })
      .cased();
    expect(tired.desk()).toEqual(['flight:undo: undo-stuck']);
    const hoursLater = tired.verdict('flight:undo', 'did-not-happen');
    const failed = hoursLater.again('flight:undo', { tryingMs: 9_000_000 });
    expect(failed.cased().desk()).toEqual([]);
    const stuck = failed.again('flight:undo', { tryingMs: 9_900_000 });
    expect(stuck.cased().desk()).toEqual(['flight:undo: undo-stuck']);
  });
});

describe('which verdicts are offered', () => {
  test.each([
    ['a step before the pivot', about({}), all],
    ['the pivot', about({ place: 'pivot', undoable: false }), all],
    ['an undo', about({ direction: 'undo', unwinding: true }), all],
    [
      'a step after the pivot',
      about({ place: 'after-pivot', undoable: false }),
      ['happened', 'did-not-happen', 'left-as-is'],
    ],
    ['a contradiction', about({ problem: 'contradiction' }), all],
    ['anything after the end', about({ ended: true, place: 'after-pivot' }), all],
  ] as const)('%s: %o', (_what, subject, expected) => {
    expect(namesOf(allowedVerdicts(subject))).toEqual([...expected].toSorted());
  });

  test('only what counts as done forward needs the value that the act answers', () => {
    const needing = (subject: CaseSubject): readonly Verdict[] =>
      namesOf(allowedVerdicts(subject).filter(({ needsValue }) => needsValue));
    expect(needing(about({}))).toEqual(['happened']);
    expect(needing(about({ unwinding: true }))).toEqual(['happened']);
    expect(needing(about({ direction: 'undo' }))).toEqual([]);
    expect(needing(about({ problem: 'contradiction' }))).toEqual([]);
    expect(needing(about({ ended: true }))).toEqual([]);
  });
});

function namesOf(allowed: readonly AllowedVerdict[]): readonly Verdict[] {
  return allowed.map(({ verdict }) => verdict).toSorted();
}

describe('cases', () => {
  const { rows } = tableUnder(page, 'Cases');
  const turned = upToHotel.cancelled().turned('cancel');
  const keyed = new Story(sagaOf({ charge: byKeyAlone, hotel: byPerson }));
  /** A case of each kind, and a fact that would answer it. */
  const opened: Readonly<Record<string, { story: Story; told: (story: Story) => Story }>> = {
    'unknown-outcome': {
      story: upToHotel.unknown('hotel'),
      told: (story) => story.late('hotel', 1, doneAs('rs')),
    },
    'undo-stuck': {
      story: turned.unknown('flight:undo', { tryingMs: 900_000 }),
      told: (story) => story.done('flight:undo'),
    },
    'forward-stuck': {
      story: upToHotel.done('hotel', 'ticket').again('receipt', { tryingMs: 900_000 }),
      told: (story) => story.done('receipt'),
    },
    'found-differs': {
      story: new Story(trip).unknown('charge').differs('charge'),
      told: (story) => story.late('charge', 1, doneAs('ch_1')),
    },
    'nothing-to-undo': {
      story: turned.refused('flight:undo', NO_SUCH_THING),
      told: (story) => story,
    },
    'key-window-passed': {
      story: keyed.unknown('charge').keyExpired('charge'),
      told: (story) => story.late('charge', 1, doneAs('ch_1')),
    },
    contradiction: {
      story: upToHotel.late('flight', 1, doneAs('another')),
      told: (story) => story,
    },
  };

  test('the page and the tests know the same cases', () => {
    expectSameRows(rows, opened);
  });

  test.each(rows)('%s is opened when %s', (row) => {
    const { story } = meaningOf(opened, row);
    const [desk] = story.cased().desk();
    expect(desk?.split(': ')[1]).toBe(plain(row));
  });

  const answers: Readonly<Record<string, (problem: string) => readonly string[]>> = {
    'a fact that tells': () => [],
    'a fact that tells, and becomes a contradiction': () => ['contradiction'],
    nothing: (problem) => [problem],
  };

  test.each(rows)('%s (%s) is settled by %s', (row, _when, settledBy = '') => {
    const { story, told } = meaningOf(opened, row);
    const left = told(story.cased()).desk();
    const expected = meaningOf(answers, settledBy)(plain(row));
    expect(left.map((desk) => desk.split(': ')[1])).toEqual(expected);
  });

  test('an answer that tells that nothing happened settles the question too', () => {
    const asking = new Story(trip).done('charge').unknown('flight').cannotTell('flight', 900_000);
    expect(asking.cased().desk()).toEqual(['flight: unknown-outcome']);
    const told = asking.cased().notThere('flight');
    expect(told.desk()).toEqual([]);
    expect(told.moves()).toEqual(['send flight, attempt 2']);
  });

  test('a case stays while the key is sent again: nothing is known by that', () => {
    const saga = sagaOf({ charge: { ...byKeyAlone, retry: { attempts: null } }, hotel: byPerson });
    const overdue = new Story(saga).unknown('charge', { tryingMs: 900_000 }).cased();
    expect(overdue.moves()).toEqual(['send charge, attempt 2']);
    expect(overdue.begun('charge').desk()).toEqual(['charge: unknown-outcome']);
  });

  test('two cases of one call are two: to close one leaves the other', () => {
    const both = upToHotel
      .unknown('hotel')
      .cased()
      .verdict('hotel', 'did-not-happen')
      .ended('hotel', unknownAs())
      .cased()
      .late('hotel', 1, { outcome: 'refused', code: 'sold-out' });
    expect(both.desk()).toEqual(['hotel: unknown-outcome']);
    const contradicted = both.late('hotel', 1, doneAs('rs_1'));
    expect(contradicted.desk()).toEqual(['hotel: contradiction']);
  });
});
