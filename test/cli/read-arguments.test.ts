import { describe, expect, test } from 'vitest';
import { WrongUsage } from '../../src/cli/cli-failure.js';
import {
  readAccount,
  readCaseId,
  readDurationMs,
  readLimit,
  readRunId,
  readVerdict,
  readWords,
} from '../../src/cli/read-arguments.js';

const TAIL = 'abcdefghijklmnopqrstuvwxyz';

const readLength = (text: string) => readDurationMs('--silent-for', text);

test.each([
  [readRunId, `bk_${TAIL}`],
  [readCaseId, `case_${TAIL}`],
  [readAccount, 'acme_2'],
])('%o takes %s', (read, text) => {
  expect(read(text)).toBe(text);
});

test.each([
  [readRunId, `case_${TAIL}`],
  [readRunId, `bk_${TAIL.slice(1)}`],
  [readRunId, `bk_${TAIL}_${TAIL}`],
  [readRunId, '..'],
  [readCaseId, `bk_${TAIL}`],
  [readCaseId, `case_${TAIL.toUpperCase()}`],
  [readAccount, 'Acme'],
  [readAccount, '2acme'],
  [readAccount, 'a'.repeat(41)],
  [readLimit, '0'],
  [readLimit, '1e3'],
  [readLimit, '10001'],
  [readLength, '10'],
  [readLength, 'm'],
  [readLength, '1w'],
  [readLength, '-5m'],
  [(text: string) => readWords('--note', text), ' '],
  [(text: string) => readWords('--note', text), 'two\nlines'],
  [(text: string) => readWords('--note', text), 'n'.repeat(201)],
])('%o does not take %j', (read, text) => {
  expect(() => read(text)).toThrow(WrongUsage);
});

test.each([
  ['90s', 90_000],
  ['10m', 600_000],
  ['6h', 21_600_000],
  ['2d', 172_800_000],
])('%s is %i milliseconds', (text, ms) => {
  expect(readLength(text)).toBe(ms);
});

describe('a verdict as it is typed', () => {
  const typed = { verdict: 'happened', evidence: 'their list', reason: 'it is there' } as const;

  test('becomes the one that is sent', () => {
    expect(readVerdict(typed)).toEqual(typed);
    expect(readVerdict({ ...typed, value: '{"id": "rs_1"}' })).toEqual({
      ...typed,
      value: { id: 'rs_1' },
    });
    expect(readVerdict({ ...typed, value: 'null' })).toHaveProperty('value', null);
    expect(readVerdict({ ...typed, amount: '9000', currency: 'INR' })).toEqual({
      ...typed,
      amount: { amount: 9_000, currency: 'INR' },
    });
  });

  test.each([
    [{ value: 'rs_1' }, /--value: JSON expected/],
    [{ evidence: '' }, /--evidence: one line of 1 to 2000 characters/],
    [{ evidence: ' ' }, /--evidence: one line/],
    [{ reason: 'r'.repeat(2_001) }, /--reason: one line/],
    [{ amount: '9000' }, /--amount and --currency/],
    [{ currency: 'INR' }, /--amount and --currency/],
    [{ amount: '90.00', currency: 'INR' }, /--amount 90\.00: .*minor units/],
    [{ amount: '0', currency: 'INR' }, /minor units/],
    [{ amount: '-1', currency: 'INR' }, /minor units/],
    [{ amount: '9007199254740993', currency: 'INR' }, /minor units/],
  ])('with %o is wrong usage', (options, message) => {
    expect(() => readVerdict({ ...typed, ...options })).toThrow(WrongUsage);
    expect(() => readVerdict({ ...typed, ...options })).toThrow(message);
  });
});
