import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Answer, Body, Lost, NotSent } from '../../src/engine/providers/answer.js';
import {
  classify,
  readFinding,
  readOutcome,
  type AnswerTable,
} from '../../src/engine/providers/classify-response.js';
import { whenDone, whenOne } from '../../src/engine/providers/judge-answer.js';
import {
  again,
  cannotTell,
  differs,
  done,
  found,
  notThere,
  refused,
  unknown,
  type Finding,
  type Outcome,
} from '../../src/engine/saga/outcome.js';

const empty: Body = { kind: 'empty' };
const page: Body = { kind: 'unreadable', why: 'not-json-type' };
const json = (value: unknown): Body => ({ kind: 'json', value });
const coded = (code: unknown): Body => json({ error: { code, message: 'For Ada Byron' } });

function answered(status: number, body: Body, retryAfterMs?: number): Answer {
  const waiting = retryAfterMs === undefined ? {} : { retryAfterMs };
  return { kind: 'answered', status, body, ...waiting };
}

test.each<[NotSent]>([
  ['connection-refused'],
  ['name-not-found'],
  ['tls-failed'],
  ['not-connected'],
  ['deadline'],
])('what was not sent (%s) did not happen', (reason) => {
  expect(classify({ kind: 'not-sent', reason })).toEqual(again(reason));
});

test.each<[Lost]>([['time-out'], ['connection-lost'], ['truncated'], ['too-large'], ['not-http']])(
  'what was lost (%s) is unknown',
  (cause) => {
    expect(classify({ kind: 'lost', cause })).toEqual(unknown(cause));
  },
);

test.each<[status: number, Body, Outcome<unknown>]>([
  [200, json({ id: 'x' }), done({ id: 'x' })],
  [200, empty, done(null)],
  [200, page, unknown('not-json-type')],
  [201, json({ id: 'x' }), done({ id: 'x' })],
  [201, { kind: 'unreadable', why: 'not-json' }, unknown('not-json')],
  [202, json({ id: 'x' }), unknown('only-accepted')],
  [203, json({ id: 'x' }), unknown('http-203')],
  [204, empty, unknown('no-content')],
  [206, json({ id: 'x' }), unknown('http-206')],
  [301, empty, unknown('redirected')],
  [302, json({ error: { code: 'moved' } }), unknown('redirected')],
  [304, empty, unknown('redirected')],
  [307, empty, unknown('redirected')],
  [400, coded('bad_request'), refused('bad_request')],
  [400, page, refused('http-400')],
  [401, coded('invalid_key'), refused('our-key-rejected')],
  [401, page, refused('our-key-rejected')],
  [402, coded('card_declined'), refused('card_declined')],
  [402, empty, refused('http-402')],
  [403, coded('no_scope'), refused('our-key-forbidden')],
  [404, coded('no_such_offer'), refused('no_such_offer')],
  [404, page, refused('http-404')],
  [405, empty, unknown('http-405')],
  [408, empty, unknown('http-408')],
  [409, coded('sold_out'), refused('sold_out')],
  [409, page, unknown('http-409')],
  [410, coded('deadline_passed'), again('deadline-passed')],
  [410, empty, unknown('http-410')],
  [410, coded('gone'), unknown('gone')],
  [422, coded('recipient_refused'), refused('recipient_refused')],
  [425, empty, unknown('http-425')],
  [429, empty, again('http-429')],
  [429, coded('slow_down'), again('slow_down')],
  [500, coded('oops'), unknown('http-500')],
  [502, page, unknown('http-502')],
  [503, empty, unknown('http-503')],
  [504, page, unknown('http-504')],
  [599, empty, unknown('http-599')],
])('a provider that promises nothing answers %i with %j', (status, body, outcome) => {
  expect(classify(answered(status, body))).toEqual(outcome);
});

test.each([
  ['429', 429, again('http-429', 7_000)],
  ['503', 503, unknown('http-503', 7_000)],
])('the wait that a %s asks for is kept', (_name, status, outcome) => {
  expect(classify(answered(status, empty, 7_000))).toEqual(outcome);
});

test.each<[code: unknown, word: string]>([
  ['card_declined', 'card_declined'],
  ['CARD-DECLINED', 'card-declined'],
  ['51', '51'],
  ['a'.repeat(64), 'a'.repeat(64)],
  ['a'.repeat(65), 'http-402'],
  ['', 'http-402'],
  ['Card of Ada Byron declined', 'http-402'],
  ['ada@example.com', 'http-402'],
  ['line\nbreak', 'http-402'],
  [51, 'http-402'],
  [null, 'http-402'],
  [{ code: 'x' }, 'http-402'],
])('the code %j is recorded as %s', (code, word) => {
  expect(classify(answered(402, coded(code)))).toEqual(refused(word));
});

test.each([[null], ['text'], [[]], [{ error: 'card_declined' }], [{ error: null }]])(
  'a refusal that is %j has no code',
  (value) => {
    expect(classify(answered(402, json(value)))).toEqual(refused('http-402'));
  },
);

const own: AnswerTable = [
  { status: 409, code: 'in_progress', means: 'again', as: 'in-progress' },
  { status: 204, means: 'done' },
  { status: 503, means: 'again' },
  { status: 404, needsCode: true, means: 'refused', as: 'no-such-thing' },
];

test.each<[status: number, Body, Outcome<unknown>]>([
  [409, coded('in_progress'), again('in-progress')],
  [409, coded('sold_out'), refused('sold_out')],
  [204, empty, done(null)],
  [503, empty, again('http-503')],
  [404, coded('unheard_of'), refused('no-such-thing')],
  [404, page, refused('http-404')],
])("a provider's own rows come first: %i with %j", (status, body, outcome) => {
  expect(classify(answered(status, body), own)).toEqual(outcome);
});

const Thing = z.object({ id: z.string() });

test.each<[what: string, Answer, Outcome<{ id: string }>]>([
  ['a value', answered(201, json({ id: 'x', more: 1 })), done({ id: 'x' })],
  ['another shape', answered(201, json({ name: 'x' })), unknown('unreadable')],
  ['nothing', answered(201, empty), unknown('unreadable')],
  ['a refusal', answered(402, coded('no')), refused('no')],
])('%s is read', (_what, answer, outcome) => {
  expect(readOutcome(answer, [], Thing)).toEqual(outcome);
});

test.each<[what: string, Answer, Finding<{ id: string }>]>([
  ['a value', answered(200, json({ id: 'x' })), found({ id: 'x' })],
  ['another shape', answered(200, json([])), cannotTell('unreadable')],
  ['a page', answered(200, page), cannotTell('not-json-type')],
  ['a 404', answered(404, coded('not_found')), cannotTell('not_found')],
  ['our key refused', answered(401, empty), cannotTell('our-key-rejected')],
  ['too many questions', answered(429, empty, 3_000), cannotTell('http-429', 3_000)],
  ['overload', answered(503, empty, 3_000), cannotTell('http-503', 3_000)],
  ['no connection', { kind: 'not-sent', reason: 'deadline' }, cannotTell('deadline')],
  ['silence', { kind: 'lost', cause: 'time-out' }, cannotTell('time-out')],
])('a question answered with %s', (_what, answer, finding) => {
  expect(readFinding(answer, Thing)).toEqual(finding);
});

test.each<[what: string, Finding<readonly string[]>, Finding<string>]>([
  ['nothing', found([]), notThere()],
  ['one thing', found(['x']), found('seen x')],
  ['two things', found(['x', 'x']), differs('two-results')],
  ['no answer', cannotTell('time-out', 5), cannotTell('time-out', 5)],
])('of %s under a key', (_what, finding, judged) => {
  expect(whenOne(finding, (entry) => found(`seen ${entry}`))).toEqual(judged);
});

test.each<[Outcome<string>, Outcome<string>]>([
  [done('x'), unknown('x-differs')],
  [refused('no'), refused('no')],
  [again('later', 5), again('later', 5)],
  [unknown('time-out'), unknown('time-out')],
])('only what is done is judged: %j', (outcome, judged) => {
  expect(whenDone(outcome, (value) => unknown(`${value}-differs`))).toEqual(judged);
});
