import { afterAll, beforeAll, expect, test } from 'vitest';
import { pollUntil } from '../../src/local/poll-until.process.js';
import { startApi, type TestApi } from '../support/api.js';
import { BareEngine, noSagas } from '../support/bare-engine.js';
import { openRaw, sendRaw } from '../support/raw-http.js';

// As in production, only sooner: nothing here takes longer than it must.
const PATIENCE = {
  headersMs: 300,
  requestMs: 800,
  checkEveryMs: 50,
  silentMs: 1_000,
  connections: 20,
};
const LIMIT = { limitMs: 10_000 };

let api: TestApi;
beforeAll(async () => {
  api = await startApi(BareEngine.forRoot, noSagas(), { patience: PATIENCE });
});
afterAll(() => api.close());

const HEAD = 'POST /v1/runs/bk_a/actions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

test.each([
  ['a connection that says nothing', ''],
  ['headers that are never complete', 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: '],
  ['a body that does not come', `${HEAD}Content-Length: 10\r\n\r\n`],
  ['a body that is shorter than its length', `${HEAD}Content-Length: 10\r\n\r\n{}`],
  ['a chunk that does not come', `${HEAD}Transfer-Encoding: chunked\r\n\r\n5\r\n{}`],
])('%s is cut off with a problem', async (_what, bytes) => {
  const answer = await sendRaw(api.url, bytes);
  expect(answer).toMatchObject({
    status: 408,
    headers: { 'content-type': 'application/problem+json', connection: 'close' },
  });
  expect(JSON.parse(answer.body)).toMatchObject({ code: 'request-timeout', status: 408 });
});

test('who is told to go on and does not is cut off too', async () => {
  const bytes = `${HEAD}Expect: 100-continue\r\nContent-Length: 10\r\n\r\n`;
  const { status, body } = await sendRaw(api.url, bytes);
  expect(status).toBe(100);
  expect(body).toMatch(/^HTTP\/1\.1 408 /);
});

test('a byte now and then does not buy a slow client more time', async () => {
  const { socket, ended } = openRaw(api.url);
  const began = performance.now();
  socket.write('GET /healthz HTTP/1.1\r\n');
  const drip = setInterval(() => socket.write('X'), 50);
  expect(await ended).toMatch(/^HTTP\/1\.1 408 /);
  clearInterval(drip);
  expect(performance.now() - began).toBeLessThan(5_000);
});

test('who does not take its answers is let go', async () => {
  const { socket } = openRaw(api.url);
  socket.pause();
  socket.write('GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(500));
  const server = api.door.adapter.getHttpServer();
  const connections = () =>
    new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));
  expect(await pollUntil(async () => (await connections()) > 0, LIMIT)).toBe(true);
  expect(await pollUntil(async () => (await connections()) === 0, LIMIT)).toBe(true);
  socket.destroy();
});

test('more connections than there may be are closed, and those that are there are served', async () => {
  const held = Array.from({ length: PATIENCE.connections }, () => openRaw(api.url));
  await Promise.all(held.map(({ socket }) => new Promise((done) => socket.once('connect', done))));
  expect(await openRaw(api.url).ended).toBe('');
  const [first] = held;
  first?.socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  expect(await first?.ended).toMatch(/^HTTP\/1\.1 200 /);
  for (const { socket } of held) socket.destroy();
});

test('a thousand requests at once on one connection are answered one after the other', async () => {
  const { socket, ended } = openRaw(api.url);
  const one = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
  socket.write(one.repeat(999) + one.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
  const answers = (await ended).match(/HTTP\/1\.1 200 OK/g);
  expect(answers).toHaveLength(1_000);
});
