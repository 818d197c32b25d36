import { Agent, request } from 'node:http';
import { Controller, Get, Module, type DynamicModule } from '@nestjs/common';
import { expect, test } from 'vitest';
import { ClientGone, EngineModule, type EngineParts } from '../../src/engine/engine.module.js';
import { pollUntil } from '../../src/local/poll-until.process.js';
import { ask, startApi } from '../support/api.js';
import { PATIENCE } from '../../src/engine/http/front-door.provider.js';
import { noSagas } from '../support/bare-engine.js';
import { openRaw } from '../support/raw-http.js';

let engine: EngineParts;
let gone = 0;

@Controller('v1/slow')
class SlowController {
  @Get('work')
  async work() {
    await new Promise((resolve) => setTimeout(resolve, 700));
    return { done: true };
  }

  @Get('wait')
  async wait(@ClientGone() signal: AbortSignal) {
    signal.addEventListener('abort', () => (gone += 1));
    const isSettled = () => false;
    const read = async () => ({ waited: true });
    return engine.news.untilSettled('bk_x', { limitMs: 30_000, signal, isSettled, read });
  }
}

@Module({})
class SlowModule {
  static forRoot(parts: EngineParts): DynamicModule {
    engine = parts;
    const imports = [EngineModule.forRoot(parts)];
    return { module: SlowModule, imports, controllers: [SlowController] };
  }
}

/** Asks over a connection that the client means to keep; answers the status, and what becomes. */
function askKept(agent: Agent, url: string, authorization: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const asking = request(url, { agent, headers: { authorization } }, (answer) => {
      const { statusCode, headers } = answer;
      answer.resume().on('end', () => resolve([statusCode, headers.connection]));
    });
    asking.on('error', reject).end();
  });
}

test('closing answers what is in flight and what is held, and lets kept connections go', async () => {
  const api = await startApi((parts) => SlowModule.forRoot(parts), noSagas());
  const agent = new Agent({ keepAlive: true, maxSockets: 10 });
  const bearer = `Bearer ${api.keys.customer}`;
  const idle = await askKept(agent, `${api.url}/healthz`, bearer);
  const working = askKept(agent, `${api.url}/v1/slow/work`, bearer);
  const held = askKept(agent, `${api.url}/v1/slow/wait`, bearer);
  await new Promise((resolve) => setTimeout(resolve, 300));
  const started = performance.now();
  await api.close();
  expect(performance.now() - started).toBeLessThan(5_000);
  expect(idle).toEqual([200, 'keep-alive']);
  expect([await working, await held]).toEqual([
    [200, 'close'],
    [200, 'close'],
  ]);
  agent.destroy();
});

test('a client that does not end its request does not keep the server from closing', async () => {
  const api = await startApi((parts) => SlowModule.forRoot(parts), noSagas(), {
    patience: { ...PATIENCE, headersMs: 1_000 },
  });
  const half = openRaw(api.url);
  half.socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n');
  await ask(api, '/healthz', { as: null });
  const started = performance.now();
  await api.close();
  expect(performance.now() - started).toBeLessThan(5_000);
  expect(await half.ended).toBe('');
});

test('nobody is waited for whose client has gone', async () => {
  const api = await startApi((parts) => SlowModule.forRoot(parts), noSagas());
  gone = 0;
  const leaving = new AbortController();
  const headers = { authorization: `Bearer ${api.keys.customer}` };
  const asking = fetch(`${api.url}/v1/slow/wait`, { signal: leaving.signal, headers });
  setTimeout(() => leaving.abort(), 200);
  await expect(asking).rejects.toThrow();
  expect(await pollUntil(() => gone === 1, { limitMs: 5_000 })).toBe(true);
  expect((await ask(api, '/healthz', { as: null })).status).toBe(200);
  await api.close();
});
