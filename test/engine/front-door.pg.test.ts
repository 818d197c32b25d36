import { Body, Controller, Get, Module, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse } from '@nestjs/swagger';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { revokeKey } from '../../src/engine/accounts/accounts.store.js';
import { keyId } from '../../src/engine/accounts/api-key.js';
import { EngineModule, Open, Roles, type EngineParts } from '../../src/engine/engine.module.js';
import { BODY_LIMIT_BYTES } from '../../src/engine/http/front-door.provider.js';
import { Sagas } from '../../src/engine/sagas.js';
import { ask, PUBLIC_URL, startApi, type Ask, type Reply, type TestApi } from '../support/api.js';
import { sendRaw } from '../support/raw-http.js';

const Note = z.strictObject({ text: z.string() });
const Anything = z.looseObject({});

/** What a domain might bring. */
@Controller('v1/notes')
class NotesController {
  @Get()
  @ApiOkResponse({ standardSchema: Anything })
  list() {
    return { data: [] };
  }

  @Post()
  @ApiCreatedResponse({ standardSchema: Anything })
  write(@Body({ schema: Note }) note: unknown) {
    return note;
  }

  @Get('broken')
  broken(): never {
    throw Object.assign(new Error('password=hunter2'), { detail: 'ada@example.com' });
  }

  @Get('secret')
  @Roles('operator')
  secret() {
    return { secret: true };
  }

  @Get('open')
  @Open()
  @ApiOkResponse({ standardSchema: Anything })
  open() {
    return { open: true };
  }
}

@Module({})
class NotesModule {
  static forRoot(parts: EngineParts) {
    return {
      module: NotesModule,
      imports: [EngineModule.forRoot(parts)],
      controllers: [NotesController],
    };
  }
}

let api: TestApi;
beforeAll(async () => {
  const none = new Sagas({ sagas: [], acts: {}, providers: {} });
  api = await startApi((parts) => NotesModule.forRoot(parts), none);
});
afterAll(() => api.close());

function expectProblem(reply: Reply, status: number, code: string): void {
  expect(reply.body).toMatchObject({ code, status, type: `${PUBLIC_URL}/problems/${code}` });
  expect(reply.status).toBe(status);
  expect(reply.headers.get('content-type')).toBe('application/problem+json');
  expect(reply.headers.get('request-id')).toBe(reply.body.request_id);
  expect(reply.headers.get('cache-control')).toBe('no-store');
  expect(reply.headers.get('recourse-version')).toMatch(/^\d{4}-\d\d-\d\d$/);
}

const gzip = { 'content-encoding': 'gzip' };
const type = (name: string) => ({ 'content-type': name });

test.each<[string, string, Ask, number, string]>([
  ['a path that is not there', '/v1/nothing', {}, 404, 'not-found'],
  ['a slash too many', '/v1/notes/', {}, 404, 'not-found'],
  ['a path that climbs', '/v1/../../etc/passwd', {}, 404, 'not-found'],
  ['an encoded path that climbs', '/v1/notes/%2e%2e%2f%2e%2e%2fetc', {}, 404, 'not-found'],
  ['a NUL in the path', '/v1/runs/%00', { as: 'operator' }, 404, 'not-found'],
  ['a path that cannot be decoded', '/v1/%zz', {}, 400, 'request-malformed'],
  ['a part of the path that is too long', `/v1/runs/${'r'.repeat(200)}`, {}, 414, 'uri-too-long'],
  ['a method that is not there', '/v1/notes', { method: 'DELETE' }, 405, 'method-not-allowed'],
  ['a preflight', '/v1/notes', { method: 'OPTIONS' }, 405, 'method-not-allowed'],
  ['XML only', '/v1/notes', { headers: { accept: 'text/xml' } }, 406, 'not-acceptable'],
  ['no key', '/v1/notes', { as: null }, 401, 'unauthenticated'],
  ['a key that is none', '/v1/notes', { as: 'hunter2' }, 401, 'unauthenticated'],
  ['a customer at a door for operators', '/v1/notes/secret', {}, 403, 'forbidden'],
  ['no body', '/v1/notes', { method: 'POST' }, 400, 'body-invalid'],
  ['an empty body', '/v1/notes', { body: '' }, 400, 'body-invalid'],
  ['half a body', '/v1/notes', { body: '{"text": ' }, 400, 'body-malformed'],
  ['bytes that are no UTF-8', '/v1/notes', { body: new Uint8Array([0xff]) }, 400, 'body-malformed'],
  ['a deep body', '/v1/notes', { body: '['.repeat(9_000) + ']'.repeat(9_000) }, 400, 'too-deep'],
  ['a NUL in the body', '/v1/notes', { body: '{"text": "\\u0000"}' }, 400, 'body-invalid'],
  ['half a surrogate pair', '/v1/notes', { body: '{"text": "\\ud800"}' }, 400, 'body-invalid'],
  ['a list instead of an object', '/v1/notes', { body: [] }, 400, 'body-invalid'],
  ['text', '/v1/notes', { body: 'x', headers: type('text/plain') }, 415, 'media-type'],
  ['a form', '/v1/notes', { body: 'a=1', headers: type('multipart/form-data') }, 415, 'media-type'],
  [
    'another character set',
    '/v1/notes',
    { body: '{}', headers: type('application/json; charset=utf-16') },
    415,
    'media-type',
  ],
  ['a media type that is none', '/v1/notes', { body: '{}', headers: type('x') }, 415, 'media-type'],
  ['a packed body', '/v1/notes', { body: '{}', headers: gzip }, 415, 'media-type'],
  [
    'one byte too many',
    '/v1/notes',
    { body: ' '.repeat(BODY_LIMIT_BYTES + 1) },
    413,
    'body-too-large',
  ],
  ['a query that is unknown', '/v1/cases?sort=1', { as: 'operator' }, 400, 'query-invalid'],
  ['a limit of nothing', '/v1/cases?limit=0', { as: 'operator' }, 400, 'query-invalid'],
  ['a limit beyond the most', '/v1/cases?limit=101', { as: 'operator' }, 400, 'query-invalid'],
  ['a limit that is no number', '/v1/cases?limit=1e1', { as: 'operator' }, 400, 'query-invalid'],
  ['two limits', '/v1/cases?limit=1&limit=2', { as: 'operator' }, 400, 'query-invalid'],
  ['a state that is none', "/v1/cases?state=open'--", { as: 'operator' }, 400, 'query-invalid'],
  ['a cursor that is none', '/v1/cases?cursor=abc', { as: 'operator' }, 400, 'query-invalid'],
  ['a NUL in the query', '/v1/cases?state=%00', { as: 'operator' }, 400, 'query-invalid'],
])('%s is a problem', async (_what, path, question, status, code) => {
  const as = question.as === 'operator' ? api.keys.operator : question.as;
  expectProblem(
    await ask(api, path, as === undefined ? question : { ...question, as }),
    status,
    code,
  );
});

test('a body of exactly the limit is read', async () => {
  const text = 'x'.repeat(BODY_LIMIT_BYTES - '{"text":""}'.length);
  const reply = await ask(api, '/v1/notes', { body: `{"text":"${text}"}` });
  expect(reply.status).toBe(201);
});

test('a method that is not allowed names those that are', async () => {
  const reply = await ask(api, '/v1/notes', { method: 'PUT', body: {} });
  expect(reply.headers.get('allow')).toBe('GET, HEAD, POST');
});

test('a missing key is asked for', async () => {
  const reply = await ask(api, '/v1/notes', { as: null });
  expect(reply.headers.get('www-authenticate')).toBe('Bearer');
});

test.each([
  ['the scheme in lower case', (key: string) => `bearer ${key}`, 200],
  ['another scheme', (key: string) => `Basic ${key}`, 401],
  ['one character changed', (key: string) => `Bearer ${key.slice(0, -1)}~`, 401],
  ['a longer secret', (key: string) => `Bearer ${key}A`, 401],
  ['a token of ten kilobytes', () => `Bearer ${'a'.repeat(10_000)}`, 401],
])('%s in Authorization is seen through', async (_what, authorization, status) => {
  const headers = { authorization: authorization(api.keys.customer) };
  expect((await ask(api, '/v1/notes', { as: null, headers })).status).toBe(status);
});

test('a key that was revoked is out as soon as it is looked at again', async () => {
  const key = api.keys.stranger;
  expect((await ask(api, '/v1/notes', { as: key })).status).toBe(200);
  await revokeKey(api.database, keyId(key) ?? '');
  api.keyRing.clear();
  expectProblem(await ask(api, '/v1/notes', { as: key }), 401, 'unauthenticated');
});

test('a bug is answered without its words, and logged without them too', async () => {
  const reply = await ask(api, '/v1/notes/broken');
  expectProblem(reply, 500, 'internal');
  expect(reply.text).not.toMatch(/hunter2|ada@/);
  const line = api.log.lines.find(({ level }) => level === 'error');
  expect(line?.fields).toMatchObject({
    request_id: reply.body.request_id,
    route: '/v1/notes/broken',
  });
});

test('what is open needs no key', async () => {
  expect((await ask(api, '/v1/notes/open', { as: null })).body).toEqual({ open: true });
  expect((await ask(api, '/healthz', { as: null })).body).toEqual({ status: 'alive' });
});

test('every problem type leads to its explanation', async () => {
  const reply = await ask(api, '/problems/key-missing', { as: null });
  expect(reply.body).toMatchObject({ code: 'key-missing', status: 400 });
  expectProblem(await ask(api, '/problems/toString', { as: null }), 404, 'not-found');
});

describe('what is not even HTTP', () => {
  const host = 'Host: x\r\n';
  const close = 'Connection: close\r\n';
  test.each([
    ['a verb that is none', `BREW /pot HTTP/1.1\r\n${host}\r\n`, 400, 'request-malformed'],
    ['a line that is none', 'hello\r\n\r\n', 400, 'request-malformed'],
    ['a request without a host', `GET /healthz HTTP/1.1\r\n${close}\r\n`, 400, 'request-malformed'],
    [
      'two lengths',
      `POST /v1/notes HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx`,
      400,
      'request-malformed',
    ],
    [
      'a length and chunks',
      `POST /v1/notes HTTP/1.1\r\n${host}` +
        'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
      'request-malformed',
    ],
    [
      'a negative length',
      `POST /v1/notes HTTP/1.1\r\n${host}Content-Length: -1\r\n\r\n`,
      400,
      'request-malformed',
    ],
    [
      'a NUL in a header',
      `GET /healthz HTTP/1.1\r\n${host}X-A: a\0b\r\n\r\n`,
      400,
      'request-malformed',
    ],
    [
      'a header of 17 kilobytes',
      `GET /healthz HTTP/1.1\r\n${host}X-A: ${'a'.repeat(17_000)}\r\n\r\n`,
      431,
      'headers-too-large',
    ],
    [
      'two keys',
      `GET /v1/notes HTTP/1.1\r\n${host}Authorization: Bearer a\r\nauthorization: Bearer b\r\n` +
        `${close}\r\n`,
      400,
      'request-malformed',
    ],
    ['two hosts', `GET /healthz HTTP/1.1\r\n${host}${host}${close}\r\n`, 400, 'request-malformed'],
    ['a CONNECT', `CONNECT example.com:443 HTTP/1.1\r\n${host}\r\n`, 400, 'request-malformed'],
    ['a QUERY', `QUERY /v1/notes HTTP/1.1\r\n${host}${close}\r\n`, 405, 'method-not-allowed'],
    [
      'an answer in XML only',
      `GET /v1/notes HTTP/1.1\r\n${host}Accept: text/xml\r\n${close}\r\n`,
      406,
      'not-acceptable',
    ],
  ])('%s is a problem too', async (_what, bytes, status, code) => {
    const answer = await sendRaw(api.url, bytes);
    expect(answer).toMatchObject({
      status,
      headers: { 'content-type': 'application/problem+json' },
    });
    expect(JSON.parse(answer.body)).toMatchObject({ code, status });
    expect(answer.headers['allow']).toBe(status === 405 ? 'GET, HEAD, POST' : undefined);
  });
});
