import { describe, expect, test } from 'vitest';
import { middleOf, quantileOf, spreadOf } from '../../bench/result/numbers.js';
import { figuresOf, ratiosOf } from '../../bench/result/summarise.js';
import { turnsOf } from '../../bench/turns.js';
import { seen } from './measured.js';

describe('numbers', () => {
  const middles: [values: number[], middle: number][] = [
    [[7], 7],
    [[3, 1, 2], 2],
    [[4, 1, 3, 2], 2.5],
  ];
  test.each(middles)('the middle of %j is %d', (values, middle) => {
    expect(middleOf(values)).toBe(middle);
  });

  const quantiles: [share: number, value: number][] = [
    [0, 1],
    [0.5, 50],
    [0.99, 99],
    [1, 100],
  ];
  test.each(quantiles)('of 1 to 100 the share %d does not exceed %d', (share, value) => {
    const values = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect(quantileOf(values, share)).toBe(value);
  });

  test('nothing measured has no figure', () => {
    expect(() => spreadOf([])).toThrow('nothing was measured');
    expect(() => quantileOf([], 0.5)).toThrow('nothing was measured');
  });
});

describe('the turns of a run', () => {
  test('at each load all follow one another, and each round another one begins', () => {
    const turns = turnsOf(['a', 'b', 'c'], [1, 20], 2);
    const told = turns.map(({ round, atOnce, name }) => `${round}:${atOnce}${name}`).join(' ');
    expect(told).toBe('0:1a 0:1b 0:1c 0:20a 0:20b 0:20c 1:1b 1:1c 1:1a 1:20b 1:20c 1:20a');
  });
});

describe('the figures of a run', () => {
  test('are the middle of the rounds, with the least and the most, and without the client', () => {
    const [figures, ...others] = figuresOf([
      seen('a', 0, { seconds: 1 }),
      seen('a', 1, { seconds: 2, cpuMs: { worker: 10, temporal: 10, client: 5 } }),
      seen('a', 2, { seconds: 4, confirmedMs: [5, 6, 7] }),
    ]);
    expect(others).toEqual([]);
    expect(figures).toEqual({
      name: 'a',
      at_once: 20,
      trips: 30,
      trips_per_second: { middle: 5, least: 2.5, most: 10 },
      p50_ms: 20,
      p99_ms: 40,
      confirmed_p50_ms: 6,
      cpu_ms: { worker: 5, temporal: 10 },
      cpu_ms_in_all: { middle: 15, least: 2, most: 15 },
      client_cpu_ms: 100,
    });
  });

  test('a ratio compares what was measured in the same round', () => {
    const ratios = ratiosOf(
      [
        seen('b', 0, { trips: 10 }),
        seen('a', 0, { trips: 8 }),
        seen('a', 1, { trips: 40, cpuMs: { worker: 1_200 } }),
        seen('b', 1, { trips: 40, cpuMs: { worker: 600 } }),
        seen('a', 2, { trips: 1 }),
      ],
      'a',
      'b',
    );
    expect(ratios).toEqual([
      {
        of: 'a',
        to: 'b',
        at_once: 20,
        trips_per_second: { middle: 0.9, least: 0.8, most: 1 },
        cpu_ms: { middle: 1.625, least: 1.25, most: 2 },
      },
    ]);
  });

  test('who was not measured has no ratio', () => {
    expect(ratiosOf([seen('a', 0)], 'a', 'b')).toEqual([]);
  });
});
