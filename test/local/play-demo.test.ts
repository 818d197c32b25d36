import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { DemoStory } from '../../src/local/demo/demo-story.js';
import { playDemo } from '../../src/local/demo/play-demo.process.js';
import { openTerminal } from '../../src/local/terminal.process.js';
import { lostRun, readLostHotel, RUN } from '../cli/seen.js';

interface Asked {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly key: string | string[] | undefined;
}

let server: Server;
let url: string;
let asked: Asked[];
/** What a POST of an order is answered, one after another; then 202. */
let refusals: (readonly [status: number, code: string])[];
let states: string[];
let printed: string;
let stop: AbortController;

beforeEach(async () => {
  [asked, refusals, states, printed] = [[], [], ['needs_reconciliation'], ''];
  stop = new AbortController();
  server = createServer((request, response) => {
    const [status, body] = answer(request);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => server.close());

function answer({ method, url: path = '', headers }: IncomingMessage): [number, unknown] {
  const { authorization, 'idempotency-key': key } = headers;
  asked.push({ path: `${method} ${path}`, authorization, key });
  if (path.startsWith('/_sandbox')) return [200, { data: [] }];
  if (path.startsWith('/v1/cases/')) return [200, readLostHotel()];
  if (path.startsWith('/v1/runs/')) {
    const [state = '', ...rest] = states;
    if (rest.length > 0) states = rest;
    return [200, lostRun({ state })];
  }
  const [refusal, ...later] = refusals;
  if (refusal === undefined) return [202, { id: RUN }];
  refusals = later;
  return [refusal[0], { code: refusal[1], detail: 'why' }];
}

const story: DemoStory = {
  title: "Dara's trip",
  order: { path: '/v1/bookings', body: {} },
  endsAs: 'needs_reconciliation',
  end: 'waits for a person',
  ordered: 'Dara books a trip',
  steps: {},
  standing: () => [],
  valueOf: () => undefined,
};

function play(wish: Partial<DemoStory> = {}): Promise<boolean> {
  return playDemo({
    stories: [{ ...story, ...wish }],
    place: {
      apiUrl: url,
      sandboxUrl: url,
      keys: { customer: 'c', operator: 'o' },
      signal: stop.signal,
    },
    way: { cli: 'npx recourse', sandboxUrl: url },
    terminal: openTerminal({ write: (text: string) => (printed += text) }),
  });
}

const orders = () => asked.filter(({ path }) => path === 'POST /v1/bookings');

test('the customer orders, the operator looks, and the demo is over', async () => {
  states = ['running', 'undoing', 'needs_reconciliation'];
  expect(await play()).toBe(true);
  expect(orders()).toMatchObject([{ authorization: 'Bearer c' }]);
  const looks = asked.filter(({ path }) => path === `GET /v1/runs/${RUN}`);
  expect(looks.map(({ authorization }) => authorization)).toEqual(Array(3).fill('Bearer o'));
  expect(printed).toContain("── Dara's trip: waits for a person, after");
  expect(printed).toContain('The demo is over');
});

test('while the API is away the same order is sent again under the same key', async () => {
  refusals = [
    [503, 'unavailable'],
    [409, 'in-progress'],
  ];
  expect(await play()).toBe(true);
  expect(orders()).toHaveLength(3);
  expect(new Set(orders().map(({ key }) => key)).size).toBe(1);
});

test('each order has a key of its own', async () => {
  await play();
  await play();
  expect(new Set(orders().map(({ key }) => key)).size).toBe(2);
});

test('an order that is refused is sent once, and the demo says so', async () => {
  refusals = [[422, 'key-reused']];
  expect(await play()).toBe(false);
  expect(orders()).toHaveLength(1);
  expect(printed).toContain(
    "recourse: Dara's trip cannot be told: POST /v1/bookings was answered 422 key-reused: why",
  );
  expect(printed).toContain('recourse: the demo did not go as it should');
});

test('a run that ends otherwise than it should is told, and the demo did not go well', async () => {
  expect(await play({ endsAs: 'completed' })).toBe(false);
  expect(printed).toContain("── Dara's trip: needs_reconciliation, and not completed, after");
  expect(printed).toContain('recourse: the demo did not go as it should');
});

test('a cancel is sent once its step has begun', async () => {
  const cancel = { during: 'hotel', path: (id: string) => `/v1/bookings/${id}/cancel` };
  expect(await play({ cancel })).toBe(true);
  expect(asked.filter(({ path }) => path.startsWith('POST'))).toMatchObject([
    { path: 'POST /v1/bookings' },
    { path: `POST /v1/bookings/${RUN}/cancel`, authorization: 'Bearer c' },
  ]);
});

test('a start that is stopped meanwhile breaks the demo off without a word', async () => {
  states = ['running'];
  const playing = play();
  await expect.poll(() => asked.length, { timeout: 10_000 }).toBeGreaterThan(2);
  stop.abort();
  expect(await playing).toBe(true);
  expect(printed).not.toMatch(/recourse:|is over|──/);
});
