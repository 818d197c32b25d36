import { afterAll, beforeAll, expect, test } from 'vitest';
import { PROBLEMS } from '../../src/engine/http/problem.js';
import { ask, PUBLIC_URL, startApi, type TestApi } from '../support/api.js';
import { tripApi, tripSagas } from '../support/trip.js';

interface Media {
  readonly schema: { $ref?: string };
  readonly examples?: Record<string, { readonly value?: object; readonly $ref?: string }>;
}

interface Operation {
  readonly parameters?: readonly { in: string; name: string; required?: boolean }[];
  readonly summary?: string;
  readonly requestBody?: { content: Record<string, Media> };
  readonly responses: Record<string, { content?: Record<string, Media>; links?: object }>;
  readonly security?: readonly object[];
}

let api: TestApi;
let description: {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, unknown>;
    examples: Record<string, { readonly value: { readonly code: string; readonly type: string } }>;
  };
};

beforeAll(async () => {
  api = await startApi(tripApi, tripSagas());
  description = (await ask(api, '/openapi.json', { as: null })).body;
});
afterAll(() => api.close());

const operations = () =>
  Object.entries(description.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );

test('the description names every route that customers and operators have', () => {
  const routes = operations().map(({ path, method }) => `${method} ${path}`);
  expect(routes.toSorted()).toEqual([
    'get /healthz',
    'get /problems',
    'get /problems/{code}',
    'get /readyz',
    'get /v1/bookings',
    'get /v1/bookings/{id}',
    'get /v1/bookings/{id}/events',
    'get /v1/cancellations/{id}',
    'get /v1/cases',
    'get /v1/cases/{id}',
    'get /v1/events',
    'get /v1/runs',
    'get /v1/runs/{id}',
    'post /v1/bookings',
    'post /v1/bookings/{id}/cancel',
    'post /v1/bookings/{id}/cancellations',
    'post /v1/cancellations/{id}/confirm',
    'post /v1/cases/{id}/verdict',
    'post /v1/runs/{id}/actions',
  ]);
});

test('every reference in it leads to a schema', () => {
  const text = JSON.stringify(description);
  const named = [...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)];
  expect(named.length).toBeGreaterThan(10);
  const missing = named.map(([, name = '']) => name).filter((name) => !(name in schemas()));
  expect(missing).toEqual([]);
});

const schemas = () => description.components.schemas;

test('every POST asks for an Idempotency-Key', () => {
  for (const { path, method, operation } of operations()) {
    const keys = (operation.parameters ?? []).filter(({ name }) => name === 'Idempotency-Key');
    const wanted = method === 'post' ? [{ in: 'header', required: true }] : [];
    expect([path, keys]).toMatchObject([path, wanted]);
    expect(keys).toHaveLength(wanted.length);
  }
});

test('every operation names the statuses that it can answer, and nothing for all others', () => {
  for (const { path, operation } of operations()) {
    const statuses = Object.keys(operation.responses);
    expect([path, statuses.filter((status) => !/^[2-5]\d\d$/.test(status))]).toEqual([path, []]);
    expect(statuses).toEqual(expect.arrayContaining(['400', '408', '414', '431', '500']));
  }
  expect(schemas()['Problem']).toMatchObject({
    properties: { code: { enum: Object.keys(PROBLEMS) } },
  });
});

test('every operation says in a line what it does', () => {
  for (const { operation } of operations()) {
    expect(operation.summary).toMatch(/^[A-Z].{8,}[^.]$/);
  }
});

const codesOf = (path: string, method: string, status: string) => {
  const { content } = description.paths[path]?.[method]?.responses[status] ?? {};
  return Object.keys(content?.['application/problem+json']?.examples ?? {});
};

test.each([
  ['/v1/bookings', 'post', '409', ['in-progress', 'reference-in-use']],
  ['/v1/bookings', 'post', '422', ['key-reused']],
  [
    '/v1/bookings',
    'get',
    '400',
    ['query-invalid', 'deadline-malformed', 'version-unknown', 'request-malformed'],
  ],
  ['/v1/bookings', 'get', '503', ['overloaded', 'unavailable']],
  ['/v1/bookings', 'get', '403', []],
  ['/v1/bookings/{id}', 'get', '404', ['not-found']],
  [
    '/v1/bookings/{id}/cancel',
    'post',
    '409',
    ['in-progress', 'pivot-in-progress', 'past-pivot', 'already-ended'],
  ],
  [
    '/v1/bookings/{id}/cancellations',
    'post',
    '409',
    ['in-progress', 'pivot-in-progress', 'past-pivot', 'already-ended'],
  ],
  ['/v1/bookings/{id}/cancellations', 'post', '503', ['overloaded', 'unavailable']],
  ['/v1/cancellations/{id}/confirm', 'post', '404', ['not-found']],
  ['/v1/cancellations/{id}/confirm', 'post', '412', ['changed-since-you-looked']],
  [
    '/v1/events',
    'get',
    '400',
    ['query-invalid', 'deadline-malformed', 'version-unknown', 'request-malformed'],
  ],
  [
    '/v1/bookings/{id}/events',
    'get',
    '400',
    ['deadline-malformed', 'version-unknown', 'last-event-unknown', 'request-malformed'],
  ],
  ['/v1/bookings/{id}/events', 'get', '404', ['not-found']],
  ['/v1/bookings/{id}/events', 'get', '429', ['rate-limited']],
  ['/v1/bookings/{id}/events', 'get', '503', ['overloaded', 'unavailable']],
  ['/v1/runs', 'get', '403', ['forbidden']],
  [
    '/v1/runs/{id}/actions',
    'post',
    '409',
    [
      ...['in-progress', 'nothing-to-retry', 'pivot-in-progress', 'past-pivot'],
      ...['call-in-progress', 'already-ended'],
    ],
  ],
  ['/v1/runs/{id}/actions', 'post', '403', ['forbidden']],
  ['/v1/cases/{id}/verdict', 'post', '412', ['changed-since-you-looked']],
  ['/v1/cases/{id}/verdict', 'post', '428', ['if-match-missing']],
  ['/healthz', 'get', '401', []],
])('what %s may refuse a %s with as %s is described', (path, method, status, codes) => {
  expect(codesOf(path, method, status)).toEqual(codes);
});

test('every problem has an example, whose type leads to its page', () => {
  const examples = Object.entries(description.components.examples);
  expect(examples.map(([code]) => code)).toEqual(Object.keys(PROBLEMS));
  for (const [code, { value }] of examples) {
    expect(value).toMatchObject({ code, type: `${PUBLIC_URL}/problems/${code}` });
  }
});

test('every example of a booking can be sent as it stands', async () => {
  const book = description.paths['/v1/bookings']?.['post'];
  const examples = Object.entries(book?.requestBody?.content['application/json']?.examples ?? {});
  expect(examples.length).toBeGreaterThan(3);
  for (const [key, { value }] of examples) {
    expect([key, (await ask(api, '/v1/bookings', { key, body: value })).status]).toEqual([
      key,
      202,
    ]);
  }
});

test('a verdict is answered with the case, and previewed with what it would do', () => {
  const answer = description.paths['/v1/cases/{id}/verdict']?.['post']?.responses['200'];
  const { schema } = answer?.content?.['application/json'] ?? {};
  expect(schema).toEqual({
    anyOf: [
      { $ref: '#/components/schemas/DecidableCase' },
      { $ref: '#/components/schemas/Action' },
    ],
  });
  expect(schemas()['RunActionRequest']).toMatchObject({
    additionalProperties: false,
    required: ['action', 'reason'],
  });
});

test('a stream of events is described by the fields of an event, with an example', () => {
  const watch = description.paths['/v1/bookings/{id}/events']?.['get'];
  const ok = watch?.responses['200']?.content ?? {};
  expect(Object.keys(ok)).toEqual(['text/event-stream']);
  const { example } = ok['text/event-stream'] as { readonly example?: { readonly data: string } };
  expect(example).toMatchObject({ id: '9.2', event: 'booking.confirmed' });
  expect(JSON.parse(example?.data ?? '')).toMatchObject({ type: 'booking.confirmed' });
  expect(Object.keys(watch?.responses ?? {})).toContain('204');
  const named = (watch?.parameters ?? []).map(({ in: where, name }) => `${where} ${name}`);
  expect(named.toSorted()).toEqual([
    'header Last-Event-ID',
    'header Recourse-Deadline',
    'header Recourse-Version',
    'path id',
  ]);
  const list = description.paths['/v1/events']?.['get']?.responses['200'];
  expect(list?.content?.['application/json']?.schema).toEqual({
    $ref: '#/components/schemas/BookingEventPage',
  });
});

test('no mark of how it was made is left in it', () => {
  expect(JSON.stringify(description)).not.toMatch(/"x-/);
});

test('a booking is described as it is sent and as it is answered', () => {
  const book = description.paths['/v1/bookings']?.['post'];
  expect(book?.requestBody?.content['application/json']?.schema).toEqual({
    $ref: '#/components/schemas/BookingRequest',
  });
  expect(book?.responses['202']?.content?.['application/json']?.schema).toEqual({
    $ref: '#/components/schemas/Booking',
  });
  expect(schemas()['BookingRequest']).toMatchObject({
    additionalProperties: false,
    required: ['traveller', 'flight', 'hotel', 'payment'],
  });
  expect(JSON.stringify(schemas()['Booking'])).not.toContain('additionalProperties":false');
});

test('it is OpenAPI 3.1, and a list says how long a page can be', () => {
  expect(description.openapi).toBe('3.1.1');
  const { parameters } = description.paths['/v1/bookings']?.['get'] ?? {};
  expect(parameters?.find(({ name }) => name === 'limit')).toMatchObject({
    schema: { type: 'integer', minimum: 1, maximum: 100 },
  });
});

test('a list leads to what is in it, and what was read to what can be decided by it', () => {
  const links = (path: string, method: string, status: string) =>
    description.paths[path]?.[method]?.responses[status]?.links;
  const parameters = { id: '$response.body#/data/0/id' };
  expect(links('/v1/runs', 'get', '200')).toEqual({
    runsRead: { operationId: 'runsRead', parameters },
    runsAct: { operationId: 'runsAct', parameters },
  });
  expect(links('/v1/bookings', 'post', '202')).toMatchObject({
    bookingCancel: { parameters: { id: '$response.body#/id' } },
  });
  expect(links('/v1/bookings/{id}/cancellations', 'post', '201')).toEqual({
    cancellationsRead: {
      operationId: 'cancellationsRead',
      parameters: { id: '$response.body#/id' },
    },
    cancellationsConfirm: {
      operationId: 'cancellationsConfirm',
      parameters: { id: '$response.body#/id' },
      requestBody: { token: '$response.body#/token' },
    },
  });
  expect(JSON.stringify(description)).not.toContain('x-taken-from-link');
  expect(links('/v1/cases/{id}', 'get', '200')).toEqual({
    casesDecide: {
      operationId: 'casesDecide',
      parameters: { id: '$request.path.id', 'header.If-Match': '$response.header.ETag' },
    },
  });
});

test('what needs no key says so', () => {
  const open = operations().filter(({ operation }) => operation.security?.length === 0);
  expect(open.map(({ path }) => path).toSorted()).toEqual([
    '/healthz',
    '/problems',
    '/problems/{code}',
    '/readyz',
  ]);
});
