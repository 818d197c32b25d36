import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { AnyText, Words } from '../../src/engine/http/words.js';
import { KEY_PATTERN, readIdempotencyKey } from '../../src/engine/idempotency/idempotency-key.js';

// A red run can be repeated, and a green one stays green: another seed tries other values.
fc.configureGlobal({ seed: 20_261_130 });

// What the description says of a text, and what its reader accepts, are two programs. They agree.

const MOST = 12;
/** Blanks of every kind, control characters, NUL, and what takes two halves to say. */
const odd = fc.constantFrom(
  ' ',
  '\t',
  '\n',
  '\0',
  '\x7f',
  '\x85',
  '\xa0',
  '\u2028',
  '\ufeff',
  '😀',
);
const text = fc
  .array(fc.oneof(odd, fc.string({ unit: 'grapheme', maxLength: 2 })), { maxLength: 16 })
  .map((parts) => parts.join(''));

interface Said {
  readonly pattern: string;
  readonly minLength?: number;
  readonly maxLength: number;
}

function fits(value: string, schema: z.ZodType): boolean {
  const { pattern, minLength = 0, maxLength } = z.toJSONSchema(schema) as unknown as Said;
  const length = Array.from(value).length;
  return new RegExp(pattern, 'u').test(value) && length >= minLength && length <= maxLength;
}

test('one line of text is described as it is read', () => {
  const schema = Words(MOST);
  fc.assert(fc.property(text, (value) => fits(value, schema) === schema.safeParse(value).success));
});

test('any text is described as it is read, but for the NUL that strict JSON refuses', () => {
  const schema = AnyText(MOST);
  const read = (value: string) => !value.includes('\0') && schema.safeParse(value).success;
  fc.assert(fc.property(text, (value) => fits(value, schema) === read(value)));
});

test('an Idempotency-Key is described as it is read', () => {
  const pattern = new RegExp(KEY_PATTERN, 'u');
  const part = fc.constantFrom('a', ' ', '"', '\\', '\\"', '\\\\', ',', ';', ':', '~', 'é', '\t');
  const body = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(''));
  const long = fc.nat({ max: 4 }).map((more) => 'k'.repeat(253 + more));
  const key = fc.oneof(
    body,
    long,
    fc.oneof(body, long).map((inner) => `"${inner}"`),
  );
  fc.assert(
    fc.property(key, (header) => pattern.test(header) === reads(header)),
    { numRuns: 2_000 },
  );
});

function reads(header: string): boolean {
  try {
    return readIdempotencyKey(header) !== '';
  } catch {
    return false;
  }
}

test.each([
  ['twelve letters', 'k'.repeat(12), true],
  ['twelve faces, each two halves', '😀'.repeat(12), true],
  ['thirteen faces', '😀'.repeat(13), false],
])('a length is counted in characters: %s', (_what, value, accepted) => {
  expect(Words(MOST).safeParse(value).success).toBe(accepted);
});
