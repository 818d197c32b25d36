import { BadRequestException, ForbiddenException, HttpException } from '@nestjs/common';
import { expect, test } from 'vitest';
import { answerToClientError, clientErrorCode } from '../../src/engine/http/client-error.js';
import { problemOf } from '../../src/engine/http/problem-of.js';
import { UnknownSaga } from '../../src/engine/sagas.js';
import { Problem, PROBLEMS, problemDocument } from '../../src/engine/http/problem.js';

const ABOUT = { publicUrl: 'https://api.example.com', requestId: 'r-1' };

/** The closed list that clients rely on. */
const CONTRACT: Readonly<Record<string, number>> = {
  'key-missing': 400,
  'key-malformed': 400,
  'body-malformed': 400,
  'body-invalid': 400,
  'too-deep': 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  'method-not-allowed': 405,
  'not-acceptable': 406,
  'in-progress': 409,
  'reference-in-use': 409,
  'pivot-in-progress': 409,
  'past-pivot': 409,
  'already-ended': 409,
  'case-resolved': 409,
  'changed-since-you-looked': 412,
  'if-match-missing': 428,
  'query-invalid': 400,
  'body-too-large': 413,
  'media-type': 415,
  'key-reused': 422,
  'rate-limited': 429,
  overloaded: 503,
  unavailable: 503,
  internal: 500,
};

test.each(Object.entries(CONTRACT))('%s is answered as %i', (code, status) => {
  expect(PROBLEMS).toHaveProperty([code, 'status'], status);
});

test('key-reused is the only 422', () => {
  const codes = Object.entries(PROBLEMS).filter(([, { status }]) => status === 422);
  expect(codes.map(([code]) => code)).toEqual(['key-reused']);
});

test('a problem is shown as RFC 9457 has it, with its code, its request and its errors', () => {
  const errors = [{ pointer: '/payment/amount', code: 'wrong-type' }];
  expect(problemDocument(new Problem('body-invalid', { errors }), ABOUT)).toEqual({
    type: 'https://api.example.com/problems/body-invalid',
    code: 'body-invalid',
    title: 'The body does not match the schema',
    status: 400,
    detail: 'Correct the members that `errors` points to.',
    request_id: 'r-1',
    errors,
  });
});

test('further members of a problem cannot displace its own', () => {
  const problem = new Problem('reference-in-use', { members: { in_use_by: 'bk_1', status: 200 } });
  expect(problemDocument(problem, ABOUT)).toMatchObject({ in_use_by: 'bk_1', status: 409 });
});

const pgError = (code: string) => Object.assign(new Error('secret words'), { code });

test.each([
  ['a problem', new Problem('key-missing'), 'key-missing'],
  ['a refusal by Nest', new BadRequestException('secret words'), 'request-malformed'],
  ['a guard that says no', new ForbiddenException(), 'forbidden'],
  ['no such route', new HttpException('Cannot GET /secret', 404), 'not-found'],
  ['a body over the limit', { statusCode: 413, message: 'secret words' }, 'body-too-large'],
  ['an unreadable media type', { statusCode: 415 }, 'media-type'],
  ['a teapot', { statusCode: 418 }, 'request-malformed'],
  ['a Postgres that shuts down', pgError('57P01'), 'unavailable'],
  ['a Postgres that starts up', pgError('57P03'), 'unavailable'],
  ['a Postgres with too many guests', pgError('53300'), 'unavailable'],
  ['a statement that took too long', pgError('57014'), 'unavailable'],
  ['a refused connection', pgError('ECONNREFUSED'), 'unavailable'],
  ['a lost connection', new Error('Connection terminated unexpectedly'), 'unavailable'],
  ['a name with two dead addresses', new AggregateError([pgError('ECONNREFUSED')]), 'unavailable'],
  ['a statement that is wrong', pgError('42601'), null],
  ['a row that breaks a constraint', pgError('23505'), null],
  ['a bug', new TypeError('secret words'), null],
  ['something that is no error', 'secret words', null],
  ['a failure of the framework', { statusCode: 500 }, null],
])('%s is answered with a code of ours, and its words are not passed on', (_what, error, code) => {
  const problem = problemOf(error);
  expect(problem?.code ?? null).toBe(code);
  expect(JSON.stringify(problem?.details ?? {})).not.toContain('secret');
});

test('what may come again soon says when', () => {
  expect(problemOf(pgError('57P01'))?.details.headers).toEqual({ 'Retry-After': '1' });
});

test('an API that has not the version of a run is no bug: another one may have it', () => {
  const problem = problemOf(new UnknownSaga('errand', 2));
  expect([problem?.code, problem?.details.headers]).toEqual([
    'unavailable',
    { 'Retry-After': '1' },
  ]);
});

test.each([
  ['HPE_HEADER_OVERFLOW', 431, 'headers-too-large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', 408, 'request-timeout'],
  ['HPE_INVALID_METHOD', 400, 'request-malformed'],
  ['toString', 400, 'request-malformed'],
  [undefined, 400, 'request-malformed'],
])('the parser error %s is a whole HTTP answer with status %i', (parserCode, status, code) => {
  const [head = '', body = ''] = answerToClientError(clientErrorCode(parserCode), ABOUT).split(
    '\r\n\r\n',
  );
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [A-Z]`));
  expect(head).toContain(`Content-Length: ${body.length}`);
  expect(head).toContain('Content-Type: application/problem+json');
  expect(JSON.parse(body)).toMatchObject({ code, status, request_id: 'r-1' });
});
