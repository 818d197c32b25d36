import { expect, test } from 'vitest';
import { decideClaim } from '../../src/engine/idempotency/decide-claim.js';
import { fingerprint } from '../../src/engine/idempotency/fingerprint.js';

const ONE = Buffer.alloc(32, 1);
const OTHER = Buffer.alloc(32, 2);

const answered = (fingerprint: Buffer) => ({ kind: 'answered', fingerprint }) as const;
const atWork = (fingerprint: Buffer, leaseMs: number) =>
  ({ kind: 'at-work', fingerprint, leaseMs }) as const;

test.each([
  // what is kept            asked  decision
  ['nothing', null, ONE, 'proceed'],
  ['this answer', answered(ONE), ONE, 'replay'],
  ['another answer', answered(OTHER), ONE, 'mismatch'],
  ['this request at work', atWork(ONE, 1), ONE, 'busy'],
  ['another request at work', atWork(OTHER, 1), ONE, 'mismatch'],
  ['this request, whose lease is over', atWork(ONE, 0), ONE, 'resume'],
  ['another request, whose lease is over', atWork(OTHER, -1), ONE, 'mismatch'],
])('where the key holds %s', (_what, held, asked, decision) => {
  expect(decideClaim(held, asked)).toBe(decision);
});

const request = {
  method: 'POST',
  path: '/v1/bookings',
  query: {},
  body: { a: 1, X: 2, x: [1, 2] },
};
const print = (changes: object) => fingerprint({ ...request, ...changes }).toString('hex');

test.each([
  ['members in another order', { body: { x: [1, 2], X: 2, a: 1 } }],
  ['one way of writing a number', { body: JSON.parse('{"a": 1.0, "X": 2e0, "x": [1, 2]}') }],
])('%s make the same request', (_what, changes) => {
  expect(print(changes)).toBe(print({}));
});

test('no body and an empty object are the same request', () => {
  expect(print({ body: undefined })).toBe(print({ body: {} }));
});

test.each([
  ['another value', { body: { a: 2, X: 2, x: [1, 2] } }],
  ['a list in another order', { body: { a: 1, X: 2, x: [2, 1] } }],
  ['names that swap their case', { body: { a: 1, X: [1, 2], x: 2 } }],
  ['a member more', { body: { ...request.body, b: null } }],
  ['another path', { path: '/v1/bookings/bk_1/cancel' }],
  ['another method', { method: 'PUT' }],
  ['a query', { query: { dry: '1' } }],
  ['another Unicode form of a letter', { body: { a: 1, X: 2, x: ['e\u0301'] } }],
])('%s makes another request', (_what, changes) => {
  expect(print(changes)).not.toBe(print({}));
});

test('composed and decomposed letters are not the same request', () => {
  expect(print({ body: { name: '\u00e9' } })).not.toBe(print({ body: { name: 'e\u0301' } }));
});

test('a fingerprint is a sha256', () => {
  expect(fingerprint(request)).toHaveLength(32);
});
