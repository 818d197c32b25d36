import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { afterEach, expect, test, vi } from 'vitest';
import {
  createProviderClient,
  type ProviderRequest,
  type ProviderSettings,
  type Sending,
} from '../../src/engine/providers/provider.client.js';
import {
  httpAnswer,
  startSocketProvider,
  type SocketProvider,
} from '../support/socket-provider.js';

const started: SocketProvider[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map((provider) => provider.stop()));
});

async function provider(...from: Parameters<typeof startSocketProvider>): Promise<SocketProvider> {
  const one = await startSocketProvider(...from);
  started.push(one);
  return one;
}

const charge: ProviderRequest = {
  method: 'POST',
  path: '/charges',
  body: { amount: 240_000, currency: 'INR' },
};

function sending(changes: Partial<Sending> = {}): Sending {
  return {
    key: 'bk_1:charge',
    sendBy: new Date(Date.UTC(2031, 0, 2, 3, 4, 5, 6)),
    msLeft: 5_000,
    signal: new AbortController().signal,
    ...changes,
  };
}

function clientOf(url: string, changes: Partial<ProviderSettings> = {}) {
  return createProviderClient({ url, key: null, reuseConnections: false, ...changes });
}

const ok = httpAnswer(201, '{"id":"ch_1"}');
const okAnswer = { kind: 'answered', status: 201, body: { kind: 'json', value: { id: 'ch_1' } } };

test('a request carries key, deadline and credentials, and asks for no compression', async () => {
  const { url, received } = await provider((socket) => socket.write(ok));
  const client = clientOf(`${url}/v2/`, { key: 'sk_1' });

  expect(await client.send(sending(), charge)).toEqual(okAnswer);

  const [head = '', body] = received[0]?.split('\r\n\r\n') ?? [];
  const [line, ...headers] = head.split('\r\n');
  expect(line).toBe('POST /v2/charges HTTP/1.1');
  expect(headers.map((header) => header.toLowerCase())).toEqual(
    expect.arrayContaining([
      'accept-encoding: identity',
      'authorization: bearer sk_1',
      'content-type: application/json',
      'idempotency-key: bk_1:charge',
      'recourse-deadline: 2031-01-02t03:04:05.006z',
    ]),
  );
  expect(body).toBe('{"amount":240000,"currency":"INR"}');
});

test('a question is put into the query, without a body and without credentials', async () => {
  const { url, received } = await provider((socket) => socket.write(httpAnswer(200, '{}')));
  const query = { reference: 'bk_1:charge&x' };

  await clientOf(url).send(sending(), { method: 'GET', path: '/charges', query });

  expect(received[0]).toMatch(/^GET \/charges\?reference=bk_1%3Acharge%26x HTTP\/1.1\r\n/);
  expect(received[0]).not.toMatch(/^(authorization|content-type|content-length):/im);
});

test.each([
  ['ftp://127.0.0.1', null, RangeError],
  ['nowhere', null, TypeError],
  ['http://127.0.0.1', 'sk_1\n', TypeError],
])('the URL %j with the key %j is refused at once', (url, key, error) => {
  expect(() => clientOf(url, { key })).toThrow(error);
});

test.each([
  ['seconds', { 'retry-after': '7' }, 7_000],
  ['garbage', { 'retry-after': 'soon' }, undefined],
  ['nothing', {}, undefined],
])('a Retry-After of %s is read', async (_what, headers, ms) => {
  const { url } = await provider((socket) => socket.write(httpAnswer(429, '', headers)));
  const waiting = ms === undefined ? {} : { retryAfterMs: ms };
  expect(await clientOf(url).send(sending(), charge)).toStrictEqual({
    kind: 'answered',
    status: 429,
    body: { kind: 'empty' },
    ...waiting,
  });
});

test('a redirect is an answer and is never followed', async () => {
  const { url, received } = await provider((socket) =>
    socket.write(httpAnswer(307, '', { location: '/elsewhere', connection: 'close' })),
  );
  const answer = await clientOf(url).send(sending(), charge);
  expect(answer).toEqual({ kind: 'answered', status: 307, body: { kind: 'empty' } });
  expect(received).toHaveLength(1);
});

test('a page that says it is HTML confirms nothing', async () => {
  const { url } = await provider((socket) =>
    socket.write(httpAnswer(200, '{"id":"ch_1"}', { 'content-type': 'text/html' })),
  );
  expect(await clientOf(url).send(sending(), charge)).toEqual({
    kind: 'answered',
    status: 200,
    body: { kind: 'unreadable', why: 'not-json-type' },
  });
});

// ---------------------------------------------------------------- certainly not sent

test('a refused connection is certainly not sent', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const answer = await clientOf(`http://127.0.0.1:${port}`).send(sending(), charge);
  expect(answer).toEqual({ kind: 'not-sent', reason: 'connection-refused' });
});

test('a name that nobody knows is certainly not sent', async () => {
  const answer = await clientOf('http://provider.invalid').send(sending(), charge);
  expect(answer).toEqual({ kind: 'not-sent', reason: 'name-not-found' });
});

test('a failed handshake is certainly not sent', async () => {
  // The peer answers the greeting with something that is no TLS.
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const answer = await clientOf(`https://127.0.0.1:${port}`).send(sending(), charge);
  await new Promise((resolve) => server.close(resolve));
  expect(answer).toEqual({ kind: 'not-sent', reason: 'tls-failed' });
});

test('a handshake that never ends is given up at the deadline, with nothing sent', async () => {
  const { port, received } = await provider(() => {});
  const client = clientOf(`https://127.0.0.1:${port}`);
  const answer = await client.send(sending({ msLeft: 150 }), charge);
  expect(answer).toEqual({ kind: 'not-sent', reason: 'deadline' });
  expect(received.join('')).not.toContain('bk_1:charge');
});

test('without time left no connection is opened', async () => {
  const { url, received } = await provider((socket) => socket.write(ok));
  const answer = await clientOf(url).send(sending({ msLeft: 0 }), charge);
  expect(answer).toEqual({ kind: 'not-sent', reason: 'deadline' });
  expect(received).toEqual([]);
});

test('an aborted call opens no connection', async () => {
  const { url, received } = await provider((socket) => socket.write(ok));
  const answer = await clientOf(url).send(sending({ signal: AbortSignal.abort() }), charge);
  expect(answer).toEqual({ kind: 'not-sent', reason: 'deadline' });
  expect(received).toEqual([]);
});

/** Time that stands still until the connection is there, and then is over at once. */
function stoppedWhileConnecting(): { readonly stopwatch: () => () => number; stopAt: number } {
  const clock = {
    stopAt: Number.POSITIVE_INFINITY,
    stopwatch: () => () => (++asked > clock.stopAt ? 5_000 : 0),
  };
  let asked = 0;
  return clock;
}

test('a process that stood still while it connected sends not one byte', async () => {
  const { url, received, openConnections } = await provider((socket) => socket.write(ok));
  const clock = stoppedWhileConnecting();
  // The time is looked at when the call is taken, for the timer, and before the write.
  clock.stopAt = 2;
  const settings = { url, key: null, reuseConnections: true };
  const client = createProviderClient(settings, clock.stopwatch);

  expect(await client.send(sending(), charge)).toEqual({ kind: 'not-sent', reason: 'deadline' });

  await vi.waitFor(() => expect([received.length, openConnections()]).toEqual([1, 0]));
  expect(received).toEqual(['']);
});

test('a process that stood still sends nothing on a kept connection either', async () => {
  const { url, received, openConnections } = await provider((socket) => socket.write(ok));
  const clock = stoppedWhileConnecting();
  const settings = { url, key: null, reuseConnections: true };
  const client = createProviderClient(settings, clock.stopwatch);
  expect(await client.send(sending(), charge)).toEqual(okAnswer);
  const [first] = received;

  clock.stopAt = 3 + 2;
  expect(await client.send(sending(), charge)).toEqual({ kind: 'not-sent', reason: 'deadline' });
  await vi.waitFor(() => expect(openConnections()).toBe(0));
  expect(received).toEqual([first]);
});

// ---------------------------------------------------------------- may have been sent

const head = 'HTTP/1.1 201 Created\r\ncontent-type: application/json\r\n';
const dribble = `${head}content-length: 100\r\n\r\n{`;

test.each<[string, (socket: Socket) => void, string]>([
  ['a reset before the answer', (socket) => socket.resetAndDestroy(), 'connection-lost'],
  ['an end before the answer', (socket) => socket.end(), 'connection-lost'],
  ['an end in the middle of the head', (socket) => socket.end(head), 'connection-lost'],
  ['a body that is cut off', (socket) => socket.end(dribble), 'truncated'],
  [
    'a chunked body that is cut off',
    (socket) => socket.end(`${head}transfer-encoding: chunked\r\n\r\n5\r\n{"id"\r\n`),
    'truncated',
  ],
  [
    'a reset in the middle of the body',
    (socket) => void socket.write(dribble, () => socket.resetAndDestroy()),
    'truncated',
  ],
  [
    'a chunk that is none',
    (socket) => socket.write(`${head}transfer-encoding: chunked\r\n\r\n5\r\n{"id"}}}`),
    'not-http',
  ],
  ['something that is no HTTP', (socket) => socket.end('SSH-2.0-Hotels\r\n\r\n'), 'not-http'],
  [
    'a head without end',
    (socket) => socket.end(`${head}x: ${'y'.repeat(100_000)}\r\n\r\n`),
    'not-http',
  ],
  [
    'another protocol',
    (socket) => socket.end('HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
    'connection-lost',
  ],
  ['silence', () => {}, 'time-out'],
  ['half a head, then silence', (socket) => socket.write(head), 'time-out'],
  ['half a body, then silence', (socket) => socket.write(dribble), 'time-out'],
])('%s is lost', async (_what, answer, cause) => {
  const { url, openConnections } = await provider((socket) => answer(socket));
  const client = clientOf(url, { reuseConnections: true });
  const came = await client.send(sending({ msLeft: cause === 'time-out' ? 150 : 5_000 }), charge);
  expect(came).toEqual({ kind: 'lost', cause });
  await vi.waitFor(() => expect(openConnections()).toBe(0));
});

test('an answer that drips is given up at the deadline, however steadily it drips', async () => {
  const { url } = await provider((socket) => {
    socket.write(`${head}content-length: 1000\r\n\r\n`);
    const drip = setInterval(() => socket.write(' '), 10);
    socket.once('close', () => clearInterval(drip));
  });
  const answer = await clientOf(url).send(sending({ msLeft: 300 }), charge);
  expect(answer).toEqual({ kind: 'lost', cause: 'time-out' });
});

test('an answer beyond the cap is lost, and no longer read', async () => {
  let written = 0;
  const { url, openConnections } = await provider((socket) => {
    socket.write(`${head}transfer-encoding: chunked\r\n\r\n`);
    const chunk = `1000\r\n${' '.repeat(0x1000)}\r\n`;
    const flow = (): void => {
      while (!socket.destroyed && socket.write(chunk)) written += chunk.length;
    };
    socket.on('drain', flow);
    flow();
  });
  const answer = await clientOf(url, { answerBytesMax: 50_000 }).send(sending(), charge);
  expect(answer).toEqual({ kind: 'lost', cause: 'too-large' });
  await vi.waitFor(() => expect(openConnections()).toBe(0));
  expect(written).toBeLessThan(20_000_000);
});

test('an answer without a length ends with its connection', async () => {
  const { url } = await provider((socket) => socket.end(`${head}\r\n{"id":"ch_1"}`));
  expect(await clientOf(url).send(sending(), charge)).toEqual(okAnswer);
});

test('an answer of exactly the cap is read', async () => {
  const body = '{"id":"ch_1"}';
  const { url } = await provider((socket) => socket.write(httpAnswer(201, body)));
  const client = clientOf(url, { answerBytesMax: body.length });
  expect(await client.send(sending(), charge)).toEqual(okAnswer);
});

test('a call that is aborted after it was sent is lost', async () => {
  const abort = new AbortController();
  const { url } = await provider(() => abort.abort());
  const answer = await clientOf(url).send(sending({ signal: abort.signal }), charge);
  expect(answer).toEqual({ kind: 'lost', cause: 'time-out' });
});

// The provider lives in a thread of its own, so that it can answer while ours stands still.
const PROVIDER_THREAD = `
  const { workerData: answer, parentPort } = require('node:worker_threads');
  const server = require('node:net').createServer((socket) => {
    socket.once('data', () => {
      parentPort.postMessage('asked');
      setTimeout(() => socket.write(answer), 50);
    });
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

test('an answer that came while the process stood still is read, not given up', async () => {
  const thread = new Worker(PROVIDER_THREAD, { eval: true, workerData: ok });
  const [port] = (await once(thread, 'message')) as [number];
  // Stands still for longer than the call has left, after it looked at its sockets.
  thread.once('message', () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700);
  });

  const client = clientOf(`http://127.0.0.1:${port}`);
  const answer = await client.send(sending({ msLeft: 500 }), charge);

  await thread.terminate();
  expect(answer).toEqual(okAnswer);
});

// ---------------------------------------------------------------- connections

test.each([
  ['kept', true, 1],
  ['not kept', false, 2],
])('connections are %s as the settings say', async (_what, reuseConnections, connections) => {
  const { url, received } = await provider((socket) => socket.write(ok));
  const client = clientOf(url, { reuseConnections });
  await client.send(sending(), charge);
  await client.send(sending(), charge);
  expect(received).toHaveLength(connections);
});

test('a slow answer is waited for, although idle connections are closed sooner', async () => {
  const { url, openConnections } = await provider((socket) => {
    setTimeout(() => socket.write(ok), 1_300);
  });
  const client = clientOf(url, { reuseConnections: true });
  expect(await client.send(sending(), charge)).toEqual(okAnswer);
  expect(openConnections()).toBe(1);
  await vi.waitFor(() => expect(openConnections()).toBe(0), { timeout: 3_000 });
});
