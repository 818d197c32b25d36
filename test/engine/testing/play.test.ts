import { describe, expect, test } from 'vitest';
import { play } from '../../../src/engine/testing/play-schedule.js';
import { trip } from '../saga/small-sagas.js';

describe('a schedule', () => {
  test.each([
    [{}, 'completed'],
    [{ 'hotel, attempt 1': 'refused' }, 'undone'],
    [{ 'after line 5': 'a cancel' }, 'cancelled'],
    [{ 'hotel, attempt 1': 'answer lost' }, 'completed'],
    [
      {
        'hotel, attempt 1': 'answer lost',
        'a person looks at hotel': 'left-as-is',
      },
      'closed_by_hand',
    ],
  ] as const)('%j ends %s', (schedule, ending) => {
    const played = play(trip, schedule);
    expect(played).toMatchObject({ ending, broken: null });
  });

  test('that names what never comes up is refused, with what does', () => {
    expect(() => play(trip, { 'hotel, attempt 7': 'refused' })).toThrow(
      /^"hotel, attempt 7" never comes up in this run; what does: after line 1; charge, attempt 1/,
    );
  });

  test('that names no way to go on there is refused, with those that are', () => {
    expect(() => play(trip, { 'hotel, attempt 1': 'explodes' })).toThrow(
      /^"hotel, attempt 1" has no "explodes"; it has: done, refused, /,
    );
  });
});

describe('the story of a run', () => {
  test('tells what went wrong, what really happened, and what is on record', () => {
    const { story } = play(trip, { 'flight, attempt 1': 'refused' });
    const lines = story.split('\n').map((line) => line.trim());
    expect(lines).toContain('0.00 s   Accepted.');
    expect(lines).toContain('0.04 s * charge takes effect: charge/do#1');
    expect(lines).toContain('0.10 s ! flight, attempt 1: refused');
    expect(lines.at(-1)).toMatch(/s {3}Undone: everything that took effect was undone\.$/);
  });
});

describe('what the world does', () => {
  test('an answer that is lost leaves its effect, and the same key makes no second one', () => {
    const { played } = play(trip, { 'charge, attempt 1': 'answer lost' });
    const charges = played.effects.filter(({ step }) => step === 'charge');
    expect(charges).toHaveLength(1);
    expect(played.sent.filter(({ step }) => step === 'charge')).toHaveLength(2);
  });

  test('a key that its provider does not know any more is never sent again', () => {
    const providers = { keyed: { keyWindowMs: null } };
    const { played } = play(trip, { 'charge, attempt 1': 'answer lost' }, { providers });
    expect(played.sent.filter(({ step }) => step === 'charge')).toHaveLength(1);
  });

  test('what takes effect after its time-out does so within what its provider states', () => {
    const late = { 'flight, attempt 1': 'takes effect after its time-out' };
    const providers = { askable: { settlesMs: 2_000, keyWindowMs: null } };
    const { played } = play(trip, late, { providers });
    const [seat] = played.effects.filter(({ step }) => step === 'flight');
    const [sent] = played.sent.filter(({ step }) => step === 'flight');
    expect((seat?.at ?? 0) - (sent?.at ?? 0)).toBe(11_000);
  });
});
