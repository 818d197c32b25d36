import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PROBLEMS } from '../../src/engine/http/problem.js';
import { ask, PUBLIC_URL, startApi, type Ask, type TestApi } from '../support/api.js';
import { trip, tripApi, tripSagas } from '../support/trip.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi(tripApi, tripSagas());
});
afterAll(() => api.close());

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const inBrowser = (path: string) => ask(api, path, { as: null, headers: { accept: BROWSER } });
const kinds = Object.entries(PROBLEMS);

/** What a person reads of a page. */
function textOf(html: string): string {
  const body = html.slice(html.indexOf('<body>'));
  return body
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&lt;/g, '<')
    .replaceAll(/&gt;/g, '>')
    .replaceAll(/&quot;/g, '"')
    .replaceAll(/&#39;/g, "'")
    .replaceAll(/&amp;/g, '&');
}

const unticked = (sentence: string) => sentence.replaceAll('`', '');

describe.each(kinds)('the page of %s', (code, { status, title, when, remedy }) => {
  test('tells a person when it is answered, what to do, and how it looks', async () => {
    const page = await inBrowser(`/problems/${code}`);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const text = textOf(page.text);
    for (const said of [title, code, String(status), when, remedy]) {
      expect(text).toContain(unticked(said));
    }
    expect(text).toContain(`"type": "${PUBLIC_URL}/problems/${code}"`);
  });

  test('tells a program the same as JSON, with an answer of that kind', async () => {
    const { body, headers } = await ask(api, `/problems/${code}`, { as: null });
    expect(headers.get('vary')).toBe('Accept, Origin');
    expect(body).toMatchObject({ object: 'problem', code, status, title, when, remedy });
    const type = `${PUBLIC_URL}/problems/${code}`;
    expect(body.example.body).toMatchObject({ type, code, status, title });
    expect(body.example.headers['Content-Type']).toBe('application/problem+json');
  });
});

test('the list in a browser leads to every page, and every link leads somewhere', async () => {
  const list = await inBrowser('/problems');
  const links = (html: string, at: string) =>
    [...html.matchAll(/href="([^"]+)"/g)].map(([, to = '']) => new URL(to, `${api.url}${at}`));
  const fromList = links(list.text, '/problems').map(({ pathname }) => pathname);
  expect(fromList).toEqual(['/docs', ...kinds.map(([code]) => `/problems/${code}`)]);
  const one = await inBrowser('/problems/key-reused');
  const fromPage = links(one.text, '/problems/key-reused').map(({ pathname }) => pathname);
  expect(fromPage).toEqual(['/problems', '/docs']);
  for (const path of ['/docs', '/problems']) expect((await inBrowser(path)).status).toBe(200);
});

test('the list for a program has them all', async () => {
  const { body } = await ask(api, '/problems', { as: null });
  const codes = body.data.map((one: { code: string }) => one.code);
  expect(codes).toEqual(kinds.map(([code]) => code));
});

test('a page may load nothing, and its style is the one that it names', async () => {
  for (const path of ['/problems', '/problems/unauthenticated']) {
    const { text, headers } = await inBrowser(path);
    const style = /<style>([^]*)<\/style>/.exec(text)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; ` +
        `frame-ancestors 'none'`,
    );
    expect(text).not.toMatch(/<script|\son\w+=|\sstyle=/);
    expect(text).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">');
  }
});

test('what is no tag is not made one', async () => {
  const { text } = await inBrowser('/problems/unauthenticated');
  expect(text).toContain('Bearer &lt;key&gt;');
  expect(text).not.toContain('<key>');
});

test('of a code that is none there is no page', async () => {
  for (const code of ['toString', 'nothing', '%3Cscript%3E']) {
    const reply = await inBrowser(`/problems/${code}`);
    expect(reply.body).toMatchObject({ code: 'not-found', status: 404 });
  }
});

const KEY = 'one key';
const wrong: readonly (readonly [string, string, Ask])[] = [
  ['unauthenticated', '/v1/bookings', { as: null }],
  ['forbidden', '/v1/cases', {}],
  ['not-found', '/v1/bookings/bk_1', {}],
  ['method-not-allowed', '/v1/bookings', { method: 'DELETE' }],
  ['not-acceptable', '/v1/bookings', { headers: { accept: 'text/html' } }],
  ['query-invalid', '/v1/bookings?limit=0', {}],
  ['key-missing', '/v1/bookings', { body: trip() }],
  ['key-malformed', '/v1/bookings', { body: trip(), key: 'k'.repeat(256) }],
  ['body-malformed', '/v1/bookings', { body: '{', key: KEY }],
  ['body-invalid', '/v1/bookings', { body: {}, key: KEY }],
  ['too-deep', '/v1/bookings', { body: '['.repeat(40) + ']'.repeat(40), key: KEY }],
  ['media-type', '/v1/bookings', { body: '{}', key: KEY, headers: { 'content-type': 'text/css' } }],
  ['body-too-large', '/v1/bookings', { body: ' '.repeat(200_000), key: KEY }],
];

test.each(wrong)('the type of a real %s leads to its page', async (code, path, question) => {
  const { body } = await ask(api, path, question);
  expect(body).toMatchObject({ code, type: `${PUBLIC_URL}/problems/${code}` });
  const page = await inBrowser(new URL(body.type).pathname);
  expect(page.status).toBe(200);
  expect(textOf(page.text)).toContain(body.title);
});

test('a wrong body is answered with a sentence that says what, where and what to do', async () => {
  const body = trip({ payment: { amount: 2_400.5, currency: 'INR', source: 'tok_visa' } });
  const reply = await ask(api, '/v1/bookings', { body, key: KEY });
  expect(reply.body).toMatchObject({
    code: 'body-invalid',
    detail: 'payment.amount must be a whole number of minor units, such as 240000 for 2,400.00.',
    errors: [{ pointer: '/payment/amount', code: 'wrong-type' }],
  });
});
