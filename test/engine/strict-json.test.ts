import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Problem } from '../../src/engine/http/problem.js';
import { DEPTH_LIMIT, parseStrictJson } from '../../src/engine/http/strict-json.js';

// A red run can be repeated, and a green one stays green: another seed tries other values.
fc.configureGlobal({ seed: 20_261_130 });

const bytes = (text: string) => new TextEncoder().encode(text);

function problemOf(body: string | Uint8Array): Problem {
  try {
    parseStrictJson(typeof body === 'string' ? bytes(body) : body);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error('it was let through');
}

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

test('whatever JSON writes is read as JSON reads it', () => {
  const value = fc.jsonValue({ maxDepth: 5, noUnicodeString: false });
  const holdsExactly = (text: string) => !/__proto__|\\u0000|\\ud[89a-f]/i.test(text);
  fc.assert(
    fc.property(value, (given) => {
      const text = JSON.stringify(given);
      fc.pre(holdsExactly(text) && !/\d{17}|e[+-]?\d/i.test(text));
      expect(parseStrictJson(bytes(text))).toEqual(JSON.parse(text));
    }),
  );
});

test.each([
  ['an empty text', ''],
  ['half a document', '{"amount": 1'],
  ['two documents', '{} {}'],
  ['a comment', '{"a": 1 /* one */}'],
  ['a comma too many', '{"a": 1,}'],
  ['NaN, which is no JSON', '{"a": NaN}'],
  ['a byte order mark', '\uFEFF{}'],
  ['a raw line break in a string', '{"a": "\n"}'],
  ['bytes that are no UTF-8', new Uint8Array([0x22, 0xff, 0x22])],
  ['UTF-16', new Uint8Array([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00])],
])('%s is body-malformed', (_what, body) => {
  expect(problemOf(body).code).toBe('body-malformed');
});

test.each([5_000, 50_000, DEPTH_LIMIT + 1])('%i levels are too deep', (levels) => {
  expect(problemOf(nested(levels)).code).toBe('too-deep');
});

test('as many levels as allowed are read', () => {
  expect(() => parseStrictJson(bytes(nested(DEPTH_LIMIT)))).not.toThrow();
});

test('brackets in strings do not count as levels', () => {
  expect(parseStrictJson(bytes(JSON.stringify({ a: '[{'.repeat(100) })))).toHaveProperty('a');
});

test.each([
  ['9007199254740993', 'one above what a double holds'],
  ['9007199254740992', 'held, but not safely'],
  ['-9007199254740993', 'the same below zero'],
  ['123456789012345678901234567890', 'a number of thirty digits'],
  ['1e400', 'more than a double can be'],
  ['1e-400', 'less than a double can be'],
  ['240000.00000000000001', 'a fraction that would be lost'],
  ['0.1000000000000000055511151231257827', 'more digits than a double keeps'],
])('the number %s is refused: %s', (literal) => {
  expect(problemOf(`{"payment": {"amount": ${literal}}}`)).toMatchObject({
    code: 'body-invalid',
    details: { errors: [{ pointer: '/payment/amount', code: 'number-not-exact' }] },
  });
});

test.each([
  ['9007199254740991', 9_007_199_254_740_991],
  ['240000', 240_000],
  ['2.4e5', 240_000],
  ['240000.00', 240_000],
  ['1E2', 100],
  ['100e-2', 1],
  ['0.1', 0.1],
  ['0.0', 0],
  ['-0', -0],
  ['0e99', 0],
])('the number %s is exact', (literal, value) => {
  expect(parseStrictJson(bytes(`[${literal}]`))).toEqual([value]);
});

test.each([
  ['a name that comes twice', '{"a": 1, "a": 100000}', '/a', 'duplicate-member'],
  ['the same name spelled with an escape', '{"a": 1, "\\u0061": 2}', '/a', 'duplicate-member'],
  ['a duplicate deep down', '[{"x": {"b": 1, "b": 2}}]', '/0/x/b', 'duplicate-member'],
  ['the second item of a list', '[{}, {"b": 1, "b": 2}]', '/1/b', 'duplicate-member'],
  ['a prototype', '{"a": {"__proto__": {"admin": true}}}', '/a/__proto__', 'unknown-member'],
  ['a NUL in a value', '{"a": "x\\u0000"}', '/a', 'character-not-allowed'],
  ['half a surrogate pair', '{"a": ["\\ud800"]}', '/a/0', 'character-not-allowed'],
  ['the other half', '{"a": "\\udc00x"}', '/a', 'character-not-allowed'],
  ['a NUL in a name', '{"a": {"\\u0000": 1}}', '/a/', 'character-not-allowed'],
  ['a name with a slash and a tilde', '{"a/b~c": 1e400}', '/a~1b~0c', 'number-not-exact'],
])('%s is pointed to', (_what, body, pointer, code) => {
  expect(problemOf(body).details.errors).toEqual([{ pointer, code }]);
});

test('the same name in different objects is no duplicate', () => {
  expect(parseStrictJson(bytes('{"a": {"a": 1}, "b": {"a": 2}}'))).toEqual({
    a: { a: 1 },
    b: { a: 2 },
  });
});

test('a whole surrogate pair is a character like any other', () => {
  expect(parseStrictJson(bytes('{"a": "\\ud83d\\ude00 😀"}'))).toEqual({ a: '😀 😀' });
});

test('a body full of errors names twenty, with short pointers', () => {
  const name = 'n'.repeat(10_000);
  const body = `{"${name}": [${Array.from({ length: 500 }, () => '1e400').join()}]}`;
  const { errors = [] } = problemOf(body).details;
  expect(errors).toHaveLength(20);
  expect(JSON.stringify(errors).length).toBeLessThan(10_000);
});
