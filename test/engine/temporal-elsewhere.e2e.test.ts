import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http2';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  bundleWorkflowCode,
  DefaultLogger,
  Worker,
  type NativeConnection,
} from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TemporalSettings } from '../../src/engine/runs/temporal-connection.client.js';
import { openTemporal } from '../../src/engine/runs/temporal.client.js';
import { reachTemporal } from '../../src/engine/worker/reach-temporal.process.js';
import { SearchAttributesMissing } from '../../src/engine/worker/search-attributes.client.js';
import { pollUntil } from '../../src/local/poll-until.process.js';
import { newAuthority } from '../support/certificates.js';
import { ownFolder } from '../support/owned-process.js';
import { freshNamespace, type TestNamespace } from '../support/temporal.js';
import { startCloudProxy, startTlsProxy } from '../support/tls-proxies.js';

const LIMIT = { limitMs: 20_000 };
const KEY = 'a-key-of-the-cloud';

const ours = newAuthority('ours');
const theirs = newAuthority('theirs');
const server = ours.issue({ name: 'temporal.test', for: 'server' });
const fake = theirs.issue({ name: 'temporal.test', for: 'server' });
const client = ours.issue({ name: 'recourse', for: 'client' });

const folder = ownFolder('tls');
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const CA = file('ca.pem', ours.cert);
const PAIR = { cert: file('client.pem', client.cert), key: file('client.key', client.key) };
const MUTUAL = { ca: CA, pair: PAIR, serverName: null };

let plain: TestNamespace;
let workflowBundle: { code: string };
beforeAll(async () => {
  plain = await freshNamespace();
  workflowBundle = await bundleWorkflowCode({
    workflowsPath: new URL('../support/workflows/waiting.ts', import.meta.url).pathname,
    logger: new DefaultLogger('WARN'),
  });
});
afterAll(() => plain.close());

const newRun = () => ({
  run: `run-${randomBytes(6).toString('hex')}`,
  saga: 'waiting',
  version: 1,
  account: 'acme',
  deadlineAt: null,
});

/** Has a run started, worked on and asked, all by the connections that `settings` make. */
async function wholeWay(settings: TemporalSettings): Promise<unknown> {
  const temporal = openTemporal(settings);
  expect(await temporal.problem()).toBeNull();
  const run = newRun();
  expect(await temporal.startRun(run, 'first')).toBe('started');
  expect(await temporal.look(run.run)).toBe('told');
  const connection = await reach(settings);
  const worker = await Worker.create({
    connection,
    namespace: settings.namespace,
    taskQueue: 'recourse',
    workflowBundle,
  });
  const state = await worker.runUntil(async () => {
    const answer = await temporal.queryState(run.run, 10_000);
    expect(await temporal.cancelRun(run.run)).toBe('requested');
    const isClosed = async () => (await temporal.describe(run.run)).status === 'closed';
    expect(await pollUntil(isClosed, LIMIT)).toBe(true);
    return answer;
  });
  await connection.close();
  await temporal.close();
  return state;
}

interface Said {
  readonly waiting: unknown[];
  readonly unchecked: unknown[];
}

async function reach(
  temporal: TemporalSettings,
  said: Said = { waiting: [], unchecked: [] },
): Promise<NativeConnection> {
  const runs = openTemporal(temporal);
  const connection = await reachTemporal({
    temporal,
    runs,
    onWaiting: (error) => said.waiting.push(error),
    onUnchecked: (error) => said.unchecked.push(error),
  });
  await runs.close();
  return connection;
}

const codeOf = (error: unknown) => (error as { code?: unknown } | undefined)?.code;

describe('a Temporal that asks for our certificate', () => {
  const settings = (address: string, tls: TemporalSettings['tls']): TemporalSettings => ({
    ...{ address, namespace: plain.namespace },
    ...{ apiKey: null, tls },
  });
  const before = (proxied = server, port = 0) =>
    startTlsProxy({ target: plain.address, server: proxied, clientsOf: ours.cert, port });

  test('starts runs, gives workers their tasks and answers', async () => {
    const proxy = await before();
    expect(await wholeWay(settings(proxy.address, MUTUAL))).toEqual({ looks: 1 });
    await proxy.close();
  });

  test.each<[name: string, tls: TemporalSettings['tls'], code: RegExp]>([
    ['no certificate', { ...MUTUAL, pair: null }, /^SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED$/],
    ['the public authorities', { ...MUTUAL, ca: null }, /^SELF_SIGNED_CERT_IN_CHAIN$/],
    ['plain text', null, /^UNAVAILABLE$/],
  ])('with %s a call says why it failed, and may be tried again', async (_name, tls, code) => {
    const proxy = await before();
    const temporal = openTemporal(settings(proxy.address, tls));
    await expect(temporal.startRun(newRun(), 'first')).rejects.toMatchObject({
      kind: 'unavailable',
      code: expect.stringMatching(code),
    });
    expect(await temporal.isReady()).toBe(false);
    await temporal.close();
    await proxy.close();
  });

  test('is waited for, and said why, until it shows the right certificate', async () => {
    const wrong = await before(fake);
    const to = settings(wrong.address, MUTUAL);
    const said: Said = { waiting: [], unchecked: [] };
    const early = openTemporal(to);
    const reached = reach(to, said);
    expect(await pollUntil(() => said.waiting.length > 1, LIMIT)).toBe(true);
    expect(new Set(said.waiting.map(codeOf))).toEqual(new Set(['UNABLE_TO_VERIFY_LEAF_SIGNATURE']));
    expect(codeOf(await early.problem())).toBe('UNABLE_TO_VERIFY_LEAF_SIGNATURE');
    await wrong.close();

    const right = await before(server, wrong.port);
    await (await reached).close();
    expect(await pollUntil(() => early.isReady(), LIMIT)).toBe(true);
    await early.close();
    await right.close();
  });
});

describe('a Temporal that asks for a key', () => {
  const calls: [method: string, headers: IncomingHttpHeaders][] = [];
  const cloud = () =>
    startCloudProxy({
      ...{ target: plain.address, server, apiKey: KEY },
      onCall: (...call) => calls.push(call),
    });
  const settings = (address: string, apiKey: string): TemporalSettings => ({
    ...{ address, namespace: plain.namespace, apiKey },
    tls: { ca: CA, pair: null, serverName: 'temporal.test' },
  });

  test('gets it with every call, and the namespace with every call about one', async () => {
    const proxy = await cloud();
    calls.length = 0;
    expect(await wholeWay(settings(proxy.address, KEY))).toEqual({ looks: 1 });
    expect(new Set(calls.map(([, headers]) => headers.authorization))).toEqual(
      new Set([`Bearer ${KEY}`]),
    );
    const workflows = calls.filter(([method]) => /(Start|Poll|Respond|Signal)/.test(method));
    expect(workflows.length).toBeGreaterThan(5);
    expect(new Set(workflows.map(([, headers]) => headers['temporal-namespace']))).toEqual(
      new Set([plain.namespace]),
    );
    await proxy.close();
  });

  test('does not tell its search attributes, and the worker goes on without', async () => {
    const proxy = await cloud();
    const said: Said = { waiting: [], unchecked: [] };
    const connection = await reach(settings(proxy.address, KEY), said);
    expect(said.unchecked.map(codeOf)).toEqual(['PERMISSION_DENIED']);
    expect(said.waiting).toEqual([]);
    await connection.close();
    await proxy.close();
  });

  test('refuses another key for what it is, and the worker waits', async () => {
    const proxy = await cloud();
    const to = settings(proxy.address, 'an-old-key');
    const temporal = openTemporal(to);
    await expect(temporal.startRun(newRun(), 'first')).rejects.toMatchObject({
      kind: 'other',
      code: 'UNAUTHENTICATED',
    });
    const said: Said = { waiting: [], unchecked: [] };
    const reached = reach(to, said);
    expect(await pollUntil(() => said.waiting.length > 0, LIMIT)).toBe(true);
    expect(said.waiting.map(codeOf)).toContain('UNAUTHENTICATED');
    await temporal.close();
    await proxy.close();

    const open = await startCloudProxy({
      ...{ target: plain.address, server, apiKey: 'an-old-key', port: proxy.port },
      onCall: () => undefined,
    });
    await (await reached).close();
    await open.close();
  });
});

test('a namespace that is not there yet is waited for, and has to have the attributes', async () => {
  const namespace = `late-${randomBytes(6).toString('hex')}`;
  const said: Said = { waiting: [], unchecked: [] };
  const reached = reach({ address: plain.address, namespace, apiKey: null, tls: null }, said);
  const ending = reached.catch((error: unknown) => error);
  expect(await pollUntil(() => said.waiting.length > 0, LIMIT)).toBe(true);
  expect(said.waiting.map(codeOf)).toContain('NOT_FOUND');
  await plain.client.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: { seconds: 86_400 as never },
  });
  expect(await ending).toBeInstanceOf(SearchAttributesMissing);
});
