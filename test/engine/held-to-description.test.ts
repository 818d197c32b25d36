import { expect, test } from 'vitest';
import { judgeBy, templateOf, type Answered } from '../support/held-to-description.js';

const TAG = { schema: { type: 'string', pattern: '^"' }, required: true };
const SECONDS = { schema: { type: 'integer', minimum: 1 } };
const schema = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };
const judge = judgeBy({
  openapi: '3.1.1',
  paths: {
    '/v1/notes/{id}': {
      get: {
        responses: {
          200: {
            headers: { ETag: { $ref: '#/components/headers/Tag' }, 'Retry-After': SECONDS },
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Note' } } },
          },
          204: {},
        },
      },
    },
  },
  components: {
    headers: { Tag: TAG },
    schemas: { Note: schema },
    responses: { MethodNotAllowed: { headers: { Allow: TAG }, content: {} } },
  },
});

const GOOD = { etag: '"1"', 'content-type': 'application/json; charset=utf-8', date: 'today' };
const answer = (changes: Partial<Answered>, headers: Record<string, string> = {}): Answered => ({
  ...{ method: 'GET', path: '/v1/notes/1?a=b', status: 200, text: '{"id":"1","more":2}' },
  headers: new Headers({ ...GOOD, ...headers }),
  ...changes,
});

test.each<[what: string, answer: Answered, faults: readonly (string | RegExp)[]]>([
  ['what is described', answer({}), []],
  ['a number in a header', answer({}, { 'retry-after': '3' }), []],
  ['a body that is left out for HEAD', answer({ method: 'HEAD', text: '' }), []],
  ['what lies outside of the API', answer({ path: '/docs', status: 200 }), []],
  ['nothing, where nothing is described', answer({ status: 204, headers: new Headers() }), []],
  ['another status', answer({ status: 201 }), [/status 201, which is not described/]],
  ['an unknown route that works', answer({ path: '/v1/secret' }), [/status 200/]],
  ['another type', answer({}, { 'content-type': 'text/html' }), [/text\/html, which is not/]],
  ['another body', answer({ text: '{"id":1}' }), [/another body .*id must be string/]],
  ['a header too many', answer({}, { 'x-powered-by': 'us' }), [/x-powered-by, which is not/]],
  ['a header that is wrong', answer({}, { 'retry-after': '0' }), [/Retry-After: 0, but/]],
  ['a header that is no number', answer({}, { 'retry-after': 'soon' }), [/must be integer/]],
  [
    'a header too few',
    answer({ headers: new Headers({ 'content-type': 'application/json' }) }),
    [/lacks the header ETag/],
  ],
  [
    'a method that it has not, without Allow',
    answer({ method: 'PUT', status: 405, headers: new Headers() }),
    [/lacks the header Allow/],
  ],
])('an answer is judged by its description: %s', (_what, given, faults) => {
  const found = judge(given);
  expect(found).toHaveLength(faults.length);
  faults.forEach((fault, index) => expect(found[index]).toMatch(fault));
});

test.each([
  ['/a/b', '/a/b'],
  ['/a/c', '/a/{x}'],
  ['/a/', null],
  ['/a/b/c', null],
])('of the paths /a/{x} and /a/b, %s is %s', (path, template) => {
  expect(templateOf(['/a/{x}', '/a/b'], path)).toBe(template);
});
