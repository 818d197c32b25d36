import { expect, test } from 'vitest';
import { readDeadline } from '../../../src/engine/admission/caller-deadline.js';

test.each([
  ['2026-11-30T10:00:05Z', Date.UTC(2026, 10, 30, 10, 0, 5)],
  ['2026-11-30t10:00:05z', Date.UTC(2026, 10, 30, 10, 0, 5)],
  ['2026-11-30T10:00:05.250Z', Date.UTC(2026, 10, 30, 10, 0, 5, 250)],
  ['2026-11-30T10:00:05.123456789Z', Date.UTC(2026, 10, 30, 10, 0, 5, 123)],
  ['2026-11-30T15:30:05+05:30', Date.UTC(2026, 10, 30, 10, 0, 5)],
  ['2026-11-30T10:00:05-00:00', Date.UTC(2026, 10, 30, 10, 0, 5)],
  ['2028-02-29T00:00:00Z', Date.UTC(2028, 1, 29)],
  ['2016-12-31T23:59:60Z', Date.UTC(2016, 11, 31, 23, 59, 59)],
  ['9999-12-31T23:59:59Z', Date.UTC(9999, 11, 31, 23, 59, 59)],
])('%s is a moment', (text, moment) => {
  expect(readDeadline(text)).toBe(moment);
});

test.each([
  ['nothing', ''],
  ['zero', '0'],
  ['a negative number', '-1'],
  ['a large number', '1e18'],
  ['no number', 'NaN'],
  ['seconds since 1970', '1764496805'],
  ['a day', '2026-11-30'],
  ['no zone', '2026-11-30T10:00:05'],
  ['a blank for the T', '2026-11-30 10:00:05Z'],
  ['a day that is none', '2026-02-30T10:00:05Z'],
  ['a 29th of February that is none', '2027-02-29T00:00:00Z'],
  ['a month that is none', '2026-13-01T10:00:05Z'],
  ['an hour that is none', '2026-11-30T24:00:00Z'],
  ['a minute that is none', '2026-11-30T10:60:00Z'],
  ['a zone that is none', '2026-11-30T10:00:00+24:00'],
  ['the date of HTTP', 'Mon, 30 Nov 2026 10:00:05 GMT'],
  ['two of them', '2026-11-30T10:00:05Z, 2026-11-30T10:00:05Z'],
  ['a year of five digits', '12026-11-30T10:00:05Z'],
])('%s is none', (_what, text) => {
  expect(() => readDeadline(text)).toThrow(expect.objectContaining({ code: 'deadline-malformed' }));
});

test('without the header there is no deadline, and two headers are none', () => {
  expect(readDeadline(undefined)).toBeNull();
  expect(() => readDeadline(['a', 'b'])).toThrow();
});
