import { expect, test } from 'vitest';
import { readCursor, writeCursor } from '../../src/engine/http/cursor.js';
import { Problem } from '../../src/engine/http/problem.js';

const HERE = { at: '1764450000123456', id: `bk_${'a2'.repeat(13)}` };
const LIST = { account: 'acme', status: 'pending' };
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

test('a cursor leads back to its position', () => {
  expect(readCursor(writeCursor(HERE, LIST), LIST)).toEqual(HERE);
});

test('no cursor is the beginning', () => {
  expect(readCursor(undefined, LIST)).toBeNull();
});

const name = JSON.parse(Buffer.from(writeCursor(HERE, LIST), 'base64url').toString())[2];

test.each([
  ['of another account', writeCursor(HERE, { ...LIST, account: 'zenith' })],
  ['of another filter', writeCursor(HERE, { ...LIST, status: null })],
  ['that is empty', ''],
  ['that is no base64', '%%%'],
  ['that is no JSON', Buffer.from('[1').toString('base64url')],
  ['with a time that is none', encoded(["2026-01-01'; --", HERE.id, name])],
  ['with a time beyond all time', encoded(['9'.repeat(30), HERE.id, name])],
  ['with an id that is none', encoded([HERE.at, 'bk_\u0000', name])],
  ['with more than a cursor has', encoded([HERE.at, HERE.id, name, 1])],
  ['that is an object', encoded({ at: HERE.at, id: HERE.id })],
])('a cursor %s is refused', (_what, cursor) => {
  expect(() => readCursor(cursor, LIST)).toThrow(
    expect.objectContaining({
      code: 'query-invalid',
      details: {
        detail: expect.stringContaining('next_cursor'),
        errors: [{ pointer: '/cursor', code: 'not-allowed' }],
      },
    }) as Problem,
  );
});
