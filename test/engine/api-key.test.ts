import { expect, test } from 'vitest';
import { bearerKey, isSameKey, keyId, newApiKey } from '../../src/engine/accounts/api-key.js';

test('a key names its id, and is known by its hash alone', () => {
  const { id, key, hash } = newApiKey();
  expect(keyId(key)).toBe(id);
  expect(key).toMatch(/^rk_live_[0-9a-f]{16}_[\w-]{43}$/);
  expect(newApiKey('test').key).toMatch(/^rk_test_/);
  expect(() => newApiKey('te_st')).toThrow(RangeError);
  expect(hash).toHaveLength(32);
  expect(isSameKey(key, hash)).toBe(true);
  expect(isSameKey(newApiKey().key, hash)).toBe(false);
});

test('two keys are never the same', () => {
  const keys = Array.from({ length: 200 }, () => newApiKey());
  expect(new Set(keys.map(({ id }) => id)).size).toBe(200);
  expect(new Set(keys.map(({ key }) => key.slice(-43))).size).toBe(200);
});

test.each([
  ['', null],
  ['rk_', null],
  ['rk_abc', null],
  [`rk_abc_${'s'.repeat(42)}`, null],
  [`rk_abc_${'s'.repeat(44)}`, null],
  [`rk_ABC_${'s'.repeat(43)}`, null],
  [`rk_a_b_${'s'.repeat(43)}`, null],
  [`rk_LIVE_abc_${'s'.repeat(43)}`, null],
  [`rk_live__${'s'.repeat(43)}`, null],
  [`rk_live_a_b_${'s'.repeat(43)}`, null],
  [`rk_live_abc_${'s'.repeat(43)}`, 'abc'],
  [`rk_live_abc_${'_'.repeat(43)}`, 'abc'],
  [`rk_live_${'s'.repeat(43)}`, 'live'],
  [`sk_abc_${'s'.repeat(43)}`, null],
  [`rk_abc_${'_'.repeat(43)}`, 'abc'],
  [`rk_abc_${'s'.repeat(43)}`, 'abc'],
])('the id in %s is %s', (key, id) => {
  expect(keyId(key)).toBe(id);
});

test.each([
  [undefined, null],
  ['', null],
  ['Bearer', null],
  ['Bearer ', null],
  ['Basic abc', null],
  ['Bearer a b', null],
  ['Bearer abc', 'abc'],
  ['bearer   abc', 'abc'],
  ['BEARER abc', 'abc'],
])('Authorization: %s carries the key %s', (header, key) => {
  expect(bearerKey(header)).toBe(key);
});
