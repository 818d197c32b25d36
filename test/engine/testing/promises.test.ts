import { describe, expect, test } from 'vitest';
import type { CallState } from '../../../src/engine/saga/call-state.js';
import type { JournalLine } from '../../../src/engine/saga/journal.js';
import { callState, type RunState } from '../../../src/engine/saga/run-state.js';
import type { Schedule } from '../../../src/engine/testing/choices.js';
import { believesLateWords } from '../../../src/engine/testing/late-invariants.js';
import { play } from '../../../src/engine/testing/play-schedule.js';
import type { Played } from '../../../src/engine/testing/played.js';
import { triesNoMoreOften } from '../../../src/engine/testing/retry-invariants.js';
import { byKey, byPerson, sagaOf, trip } from '../saga/small-sagas.js';

// Worlds that the kernel does not make: each is a run that was played, with something put wrong.

describe('what took effect counts, however late that is told', () => {
  const denied = playedOf(trip, { 'hotel, attempt 1': 'request lost' });
  const missed = playedOf(trip, { 'ticket, attempt 1': 'request lost' });
  const turned = playedOf(trip, {
    'hotel, attempt 1': 'request lost',
    'after line 8': 'a cancel',
  });

  test.each([
    ['a person has denied', denied, 'hotel'],
    ['a person has denied on the way back', turned, 'hotel'],
    ['its provider did not find', missed, 'ticket'],
  ])('a step that %s is heard of, and then taken for done', (_who, played, step) => {
    expect(played.written.filter(({ line }) => isDenialOf(line, step))).toHaveLength(1);
    expect(believesLateWords.broken(played)).toBe(null);
  });

  test.each([
    ['a person is believed against its provider', denied, 'hotel', 9],
    ['a person is believed on the way back', turned, 'hotel', 15],
    ['"not there" is believed for good', missed, 'ticket', 11],
  ])('a record in which %s breaks it', (_what, played, step, seq) => {
    const settled = { byVerdict: 'did-not-happen', deniedUpTo: 0 } as const;
    expect(believesLateWords.broken(withCall(played, step, settled))).toBe(
      `${step} was denied at line ${seq}; that it took effect after all, told after line ${seq}, ` +
        'would be ignored',
    );
  });

  test('a record that does not keep what was denied keeps it from the desk', () => {
    const forgetful = withCall(denied, 'hotel', { deniedUpTo: 0 });
    expect(believesLateWords.broken(forgetful)).toMatch(/would be kept from the desk$/);
  });
});

describe('a step is tried no more often than its retry says', () => {
  const saga = sagaOf({
    charge: { ...byKey, retry: { attempts: 2 }, undo: { ...byKey, retry: { attempts: 1 } } },
    room: { ...byPerson, retry: { attempts: 2 } },
  });
  const stricter = sagaOf({
    charge: { ...byKey, retry: { attempts: 1 }, undo: { ...byKey, retry: { attempts: 1 } } },
    room: { ...byPerson, retry: { attempts: 1 } },
  });
  const nothing = 'certainly nothing happened';

  test.each<readonly [string, Schedule]>([
    ['is used up', { 'charge, attempt 1': nothing, 'charge, attempt 2': nothing }],
    ['was not even sent', { 'charge, attempt 1': 'not even sent', 'charge, attempt 2': nothing }],
    ['was denied', { 'room, attempt 1': nothing, 'room, attempt 2': 'request lost' }],
    [
      'is an undo',
      {
        'room, attempt 1': 'refused',
        'charge:undo, attempt 1': nothing,
        'charge:undo, attempt 2': nothing,
      },
    ],
  ])('what %s is tried as often as it may', (_what, schedule) => {
    const played = playedOf(saga, schedule);
    expect(played.sent.some(({ attempt }) => attempt > 1)).toBe(true);
    expect(triesNoMoreOften.broken(played)).toBe(null);
  });

  test.each<readonly [string, Schedule, string]>([
    ['was not done', { 'charge, attempt 1': nothing }, 'charge'],
    ['was lost', { 'charge, attempt 1': 'answer lost' }, 'charge'],
    ['came much later', { 'charge, attempt 1': 'refusal comes much later' }, 'charge'],
    ['was hurried', { 'room, attempt 1': nothing, 'after line 5': RETRY_NOW }, 'room'],
  ])('what %s and is tried beyond its last attempt breaks it', (_what, schedule, step) => {
    const played = { ...playedOf(saga, schedule), saga: stricter };
    expect(triesNoMoreOften.broken(played)).toBe(`${step} was sent again after 1 of 1 attempts`);
  });
});

const RETRY_NOW = 'an operator says retry now';

function playedOf(saga: Played['saga'], schedule: Schedule): Played {
  const { broken, played } = play(saga, schedule);
  expect(broken).toBe(null);
  return played;
}

function isDenialOf(line: JournalLine, step: string): boolean {
  if (line.kind === 'verdict') return line.step === step && line.verdict === 'did-not-happen';
  return line.kind === 'asked' && line.step === step && line.finding === 'not-there';
}

/** The same, but wherever nobody knows of a step that it happened its record says this of it. */
function withCall(played: Played, step: string, wrong: Partial<CallState>): Played {
  return { ...played, states: played.states.map((state) => withCallIn(state, step, wrong)) };
}

function withCallIn(state: RunState, step: string, wrong: Partial<CallState>): RunState {
  if (callState(state, step, 'do').phase === 'done') return state;
  const steps = state.steps.map((one) => {
    return one.step.name === step ? { ...one, forward: { ...one.forward, ...wrong } } : one;
  });
  return { ...state, steps };
}
