import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { corsHeaders, preflightHeaders, varyFor } from '../../src/engine/http/cors.js';
import { ask, SHOP, startApi, type TestApi } from '../support/api.js';
import { BareEngine, noSagas } from '../support/bare-engine.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi(BareEngine.forRoot, noSagas());
});
afterAll(() => api.close());

const from = (origin: string) => ({ headers: { origin } });
const preflight = (origin: string) => ({
  method: 'OPTIONS',
  as: null,
  headers: {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization, idempotency-key',
  },
});

test.each([
  ['an answer', '/healthz', {}, 200],
  ['nobody’s request', '/v1/runs', { as: null }, 401],
  ['a request without the role', '/v1/runs', {}, 403],
  ['a path that leads nowhere', '/v1/nothing', {}, 404],
  ['a method that is not there', '/v1/runs', { method: 'DELETE' }, 405],
  ['XML only', '/v1/runs', { headers: { accept: 'text/xml' } }, 406],
  ['an escape that is broken', '/v1/%zz', {}, 400],
  ['a part that is too long', `/v1/runs/${'r'.repeat(200)}`, {}, 414],
])('%s can be read by a page of the shop, and by no other', async (_what, path, asked, status) => {
  const headers = { ...('headers' in asked ? asked.headers : {}), origin: SHOP };
  const reply = await ask(api, path, { ...asked, headers });
  expect(reply.status).toBe(status);
  expect(reply.headers.get('access-control-allow-origin')).toBe(SHOP);
  expect(reply.headers.get('access-control-allow-credentials')).toBeNull();
  const exposed = reply.headers.get('access-control-expose-headers')?.split(', ');
  expect(exposed).toEqual(
    expect.arrayContaining([
      ...['Location', 'ETag', 'Idempotent-Replayed', 'Idempotency-Expires', 'Request-Id'],
      ...['Retry-After', 'Recourse-Version', 'Preference-Applied', 'WWW-Authenticate', 'Allow'],
    ]),
  );
  for (const origin of ['https://evil.example', 'null', `${SHOP}.evil.example`]) {
    const other = await ask(api, path, { ...asked, headers: { ...headers, origin } });
    expect(other.status).toBe(status);
    expect(other.headers.get('access-control-allow-origin')).toBeNull();
  }
});

test('what no cache on the way may mix up says so, beside what else it depends on', async () => {
  expect((await ask(api, '/healthz', { as: null })).headers.get('vary')).toBe('Origin');
  const problems = await ask(api, '/problems', { as: null, ...from(SHOP) });
  expect(problems.headers.get('vary')).toBe('Accept, Origin');
});

describe('a preflight', () => {
  test('is answered without an API key, for any path, so that the page hears its 404', async () => {
    for (const path of ['/v1/runs', '/v1/runs/x/actions', '/v1/nothing']) {
      const reply = await ask(api, path, preflight(SHOP));
      expect([reply.status, reply.text]).toEqual([204, '']);
      expect(reply.headers.get('access-control-allow-origin')).toBe(SHOP);
      expect(reply.headers.get('access-control-allow-methods')).toBe('GET, HEAD, POST');
      expect(reply.headers.get('access-control-allow-headers')).toMatch(
        /Authorization, .*Idempotency-Key, If-Match/,
      );
      expect(reply.headers.get('access-control-max-age')).toBe('7200');
    }
  });

  test.each(['https://evil.example', 'null', 'http://shop.example.com'])(
    'of %s gets no leave, and OPTIONS is a method like others',
    async (origin) => {
      const reply = await ask(api, '/v1/runs', preflight(origin));
      expect(reply.body).toMatchObject({ code: 'method-not-allowed', status: 405 });
      expect(reply.headers.get('allow')).toBe('GET, HEAD');
      expect(reply.headers.get('access-control-allow-methods')).toBeNull();
    },
  );

  test('is no OPTIONS that does not say what for', async () => {
    const reply = await ask(api, '/v1/runs', { method: 'OPTIONS', ...from(SHOP) });
    expect(reply.status).toBe(405);
  });
});

const LIST = ['https://a.example', 'http://b.example:8080'];
test.each([
  ['nobody', [], 'https://a.example', null],
  ['anybody', '*', 'https://a.example', '*'],
  ['anybody', '*', 'null', '*'],
  ['anybody', '*', undefined, null],
  ['some', LIST, 'https://a.example', 'https://a.example'],
  ['some', LIST, 'http://b.example:8080', 'http://b.example:8080'],
  ['some', LIST, 'http://b.example', null],
  ['some', LIST, 'https://A.example', null],
  ['some', LIST, 'https://a.example.evil', null],
  ['some', LIST, undefined, null],
] as const)('where %s may ask, %j lets %s read: %s', (_who, allowed, origin, named) => {
  const asking = { method: 'GET', headers: origin === undefined ? {} : { origin } };
  expect(corsHeaders(allowed, asking)['Access-Control-Allow-Origin'] ?? null).toBe(named);
  const headers = { ...asking.headers, 'access-control-request-method': 'GET' };
  const leave = preflightHeaders(allowed, { method: 'OPTIONS', headers });
  expect(leave === null).toBe(named === null);
});

test.each([
  ['*', 'Prefer', 'Prefer'],
  [[], undefined, undefined],
  [LIST, undefined, 'Origin'],
  [LIST, 'Prefer', 'Prefer, Origin'],
] as const)('where %j may ask, Vary %s is %s', (allowed, vary, said) => {
  expect(varyFor(allowed, vary)).toBe(said);
});
