import { createServer, type RequestListener } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import {
  MetricsPortUnusable,
  openMetricsServer,
  type MetricsServer,
  type Watched,
} from '../../src/engine/telemetry/metrics-server.client.js';
import { recentFacts } from '../../src/engine/telemetry/recent-facts.process.js';
import { openExporter, sdkMetrics } from '../../src/engine/telemetry/sdk-metrics.client.js';

const ANY = { host: '127.0.0.1', port: 0 };
const open: MetricsServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

async function serve(watched: Partial<Watched> = {}): Promise<MetricsServer> {
  const server = await openMetricsServer(ANY, {
    metrics: async () => 'told\n',
    missing: async () => [],
    ...watched,
  });
  open.push(server);
  return server;
}

describe('a process that is watched', () => {
  const missing = async () => ['temporal', 'a worker with book-trip@1'];
  const broken = () => Promise.reject(new Error('a bug'));
  test.each<[string, Partial<Watched>, number, string]>([
    ['GET /metrics', {}, 200, 'told\n'],
    ['GET /metrics?name=a', {}, 200, 'told\n'],
    ['HEAD /metrics', {}, 200, ''],
    ['GET /healthz', { missing }, 200, '{"status":"alive"}\n'],
    ['GET /readyz', {}, 200, '{"status":"ready"}\n'],
    [
      'GET /readyz',
      { missing },
      503,
      '{"status":"not-ready","missing":["temporal","a worker with book-trip@1"]}\n',
    ],
    ['GET /readyz', { missing: broken }, 500, '{"status":"failed"}\n'],
    ['GET /metrics', { metrics: broken }, 500, '{"status":"failed"}\n'],
    ['GET /healthz', { missing: broken, metrics: broken }, 200, '{"status":"alive"}\n'],
    ['GET /v1/bookings', {}, 404, '{"status":"not-found"}\n'],
    ['POST /metrics', {}, 405, '{"status":"only GET"}\n'],
  ])('answers %s, with %o, %d %j', async (request, watched, status, body) => {
    const { url } = await serve(watched);
    const [method = '', path = ''] = request.split(' ');
    const response = await fetch(`${url}${path}`, { method });
    expect([response.status, await response.text()]).toEqual([status, body]);
  });

  test('tells its metrics in the version of the format that it is', async () => {
    const response = await fetch(`${(await serve()).url}/metrics`);
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  });

  test('is not ready when it does not know in time', async () => {
    const { url } = await serve({ missing: () => new Promise(() => undefined) });
    const startedAt = performance.now();
    const response = await fetch(`${url}/readyz`);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    expect([response.status, await response.json()]).toEqual([
      503,
      { status: 'not-ready', missing: ['an answer in time'] },
    ]);
  });

  test('says which variable is wrong when its port is taken', async () => {
    const { port } = new URL((await serve()).url);
    const place = { host: '127.0.0.1', port: Number(port) };
    const second = openMetricsServer(place, { metrics: async () => '', missing: async () => [] });
    await expect(second).rejects.toThrow(MetricsPortUnusable);
    await expect(second).rejects.toThrow(`METRICS_PORT: port ${port} of 127.0.0.1 is in use`);
  });

  test('says which variables are wrong when it cannot listen there at all', async () => {
    const place = { host: '203.0.113.7', port: 9464 };
    const watched = { metrics: async () => '', missing: async () => [] };
    await expect(openMetricsServer(place, watched)).rejects.toThrow(
      /^METRICS_PORT, METRICS_HOST: nothing can listen on port 9464 of 203\.0\.113\.7 \(E\w+\)$/,
    );
  });
});

describe('facts that were read', () => {
  interface Reading {
    readonly settle: (facts: string) => void;
    readonly fail: (error: Error) => void;
  }

  function setup() {
    const clock = { ms: 0 };
    const readings: Reading[] = [];
    const read = () =>
      new Promise<string>((settle, fail) => {
        readings.push({ settle, fail });
      });
    return { clock, readings, facts: recentFacts({ read, monotonicMs: () => clock.ms }) };
  }

  test('are told again for 5 s, and then read anew', async () => {
    const { clock, readings, facts } = setup();
    const first = facts();
    readings[0]?.settle('first');
    expect(await first).toBe('first');
    clock.ms = 4_999;
    expect(await facts()).toBe('first');
    clock.ms = 5_000;
    const second = facts();
    readings[1]?.settle('second');
    expect([await second, readings.length]).toEqual(['second', 2]);
  });

  test('are null when they cannot be read, and read again by the next who asks', async () => {
    const { readings, facts } = setup();
    const first = facts();
    readings[0]?.fail(new Error('away'));
    expect(await first).toBeNull();
    const second = facts();
    readings[1]?.settle('back');
    expect(await second).toBe('back');
  });

  test('are null after a while, though they are read but once', async () => {
    const { readings, facts } = setup();
    expect(await Promise.all([facts(), facts()])).toEqual([null, null]);
    expect(await facts()).toBeNull();
    expect(readings).toHaveLength(1);
    readings[0]?.settle('late');
    await expect.poll(facts).toBe('late');
    expect(readings).toHaveLength(1);
  });
});

describe("the SDK's own exporter", () => {
  test('is opened on another port when the first was taken meanwhile', async () => {
    const tried: string[] = [];
    const address = await openExporter((one) => {
      tried.push(one);
      if (tried.length < 3) throw new Error('Address already in use');
    });
    expect([tried.length, tried.at(-1)]).toEqual([3, address]);
    expect(address).toMatch(/^127\.0\.0\.1:\d+$/);
  });

  test('is given up with its own words when it never opens', async () => {
    const broken = openExporter(() => {
      throw new Error('no exporter here');
    });
    await expect(broken).rejects.toThrow('no exporter here');
  });

  test.each<[string, RequestListener]>([
    ['hangs', () => undefined],
    ['answers 500', (_request, response) => void response.writeHead(500).end()],
  ])('is left out when it %s', async (_what, handler) => {
    const server = createServer(handler);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    try {
      expect(await sdkMetrics(`127.0.0.1:${port}`)).toMatch(/^# .*\n$/);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
