import { expect, test } from 'vitest';
import { z } from 'zod';
import { memberErrors } from '../../src/engine/http/member-error.js';
import { Words } from '../../src/engine/http/words.js';

const schema = z.strictObject({
  name: Words(5),
  count: z.int().min(1).max(9),
  kind: z.enum(['a', 'b']),
  email: z.email(),
  list: z.array(z.strictObject({ id: z.string() })).max(1),
  tags: z.record(z.string().max(2), z.string()),
  code: z.string().refine((text) => text === 'ok', { params: { code: 'own-code' } }),
});

const good = {
  name: 'Ada',
  count: 1,
  kind: 'a',
  email: 'ada@example.com',
  list: [],
  tags: {},
  code: 'ok',
};

function errorsOf(value: unknown) {
  const result = schema.safeParse(value);
  return memberErrors(result.error?.issues ?? [], value);
}

test.each([
  [{ name: undefined }, '/name', 'required'],
  [{ name: null }, '/name', 'wrong-type'],
  [{ name: '' }, '/name', 'too-small'],
  [{ name: 'abcdef' }, '/name', 'too-big'],
  [{ name: '  ' }, '/name', 'blank'],
  [{ name: 'a\r\nb' }, '/name', 'character-not-allowed'],
  [{ count: '1' }, '/count', 'wrong-type'],
  [{ count: true }, '/count', 'wrong-type'],
  [{ count: 1.5 }, '/count', 'wrong-type'],
  [{ count: 0 }, '/count', 'too-small'],
  [{ count: 10 }, '/count', 'too-big'],
  [{ kind: 'c' }, '/kind', 'not-allowed'],
  [{ kind: undefined }, '/kind', 'required'],
  [{ email: 'ada' }, '/email', 'wrong-format'],
  [{ list: [{}] }, '/list/0/id', 'required'],
  [{ list: [{ id: 'x' }, { id: 'y' }] }, '/list', 'too-big'],
  [{ tags: { abc: '' } }, '/tags/abc', 'name-not-allowed'],
  [{ tags: { a: 1 } }, '/tags/a', 'wrong-type'],
  [{ code: 'no' }, '/code', 'own-code'],
  [{ 'is/admin~': true }, '/is~1admin~0', 'unknown-member'],
  [{ toString: 1 }, '/toString', 'unknown-member'],
])('%j is an error at %s: %s', (change, pointer, code) => {
  expect(errorsOf({ ...good, ...change })).toEqual([{ pointer, code }]);
});

test.each([[[]], ['text'], [null], [7]])('%j as the whole body is of the wrong type', (value) => {
  expect(errorsOf(value)).toEqual([{ pointer: '', code: 'wrong-type' }]);
});

test('no body at all is a required one', () => {
  expect(errorsOf(undefined)).toEqual([{ pointer: '', code: 'required' }]);
});

test('thousands of unknown members are answered with twenty', () => {
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`m${index}`, 1]));
  expect(errorsOf({ ...good, ...many })).toHaveLength(20);
});
