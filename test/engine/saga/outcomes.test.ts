import { describe, expect, test } from 'vitest';
import { NO_SUCH_THING } from '../../../src/engine/saga/no-such-thing.js';
import { plain, tableUnder } from '../../support/document.js';
import { callPlaces, movesBesideTimers, policyInWords, type CallPlace } from './one-call.js';
import {
  byAsking,
  byKey,
  byKeyAlone,
  byPerson,
  byRepeating,
  type CallPlan,
} from './small-sagas.js';
import type { Story } from './story.js';
import { expectSameRows, meaningOf, page } from './tables.js';

const prefersDuplicate: CallPlan = { whenUnknown: 'prefer-duplicate' };
const prefersMiss: CallPlan = { whenUnknown: 'prefer-miss' };
const canBeAsked = [byKey, byAsking];
const cannotBeAsked = [byKeyAlone, byPerson, byRepeating, prefersDuplicate];
const honoursKey = [byKeyAlone];
const staysUnknown = [...canBeAsked, ...cannotBeAsked];
const any = [...staysUnknown, prefersMiss];

const quarterOfAnHour = 15 * 60_000;

interface Telling {
  readonly plans: readonly CallPlan[];
  readonly attempts?: number;
  readonly tell: (story: Story, call: string) => Story;
}

const outcomes: Readonly<Record<string, Telling>> = {
  done: { plans: any, tell: (story, call) => story.done(call) },
  again: { plans: any, tell: (story, call) => story.again(call) },
  'again, used up': {
    plans: any,
    attempts: 2,
    tell: (story, call) => story.again(call).again(call),
  },
  'again, for 15 minutes': {
    plans: any,
    tell: (story, call) => story.again(call, { tryingMs: quarterOfAnHour }),
  },
  refused: { plans: any, tell: (story, call) => story.refused(call) },
  'refused, as there is no such thing': {
    plans: any,
    tell: (story, call) => story.refused(call, NO_SUCH_THING),
  },
  'unknown, then again': {
    plans: staysUnknown,
    tell: (story, call) => story.unknown(call).again(call),
  },
  'unknown, then refused, can be asked': {
    plans: canBeAsked,
    tell: (story, call) => story.unknown(call).refused(call),
  },
  'unknown, then refused, cannot be asked': {
    plans: cannotBeAsked,
    tell: (story, call) => story.unknown(call).refused(call),
  },
  'unknown, then found': {
    plans: canBeAsked,
    tell: (story, call) => story.unknown(call).found(call),
  },
  'unknown, then not-there': {
    plans: canBeAsked,
    tell: (story, call) => story.unknown(call).notThere(call),
  },
  'unknown, then not-there, used up': {
    plans: canBeAsked,
    attempts: 1,
    tell: (story, call) => story.unknown(call).notThere(call),
  },
  'unknown, then refused, then not-there': {
    plans: canBeAsked,
    tell: (story, call) => story.unknown(call).refused(call).notThere(call),
  },
  'unknown, then cannot-tell': {
    plans: [byAsking],
    tell: (story, call) => story.unknown(call).cannotTell(call),
  },
  'unknown, then cannot-tell, for 15 minutes': {
    plans: [byAsking],
    tell: (story, call) => story.unknown(call).cannotTell(call, quarterOfAnHour),
  },
  'unknown, then something else than was asked for': {
    plans: canBeAsked,
    tell: (story, call) => story.unknown(call).differs(call),
  },
  'unknown, its key is too old, can be asked': {
    plans: canBeAsked,
    tell: (story, call) => story.unknown(call).keyExpired(call),
  },
  'unknown, its key is too old, cannot be asked': {
    plans: honoursKey,
    tell: (story, call) => story.unknown(call).keyExpired(call),
  },
};

/** The moves that a cell stands for, as patterns of sentences. */
const meanings: Readonly<Record<string, (place: CallPlace) => readonly string[]>> = {
  'the run goes on': ({ next }) => [next],
  'the undo is done': ({ next }) => [next],
  'the run turns back': () => ['turn back: refused'],
  'it is sent again': ({ call }) => [`send ${call}, attempt N`],
  'the provider is asked': ({ call }) => [`ask about ${call}`],
  'it counts as missed, and the run goes on': ({ next }) => [next],
};

function expectedMoves(cell: string, place: CallPlace): readonly string[] {
  const [words = '', beside] = plain(cell).split(', beside ');
  const problem = /^a case: ([a-z-]+)$/.exec(beside ?? words)?.[1];
  const desk = problem === undefined ? [] : [`desk ${place.call}: ${problem}`];
  if (beside === undefined && problem !== undefined) return desk;
  return [...desk, ...meaningOf(meanings, words)(place)];
}

function withoutNumbers(moves: readonly string[]): readonly string[] {
  return moves.map((move) =>
    move.startsWith('send subject') ? move.replace(/attempt \d+/, 'attempt N') : move,
  );
}

function planned(plan: CallPlan, attempts: number | undefined): CallPlan {
  return attempts === undefined ? plan : { ...plan, retry: { attempts } };
}

describe('what an outcome leads to', () => {
  const { head, rows } = tableUnder(page, 'What an outcome leads to');
  const columns = head.slice(1);
  const cells = rows.flatMap(([row = '', ...written]) => {
    const telling = meaningOf(outcomes, row);
    return callPlaces.flatMap((place) => {
      const cell = written[columns.indexOf(place.column)] ?? 'no such column';
      const plans = telling.plans.filter((plan) => place.allows.includes(plan.whenUnknown));
      return plans.map((plan) => {
        const policy = policyInWords(plan);
        return { row: plain(row), where: place.name, policy, cell, place, plan, telling };
      });
    });
  });

  test('the page and the tests know the same outcomes', () => {
    expectSameRows(rows, outcomes);
  });

  test.each(cells)('$row, $where, $policy: $cell', ({ cell, place, plan, telling }) => {
    const start = place.story(planned(plan, telling.attempts));
    const moves = withoutNumbers(movesBesideTimers(telling.tell(start, place.call)));
    if (cell === 'as after the unknown one') {
      const before = withoutNumbers(movesBesideTimers(start.unknown(place.call)));
      expect(moves).toEqual(before);
    } else {
      expect(moves).toEqual(expectedMoves(cell, place));
    }
  });
});

describe('what follows an unknown outcome', () => {
  const policies: Readonly<Record<string, CallPlan>> = {
    'retry-with-key, can be asked': byKey,
    'retry-with-key, cannot be asked': byKeyAlone,
    'ask-provider': byAsking,
    'ask-person': byPerson,
    repeat: byRepeating,
    'prefer-duplicate': prefersDuplicate,
    'prefer-miss': prefersMiss,
  };
  const { rows } = tableUnder(page, 'After an unknown outcome');
  const cells = rows.flatMap(([row = '', then = '', usedUp = '']) => {
    const plan = meaningOf(policies, row);
    return callPlaces
      .filter((place) => place.allows.includes(plan.whenUnknown))
      .map((place) => ({ row: plain(row), where: place.name, then, usedUp, place, plan }));
  });

  test('the page and the tests know the same policies', () => {
    expectSameRows(rows, policies);
  });

  test.each(cells)('$row, $where: $then; used up: $usedUp', (given) => {
    const { then, usedUp, place, plan } = given;
    const unknown = place.story(plan).unknown(place.call);
    expect(withoutNumbers(movesBesideTimers(unknown))).toEqual(expectedMoves(then, place));
    const tired = place.story(planned(plan, 1)).unknown(place.call);
    expect(withoutNumbers(movesBesideTimers(tired))).toEqual(expectedMoves(usedUp, place));
  });
});
