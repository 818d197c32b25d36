import { expect, test } from 'vitest';
import { Problem } from '../../src/engine/http/problem.js';
import { KEY_PATTERN, readIdempotencyKey } from '../../src/engine/idempotency/idempotency-key.js';

const LONGEST = 'k'.repeat(255);

function codeOf(header: string | readonly string[] | undefined): string {
  try {
    return readIdempotencyKey(header);
  } catch (error) {
    if (error instanceof Problem) return error.code;
    throw error;
  }
}

const KEYS = [
  ['abc', 'abc'],
  ['"abc"', 'abc'],
  ['8e03978e-40d5-43e8-bc93-6894a57f9324', '8e03978e-40d5-43e8-bc93-6894a57f9324'],
  ['"8e03978e-40d5-43e8-bc93-6894a57f9324"', '8e03978e-40d5-43e8-bc93-6894a57f9324'],
  ['a', 'a'],
  ['order 81', 'order 81'],
  ['"order 81"', 'order 81'],
  ['"a, b; c"', 'a, b; c'],
  ['"say \\"hi\\""', 'say "hi"'],
  ['"back\\\\slash"', 'back\\slash'],
  ['back\\slash', 'back\\slash'],
  ['a:b/c?d=e&f%20_', 'a:b/c?d=e&f%20_'],
  ['../../etc', '../../etc'],
  ['__proto__', '__proto__'],
  ['null', 'null'],
  ['0', '0'],
  [LONGEST, LONGEST],
  [`"${LONGEST}"`, LONGEST],
] as const;

test.each(KEYS)('%s is the key %s', (header, key) => {
  expect(readIdempotencyKey(header)).toBe(key);
});

test('keys that differ in case only are two keys', () => {
  expect(readIdempotencyKey('ABC')).not.toBe(readIdempotencyKey('abc'));
});

test('no header is a missing key', () => {
  expect(codeOf(undefined)).toBe('key-missing');
});

const MALFORMED = [
  ['nothing', ''],
  ['blanks', '   '],
  ['quoted nothing', '""'],
  ['quoted blanks', '"   "'],
  ['one more than the longest', `${LONGEST}k`],
  ['one more than the longest, quoted', `"${LONGEST}k"`],
  ['two lines, as they arrive', 'abc, abc'],
  ['two quoted lines, as they arrive', '"abc", "abc"'],
  ['two lines, apart', ['abc', 'abc']],
  ['a parameter', '"abc";v=1'],
  ['a bare parameter', 'abc;v=1'],
  ['an open quote', '"abc'],
  ['a quote inside', 'a"b'],
  ['an escape that is none', '"a\\b"'],
  ['a tab', 'a\tb'],
  ['a NUL', 'a\u0000b'],
  ['UTF-8, as it arrives', 'Ã©'],
  ['a letter outside of ASCII, quoted', '"é"'],
  ['a no-break space', '\u00a0'],
  ['a byte sequence', ':YWJj:, x'],
] as const;

test.each(MALFORMED)('%s is a malformed key', (_what, header) => {
  expect(codeOf(header)).toBe('key-malformed');
});

test('the published grammar fits every key, and nothing else but what is too long', () => {
  const grammar = new RegExp(KEY_PATTERN);
  for (const [header] of KEYS) expect(grammar.test(header), header).toBe(true);
  for (const [what, header] of MALFORMED) {
    if (typeof header !== 'string' || header.length > LONGEST.length) continue;
    expect(grammar.test(header), what).toBe(false);
  }
});
