import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openApi } from '../../src/cli/api.client.js';
import { ApiRefused } from '../../src/cli/api-refusal.js';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

const asked: IncomingMessage[] = [];
let answer: Answer = (response) => response.end();
const server = createServer((request, response) => {
  asked.push(request);
  request.resume().once('end', () => answer(response, request));
});
let url = '';

beforeEach(async () => {
  asked.length = 0;
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(
  () =>
    new Promise<void>((closed) => {
      server.close(() => closed());
      server.closeAllConnections();
    }),
);

const json =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) =>
    void response.writeHead(status, headers).end(JSON.stringify(body));
const read = () => openApi({ url, key: 'rk_1_secret' }).get('/v1/runs/bk_1', 'run');
const decide = () =>
  openApi({ url, key: 'rk_1_secret' }).post('/v1/cases/c/verdict', 'case', {
    body: { verdict: 'happened' },
    ifMatch: '"3"',
  });

test('an answer is given on with all its members and its ETag', async () => {
  answer = json(200, { object: 'run', new_member: 1 }, { ETag: '"2"' });
  expect(await read()).toEqual({ document: { object: 'run', new_member: 1 }, etag: '"2"' });
  expect(asked[0]).toMatchObject({
    method: 'GET',
    url: '/v1/runs/bk_1',
    headers: { authorization: 'Bearer rk_1_secret' },
  });
});

test('every POST has a key of its own, and the If-Match it was given', async () => {
  answer = json(200, { object: 'case' });
  await decide();
  await decide();
  const keys = asked.map(({ headers }) => headers['idempotency-key']);
  expect(new Set(keys).size).toBe(2);
  for (const { headers } of asked) {
    expect(headers).toMatchObject({
      'idempotency-key': expect.stringMatching(/^cli-[0-9a-f-]{36}$/),
      'if-match': '"3"',
      'content-type': 'application/json',
    });
  }
});

test('a problem is thrown with its code', async () => {
  answer = json(404, { code: 'not-found', title: 'There is nothing here', request_id: 'r' });
  const refused = await read().catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ApiRefused);
  expect(refused).toMatchObject({ code: 'not-found' });
});

test.each<[string, Answer, RegExp]>([
  ['a page', (response) => response.end('<html>'), /answered with what is no run.*RECOURSE_URL/],
  ['another document', json(200, { object: 'case' }), /what is no run/],
  ['a list', json(200, { data: [] }), /what is no run/],
  ['a proxy’s error', (response) => response.writeHead(502).end('bad'), /answered 502 without/],
  ['a hang-up', (response) => response.destroy(), /the connection failed.*RECOURSE_URL/],
])('%s is told as what it is', async (_what, wrong, message) => {
  answer = wrong;
  await expect(read()).rejects.toThrow(message);
});

test('the key is not carried to where a redirect points', async () => {
  answer = (response) => response.writeHead(307, { Location: `${url}/elsewhere` }).end();
  await expect(read()).rejects.toThrow(/answered 307/);
  expect(asked).toHaveLength(1);
});

test('a POST that was not answered is not called failed', async () => {
  answer = (response) => response.destroy();
  await expect(decide()).rejects.toThrow(/may or may not have been taken: look before you repeat/);
});

test('an address where nothing listens is told with what to do', async () => {
  const free = url;
  await new Promise((closed) => server.close(closed));
  await expect(openApi({ url: free, key: 'k' }).get('/v1/cases', 'list')).rejects.toThrow(
    `GET ${free}/v1/cases: nothing listens there: start it (npm start), or set RECOURSE_URL`,
  );
});
