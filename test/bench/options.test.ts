import { describe, expect, test } from 'vitest';
import { readOptions, WrongUsage } from '../../bench/options.js';

describe('what the bench is told', () => {
  test('without options it measures all at every load, and publishes', () => {
    expect(readOptions([])).toEqual({
      rounds: 5,
      seconds: 8,
      only: ['a', 'b', 'c', 'd'],
      loads: [1, 20, 50],
      explorer: { rounds: 2, faults: 3 },
      claims: { rows: 1_000_000 },
      door: { crowds: 100 },
      profile: false,
      whole: true,
    });
  });

  test('each option changes one thing, and a quick run is only shorter', () => {
    const { rounds, seconds, only, loads } = readOptions([
      '--quick',
      '--only',
      'b,a',
      '--at',
      '50,1',
    ]);
    expect({ rounds, seconds, only, loads }).toEqual({
      ...{ rounds: 1, seconds: 3 },
      only: ['a', 'b'],
      loads: [1, 50],
    });
  });

  test('a profile is of the engine and the saga by hand, and of what else is asked for', () => {
    expect(readOptions(['--profile']).only).toEqual(['a', 'b']);
    expect(readOptions(['--profile', '--only', 'c']).only).toEqual(['c']);
  });

  test('the explorer is measured with all, or where it is asked for', () => {
    expect(readOptions(['--quick']).explorer).toEqual({ rounds: 1, faults: 2 });
    expect(readOptions(['--profile']).explorer).toBe(null);
    expect(readOptions(['--only', 'a,b']).explorer).toBe(null);
    const { only, explorer } = readOptions(['--only', 'explorer']);
    expect({ only, explorer }).toEqual({ only: [], explorer: { rounds: 2, faults: 3 } });
  });

  test('claims and the front door are measured with all, or where it is asked for', () => {
    const { only, explorer, claims, door } = readOptions(['--only', 'claims,door']);
    expect({ only, explorer, claims, door }).toEqual({
      only: [],
      explorer: null,
      claims: { rows: 1_000_000 },
      door: { crowds: 100 },
    });
    const quick = readOptions(['--quick', '--only', 'claims']);
    expect([quick.claims, quick.door]).toEqual([{ rows: 100_000 }, null]);
    const profile = readOptions(['--profile']);
    expect([profile.claims, profile.door]).toEqual([null, null]);
  });

  const publishes: [args: string, whole: boolean][] = [
    ['--rounds 7 --seconds 10', true],
    ['--rounds 4', false],
    ['--seconds 7', false],
    ['--quick', false],
    ['--only a,b,c', false],
    ['--only a,b,c,d', false],
    ['--only a,b,c,d,explorer,claims,door', true],
    ['--at 1,20,50', false],
    ['--profile', false],
  ];
  test.each(publishes)('%s: may write the published table: %s', (args, whole) => {
    expect(readOptions(args.split(' ')).whole).toBe(whole);
  });

  const wrong: [args: string, says: RegExp][] = [
    ['--rounds 0', /^--rounds: a whole number from 1 to 9999 expected, not 0$/],
    ['--seconds 1.5', /^--seconds: .* not 1\.5$/],
    ['--at 20,', /^--at: /],
    ['--only a,e', /^--only: a, b, c, d, explorer, claims, door expected, not e$/],
    ['--onyl a', /--onyl/],
    ['a', /a/],
  ];
  test.each(wrong)('%s is refused', (args, says) => {
    expect(() => readOptions(args.split(' '))).toThrow(WrongUsage);
    expect(() => readOptions(args.split(' '))).toThrow(says);
  });
});
