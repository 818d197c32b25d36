import { expect, test } from 'vitest';
import { ApiRefused, type Refusal } from '../../src/cli/api-refusal.js';
import { CliFailure, exitCodeOf, sayError, WrongUsage } from '../../src/cli/cli-failure.js';
import { databaseFailure } from '../../src/cli/database-failure.js';
import { ConfigError } from '../../src/config.js';

test.each([
  [new CliFailure('the hotel is gone'), 1],
  [new TypeError('a mistake of ours'), 1],
  ['no error at all', 1],
  [new WrongUsage('--limit x'), 2],
  [new ConfigError('PORT: wrong'), 2],
])('%o ends with %d', (error, code) => {
  expect(exitCodeOf(error)).toBe(code);
});

test.each([
  [new CliFailure('one line'), 'recourse: one line'],
  [new Error(' first\n   second\r\nthird\n'), 'recourse: first second third'],
  [new RangeError(''), 'recourse: RangeError'],
])('%o is one line for a person', (error, line) => {
  expect(sayError(error)).toBe(line);
});

const request = 'GET http://127.0.0.1:3000/v1/cases';
const refused = (refusal: Partial<Refusal>) =>
  new ApiRefused({ request, status: 400, retryAfter: null, body: undefined, ...refusal });
const problem = { request_id: 'req_7', title: 'It did not work', detail: 'Do it otherwise.' };

test.each<[string, Partial<Refusal>, string]>([
  [
    'what, what to do, and where',
    { status: 409, body: { ...problem, code: 'in-progress' }, retryAfter: '1' },
    `It did not work. Do it otherwise. (in-progress 409, ${request}, request req_7, again in 1 s)`,
  ],
  [
    'the members that are wrong',
    {
      body: { ...problem, code: 'body-invalid', errors: [{ pointer: '/value', code: 'required' }] },
    },
    `It did not work. Do it otherwise. (body-invalid 400, /value required, ${request}, request req_7)`,
  ],
  [
    'how the CLI is given another key',
    { status: 403, body: { ...problem, code: 'forbidden' } },
    `It did not work. Set RECOURSE_KEY to an operator’s key. (forbidden 403, ${request}, request req_7)`,
  ],
  [
    'that something else answered',
    { status: 502, body: undefined },
    `${request} was answered 502 without a word of why: look whether RECOURSE_URL names the API of Recourse`,
  ],
])('a refusal of the API says %s', (_what, refusal, message) => {
  expect(refused(refusal).message).toBe(message);
});

const url = 'postgres://ada:secret@db.example.com:5432/recourse';
const coded = (code: string, message: string) => Object.assign(new Error(message), { code });

test.each([
  [coded('42P01', 'relation "accounts" does not exist'), /lacks the schema.*npx recourse migrate/],
  [
    coded('28P01', 'password authentication failed'),
    /password authentication failed.*DATABASE_URL/,
  ],
  [coded('ECONNREFUSED', ''), /db\.example\.com:5432\/recourse cannot be used: ECONNREFUSED/],
])(
  'an error of the database, %o, is told with its place and without its password',
  (error, line) => {
    const failure = databaseFailure(url, error);
    expect(failure).toBeInstanceOf(CliFailure);
    expect(sayError(failure)).toMatch(line);
    expect(sayError(failure)).not.toContain('secret');
  },
);

test('an error that is not of the database stays what it is', () => {
  const error = new TypeError('ours');
  expect(databaseFailure(url, error)).toBe(error);
});
