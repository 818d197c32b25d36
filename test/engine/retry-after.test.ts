import { expect, test } from 'vitest';
import { retryAfterMs } from '../../src/engine/providers/retry-after.js';
import { LONGEST_RETRY_AFTER_MS } from '../../src/engine/saga/retry-policy.js';

const now = new Date(Date.UTC(2026, 2, 1, 12, 0, 0));

test.each<[string | undefined, number | undefined]>([
  ['1', 1_000],
  [' 120 ', 120_000],
  ['300', LONGEST_RETRY_AFTER_MS],
  ['301', LONGEST_RETRY_AFTER_MS],
  ['1000000000', LONGEST_RETRY_AFTER_MS],
  ['9'.repeat(400), LONGEST_RETRY_AFTER_MS],
  ['Sun, 01 Mar 2026 12:00:30 GMT', 30_000],
  ['Fri, 31 Dec 2099 23:59:59 GMT', LONGEST_RETRY_AFTER_MS],
  // A wait of nothing, and garbage: our own back-off decides.
  ['0', undefined],
  ['Sun, 01 Mar 2026 11:59:59 GMT', undefined],
  [undefined, undefined],
  ['', undefined],
  ['-1', undefined],
  ['1.5', undefined],
  ['1e3', undefined],
  ['0x10', undefined],
  ['soon', undefined],
  ['2026-03-01T12:00:30Z', undefined],
  ['Sun, 99 Mar 2026 12:00:30 GMT', undefined],
  ['Sunday, 01-Mar-26 12:00:30 GMT', undefined],
])('Retry-After %j waits %j ms', (header, ms) => {
  expect(retryAfterMs(header, now)).toBe(ms);
});
