import { describe, expect, test } from 'vitest';
import type { Ending } from '../../../src/engine/saga/journal.js';
import { hindranceTo, type Hindrance } from '../../../src/engine/saga/hindrance.js';
import { NO_SUCH_THING } from '../../../src/engine/saga/no-such-thing.js';
import { UNDO_RETRY } from '../../../src/engine/saga/retry-policy.js';
import { foldJournal } from '../../../src/engine/saga/run-state.js';
import { listUnder } from '../../support/document.js';
import { movesBesideTimers } from './one-call.js';
import { byKeyAlone, byPerson, byRepeating, hurriedTrip, sagaOf, trip } from './small-sagas.js';
import { Story, callNamed, doneAs } from './story.js';
import { page } from './tables.js';

const start = new Story(trip);
const booked = start.done('charge', 'flight');
const roomed = booked.done('hotel');
const turned = booked.cancelled().turned('cancel');

/** Why the next attempt of a call must not be begun now. */
function hindrance(
  story: Story,
  call: string,
  times: { late?: boolean; old?: boolean } = {},
): Hindrance | null {
  const run = foldJournal(story.saga, story.lines);
  const { step, direction } = callNamed(call);
  const state = run.steps.find((one) => one.step.name === step);
  const attempt = ((direction === 'do' ? state?.forward : state?.undo)?.attempt ?? 0) + 1;
  const { late = false, old = false } = times;
  return hindranceTo(
    run,
    { step, direction, attempt },
    { deadlineHasPassed: late, keyIsTooOld: old },
  );
}

function undoOf(story: Story, step: string): string | undefined {
  return story.view().steps.find(({ name }) => name === step)?.undo;
}

type Proof = Readonly<Record<string, () => void>>;

/** By number, what proves each law. */
const proofs: Readonly<Record<number, Proof>> = {
  1: {
    'an undo is owed from begun on': () => {
      expect(undoOf(booked, 'hotel')).toBe('not_owed');
      expect(undoOf(booked.begun('hotel'), 'hotel')).toBe('owed');
      expect(undoOf(booked.unknown('hotel'), 'hotel')).toBe('owed');
    },
    'it is owed until it is known that nothing happened': () => {
      expect(undoOf(booked.refused('hotel'), 'hotel')).toBe('not_owed');
      expect(undoOf(booked.again('hotel'), 'hotel')).toBe('not_owed');
      expect(undoOf(start.unknown('charge').notThere('charge'), 'charge')).toBe('not_owed');
    },
  },
  2: {
    'no undo is sent while the outcome of its step is open': () => {
      const open = [
        booked.begun('hotel').cancelled().turned('cancel'),
        booked.unknown('hotel').cancelled().turned('cancel'),
      ];
      for (const story of open) {
        expect(story.moves().join()).not.toContain('hotel:undo');
        expect(hindrance(story, 'hotel:undo')).toBe('turned');
      }
      expect(hindrance(turned, 'flight:undo')).toBe(null);
    },
    'no undo is sent while an attempt of its step is in flight, although it is known': () => {
      const twice = start.unknown('charge').begun('charge').cancelled().turned('cancel');
      const known = twice.late('charge', 1, doneAs('ch_1'));
      expect(known.moves()).toEqual(['read charge, attempt 2']);
      expect(hindrance(known, 'charge:undo')).toBe('turned');
    },
    'a key is sent again to learn, after the run has turned too': () => {
      const saga = sagaOf({ charge: { ...byKeyAlone, undo: byKeyAlone } });
      const unknown = new Story(saga).unknown('charge').cancelled().turned('cancel');
      expect(unknown.moves()).toEqual(['send charge, attempt 2']);
      expect(hindrance(unknown, 'charge')).toBe(null);
    },
  },
  3: {
    'the unwinding begins once': () => {
      expect(booked.cancelled().moves()).toEqual(['turn back: cancel']);
      expect(turned.moves().join()).not.toContain('turn back');
    },
    'no forward work comes after it, nor after an accepted cancel': () => {
      for (const story of [turned, booked.cancelled(), booked.again('hotel').cancelled()]) {
        expect(story.moves().join()).not.toMatch(/send (hotel|ticket|receipt),/);
        expect(hindrance(story, 'hotel')).toMatch(/^(turned|over)$/);
      }
      const again = booked.again('hotel').cancelled().turned('cancel');
      expect(again.moves().join()).not.toContain('send hotel,');
      expect(hindrance(again, 'hotel')).toBe('over');
    },
    'what is in flight is awaited': () => {
      const flying = booked.begun('hotel').cancelled().turned('cancel');
      expect(movesBesideTimers(flying)).toEqual(['read hotel, attempt 1']);
    },
  },
  4: {
    'undos go in reverse order of start, and a slow one is passed': () => {
      const back = roomed.cancelled().turned('cancel');
      expect(movesBesideTimers(back)).toEqual(['send hotel:undo, attempt 1']);
      expect(back.moves()).toContain('pass hotel after 30000 ms');
      const slow = back.unknown('hotel:undo').slow('hotel');
      expect(movesBesideTimers(slow)).toContain('send flight:undo, attempt 1');
    },
  },
  5: {
    'an undo goes on where a step would have given up': () => {
      const undo = { ...byRepeating, retry: { attempts: 2 } };
      const saga = sagaOf({ room: { ...byPerson, retry: { attempts: 2 }, undo } });
      const tired = new Story(saga).many(2, (story) => story.again('room'));
      expect(tired.moves()).toEqual(['turn back: refused']);
      const back = new Story(saga).done('room').cancelled().turned('cancel');
      expect(back.many(20, (story) => story.again('room:undo')).moves()).toEqual([
        'send room:undo, attempt 21',
      ]);
    },
    'it has no limit of its own making, and a person is told after a quarter of an hour': () => {
      expect(UNDO_RETRY).toMatchObject({ attempts: null, withinMs: null });
      const long = turned.again('flight:undo', { tryingMs: 900_000, retryMs: 300_000 });
      expect(long.moves()[0]).toBe('desk flight:undo: undo-stuck');
      expect(long.cased().moves()).toContain(`wait 300000 ms after line ${long.lines.length}`);
    },
  },
  6: {
    'a pivot that is refused, or did not happen, turns the run back': () => {
      expect(roomed.refused('ticket').moves()).toEqual(['turn back: refused']);
      const used = roomed.many(5, (story) => story.unknown('ticket').notThere('ticket'));
      expect(used.moves()).toEqual(['turn back: refused']);
    },
    'once it took effect nothing is undone, whatever is refused after it': () => {
      const ticketed = roomed.done('ticket');
      const stories = [
        ticketed.refused('receipt'),
        ticketed.unknown('receipt'),
        ticketed.again('receipt'),
        ticketed.deadlinePassed(),
        ticketed.refused('receipt').cased().verdict('receipt', 'left-as-is'),
      ];
      for (const story of stories) {
        expect(story.moves().join()).not.toMatch(/turn back|undo,/);
        expect(hindrance(story, 'charge:undo')).toBe('turned');
      }
    },
  },
  7: {
    'a cancel is refused from the moment that the pivot is on its way': () => {
      expect(roomed.cancelAnswer()).toBe('accepted');
      expect(roomed.begun('ticket').cancelAnswer()).toBe('pivot-in-progress');
      expect(roomed.unknown('ticket').cancelAnswer()).toBe('pivot-in-progress');
      expect(roomed.done('ticket').cancelAnswer()).toBe('past-pivot');
    },
    'a pivot is not begun once a cancel is accepted, not even its second attempt': () => {
      expect(hindrance(roomed, 'ticket')).toBe(null);
      expect(hindrance(roomed.cancelled(), 'ticket')).toBe('turned');
      expect(hindrance(roomed.again('ticket').cancelled(), 'ticket')).toBe('turned');
    },
    'a pivot that certainly did not happen lets a cancel through again': () => {
      expect(roomed.again('ticket').cancelAnswer()).toBe('accepted');
      expect(roomed.unknown('ticket').again('ticket').cancelAnswer()).toBe('pivot-in-progress');
    },
  },
  8: {
    'the deadline turns the run back at any point before the pivot is begun': () => {
      const hurried = new Story(hurriedTrip);
      const before = [
        hurried,
        hurried.begun('charge'),
        hurried.done('charge').unknown('flight'),
        hurried.done('charge', 'flight').unknown('hotel').cased(),
        hurried.done('charge', 'flight', 'hotel'),
        hurried.done('charge', 'flight', 'hotel').again('ticket'),
      ];
      for (const story of before) {
        expect(story.moves()).toContain('turn back after 900000 ms');
        expect(story.deadlinePassed().moves()).toEqual(['turn back: deadline']);
      }
      expect(hindrance(hurried.done('charge'), 'flight', { late: true })).toBe('deadline');
    },
    'from then on it is only shown': () => {
      const begun = new Story(hurriedTrip).done('charge', 'flight', 'hotel').begun('ticket');
      expect(begun.deadlinePassed().moves()).toEqual(['read ticket, attempt 1']);
      const done = begun.done('ticket').deadlinePassed();
      expect(done.moves()).toEqual(['send receipt, attempt 1']);
      expect(hindrance(done, 'receipt', { late: true })).toBe(null);
      expect(begun.again('ticket').deadlinePassed().moves()).toEqual(['turn back: deadline']);
    },
    'it ends no undo, and nothing that only learns': () => {
      const back = new Story(hurriedTrip).done('charge').cancelled().turned('cancel');
      expect(back.deadlinePassed().moves()).toEqual(['send charge:undo, attempt 1']);
      expect(hindrance(back, 'charge:undo', { late: true })).toBe(null);
      const unknown = new Story(hurriedTrip).unknown('charge');
      expect(hindrance(unknown, 'charge', { late: true })).toBe(null);
    },
  },
  9: {
    'a step whose undo has begun, or that has turned out not to happen, is not sent': () => {
      for (const story of [turned.begun('flight:undo'), turned.done('flight:undo')]) {
        expect(hindrance(story, 'flight')).toBe('over');
      }
      expect(hindrance(booked.refused('hotel'), 'hotel')).toBe('over');
      expect(hindrance(turned, 'hotel')).toBe('over');
    },
    'a key is not sent twice at once, nor after the provider may have forgotten it': () => {
      expect(hindrance(start.begun('charge'), 'charge')).toBe('over');
      expect(hindrance(start.unknown('charge'), 'charge', { old: true })).toBe('key-too-old');
      expect(hindrance(start.again('charge'), 'charge', { old: true })).toBe(null);
    },
    'an undo that is harmless twice does not lean on its key': () => {
      const unknown = turned.unknown('flight:undo');
      expect(hindrance(unknown, 'flight:undo', { old: true })).toBe(null);
    },
    'an undo that finds nothing after a known success is a case': () => {
      const nothing = turned.refused('flight:undo', NO_SUCH_THING);
      expect(nothing.cased().desk()).toEqual(['flight:undo: nothing-to-undo']);
    },
  },
  10: {
    'a run ends in one of four ways': () => {
      const undone = (story: Story): Story => story.done('flight:undo', 'charge:undo');
      const left = booked.unknown('hotel').cased().verdict('hotel', 'left-as-is');
      const ends: readonly (readonly [Ending, Story])[] = [
        ['completed', roomed.done('ticket', 'receipt')],
        ['undone', undone(booked.refused('hotel').turned('refused'))],
        ['cancelled', undone(turned)],
        ['closed_by_hand', undone(left.turned('person'))],
      ];
      for (const [ending, story] of ends) {
        expect(story.moves()).toEqual([`finish: ${ending}`]);
        expect(story.finished(ending).moves()).toEqual([]);
      }
    },
    'it does not end while a case is open, of whatever kind': () => {
      const doubled = roomed.late('charge', 1, doneAs('another')).done('ticket', 'receipt');
      expect(doubled.moves()).toEqual([]);
      expect(doubled.view().state).toBe('needs_reconciliation');
      expect(doubled.verdict('charge', 'left-as-is').moves()).toEqual(['finish: completed']);
    },
    'a fact that comes after the end opens a case': () => {
      const ended = turned.done('flight:undo', 'charge:undo').finished('cancelled');
      expect(ended.late('hotel', 1, doneAs('rs_1')).desk()).toEqual(['hotel: contradiction']);
    },
  },
};

describe('the laws', () => {
  const laws = listUnder(page, 'The laws');

  test('are ten, and each has its proofs', () => {
    expect(Object.keys(proofs)).toEqual(laws.map((_law, index) => String(index + 1)));
    expect(laws).toHaveLength(10);
  });

  const named = laws.flatMap((law, index) => {
    const [lead = ''] = /\*\*.*?\*\*/.exec(law) ?? [];
    const proof = proofs[index + 1] ?? {};
    return Object.entries(proof).map(([sentence, prove]) => ({
      law: `law ${index + 1}, ${lead.replaceAll('*', '')}`,
      sentence,
      prove,
    }));
  });

  test.each(named)('$law: $sentence', ({ prove }) => {
    expect.hasAssertions();
    prove();
  });
});
