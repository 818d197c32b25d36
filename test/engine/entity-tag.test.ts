import { describe, expect, test } from 'vitest';
import {
  entityTag,
  hasAlready,
  refuseChanged,
  revisionsIn,
  revisionTag,
} from '../../src/engine/http/entity-tag.js';

const A = entityTag(7, Buffer.from('{"a":1}'));
const B = entityTag(7, Buffer.from('{"a":2}'));

test('an answer has a tag of its revision and of each of its bytes', () => {
  expect(A).toMatch(/^"7-[\w-]{22}"$/);
  expect(entityTag(7, Buffer.from('{"a":1}'))).toBe(A);
  expect(B).not.toBe(A);
  expect(entityTag(8, Buffer.from('{"a":1}'))).not.toBe(A);
});

// Would take half a minute if each blank were tried as the end of a run of blanks.
test.each([',', A])('a hundred thousand blanks after %s are read once', (start) => {
  expect(hasAlready(`${start}${' '.repeat(100_000)}x`, A)).toBe(false);
});

test.each([
  [undefined, false],
  ['', false],
  ['*', true],
  [' * ', true],
  [A, true],
  [`W/${A}`, true],
  [`${B}, ${A}`, true],
  [`${B},W/${A} `, true],
  [`, ${A},,`, true],
  [B, false],
  [revisionTag(7), false],
  ['"a,b"', false],
  [A.slice(1, -1), false],
  [`${A}, x`, false],
  [`${A}; q=1`, false],
  [`*, ${A}`, false],
  [`w/${A}`, false],
  ['"'.repeat(10_000), false],
  [' '.repeat(10_000), false],
])('who has read A and sends If-None-Match: %s has it already: %s', (header, known) => {
  expect(hasAlready(header, A)).toBe(known);
});

test.each([
  ['"7"', [7]],
  [A, [7]],
  [`${A}, "8"`, [7, 8]],
  ['*', 'any'],
  ['W/"7"', []],
  ['7', []],
  ['"07"', [7]],
  ['"-7"', []],
  ['"7.5"', []],
  ['"7-short"', []],
  ['"1234567890"', []],
  ['', []],
  ['"7", x', []],
])('If-Match: %s names the revisions %j', (header, revisions) => {
  expect(revisionsIn(header)).toEqual(revisions);
});

describe('what was decided by another revision', () => {
  test.each([undefined, '*', '"7"', A, `"6", ${A}`])('goes on with If-Match: %s', (header) => {
    expect(() => refuseChanged(header, 7)).not.toThrow();
  });

  test.each(['', '"6"', 'W/"7"', '7', 'null'])('is refused with If-Match: %s', (header) => {
    expect(() => refuseChanged(header, 7)).toThrow(
      expect.objectContaining({
        code: 'changed-since-you-looked',
        details: { headers: { ETag: '"7"' } },
      }),
    );
  });
});
