import { expect, test } from 'vitest';
import { z } from 'zod';
import { Money } from '../../src/engine/http/money.js';
import { PageQuery } from '../../src/engine/http/page-query.js';
import { sayErrors, sayIssues } from '../../src/engine/http/say-errors.js';
import { Words } from '../../src/engine/http/words.js';

const schema = z.strictObject({
  name: Words(5),
  nights: z.int().min(1).max(9),
  share: z.number().positive(),
  kind: z.enum(['a', 'b']),
  email: z.email(),
  at: z.iso.datetime(),
  list: z.array(z.strictObject({ id: z.string() })).max(1),
  tags: z.record(z.string().max(2), z.string()),
  pay: Money,
});

const good = {
  name: 'Ada',
  nights: 1,
  share: 0.5,
  kind: 'a',
  email: 'ada@example.com',
  at: '2026-11-30T10:00:00Z',
  list: [],
  tags: {},
  pay: { amount: 1, currency: 'INR' },
};

function said(value: unknown, of: z.ZodType = schema): string {
  return sayIssues(of.safeParse(value).error?.issues ?? [], value, 'The body');
}

const MINOR = 'must be a whole number of minor units, such as 240000 for 2,400.00';

test.each([
  [{ name: undefined }, 'name is missing.'],
  [{ name: null }, 'name must be a string.'],
  [{ name: '' }, 'name must not be empty.'],
  [{ name: 'abcdef' }, 'name must have at most 5 characters.'],
  [{ name: '  ' }, 'name must not be blank.'],
  [{ name: 'a\nb' }, 'name must not have control characters or broken ones in it.'],
  [{ nights: '1' }, 'nights must be a number.'],
  [{ nights: 1.5 }, 'nights must be a whole number.'],
  [{ nights: 0 }, 'nights must be at least 1.'],
  [{ nights: 10 }, 'nights must be at most 9.'],
  [{ share: 0 }, 'share must be more than 0.'],
  [{ kind: 'c' }, 'kind must be one of a, b.'],
  [{ email: 'ada' }, 'email must have the form of an e-mail address.'],
  [{ at: 'now' }, 'at must have the form of an instant, such as 2026-11-30T10:00:00Z.'],
  [{ list: [{}] }, 'list.0.id is missing.'],
  [{ list: [{ id: 'x' }, { id: 'y' }] }, 'list must have at most 1 items.'],
  [{ tags: { abc: '' } }, 'tags.abc is no name that is allowed here.'],
  [{ tags: [] }, 'tags must be an object.'],
  [{ pay: { amount: '1', currency: 'INR' } }, `pay.amount ${MINOR}.`],
  [{ pay: { amount: 1.5, currency: 'INR' } }, `pay.amount ${MINOR}.`],
  [{ pay: { amount: 0, currency: 'INR' } }, `pay.amount ${MINOR}.`],
  [{ pay: { currency: 'INR' } }, `pay.amount is missing: it ${MINOR}.`],
  [
    { pay: { amount: 1, currency: 'XYZ' } },
    'pay.currency must be a currency of ISO 4217 in capitals, such as INR.',
  ],
  [{ 'a/b~': 1 }, 'a/b~ is not known here: correct its name or leave it out.'],
])('%j is answered in words: %s', (change, sentence) => {
  expect(said({ ...good, ...change })).toBe(sentence);
});

test.each([
  [[], 'The body must be an object.'],
  [undefined, 'The body is missing.'],
])('%j as the whole is called by its name', (whole, sentence) => {
  expect(said(whole)).toBe(sentence);
});

test.each([['0'], ['101'], ['-1'], ['ten']])('a limit of %s is told its bounds', (limit) => {
  expect(said({ limit }, PageQuery)).toMatch(/^limit must be a whole number from 1 to 100/);
});

test('no value that was sent is quoted', () => {
  const secret = { ...good, kind: 'tok_secret', nights: 'tok_secret', email: 'tok_secret' };
  expect(said(secret)).not.toContain('tok_secret');
});

test('of many errors three are said, and the others are counted', () => {
  expect(said({ ...good, a: 1, b: 1, c: 1, d: 1, e: 1 })).toMatch(
    /^a is not .*; b is not .*; c is not .*; and 2 more, see `errors`\.$/,
  );
});

test.each([
  ['duplicate-member', 'a.b is there twice: send it once.'],
  ['number-not-exact', 'a.b is a number that not every reader reads alike: send fewer digits.'],
  ['a-code-to-come', 'a.b is not allowed.'],
])('the code %s alone is said too', (code, sentence) => {
  expect(sayErrors([{ pointer: '/a/b', code }], 'The body')).toBe(sentence);
});
