import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { pollUntil } from '../../src/local/poll-until.process.js';
import { newAuthority } from '../support/certificates.js';
import { Visitor } from '../support/customer.js';
import { startHouse, type House } from '../support/house.js';
import { ownFolder } from '../support/owned-process.js';
import { spawnNode } from '../support/processes.js';
import { startCloudProxy, startTlsProxy, type TlsProxy } from '../support/tls-proxies.js';
import { CONFIRMED, effectsOf } from '../support/trip-effects.js';

// Temporal as others run it: every process reaches it by certificates, or by a key.

const authority = newAuthority('ours');
const server = authority.issue({ name: 'temporal.test', for: 'server' });
const client = authority.issue({ name: 'recourse', for: 'client' });
const folder = ownFolder('trip-tls');
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const TRUST = { TEMPORAL_TLS_CA: file('ca.pem', authority.cert) };
const PAIR = {
  TEMPORAL_TLS_CERT: file('client.pem', client.cert),
  TEMPORAL_TLS_KEY: file('client.key', client.key),
};
const KEY = { TEMPORAL_API_KEY: 'a-key-of-the-cloud' };

describe.each([
  ['certificates on both sides', { ...TRUST, ...PAIR }],
  ['a key over TLS', { ...TRUST, ...KEY }],
])('with %s', (_how, env) => {
  const isCloud = 'TEMPORAL_API_KEY' in env;
  let proxy: TlsProxy;
  let house: House;

  const startProxy = (port?: number) => {
    const wishes = { target: inject('temporalAddress'), server, ...(port ? { port } : {}) };
    if (!isCloud) return startTlsProxy({ ...wishes, clientsOf: authority.cert });
    return startCloudProxy({
      ...{ ...wishes, apiKey: KEY.TEMPORAL_API_KEY },
      onCall: () => undefined,
    });
  };

  beforeAll(async () => {
    proxy = await startProxy();
    house = await startHouse({ env: { ...env, TEMPORAL_ADDRESS: proxy.address } });
  });
  afterAll(async () => {
    await house.close();
    await proxy.close();
  });

  test('a trip is confirmed, each step once', async () => {
    const { id } = await new Visitor(house).book();
    await new Visitor(house).until(id, ['confirmed']);
    await expect.poll(() => effectsOf(house.sandbox, id)).toEqual(CONFIRMED);
  });

  test('a line that is cut is found again, by API, worker and relay', async () => {
    const { port } = proxy;
    await proxy.close();
    const { id } = await new Visitor(house).book();
    proxy = await startProxy(port);
    await new Visitor(house).until(id, ['confirmed']);
    await expect.poll(() => effectsOf(house.sandbox, id)).toEqual(CONFIRMED);
  });

  test('a worker whose authority is the wrong one says why, and waits', async () => {
    const other = file('other.pem', newAuthority('theirs').cert);
    const worker = await spawnNode('worker', [], { ...house.env, TEMPORAL_TLS_CA: other });
    const isWaiting = () => worker.lines().some((line) => line.includes('does not work'));
    expect(await pollUntil(isWaiting, { limitMs: 60_000 })).toBe(true);
    const said = worker.lines().filter((line) => line.includes('"subject":"temporal"'));
    expect(said.map((line) => JSON.parse(line).error)).toEqual([
      { name: 'TemporalFault', code: expect.stringMatching(/^(SELF_SIGNED|UNABLE_TO_VERIFY)_/) },
    ]);
    await worker.stop();
  });
});

test.each(['api', 'worker', 'relay'] as const)(
  'the %s ends at once when a certificate is not there, in one line that names the variable',
  async (part) => {
    const env = {
      // Nobody answers at either: what is wrong shows before anybody is asked.
      DATABASE_URL: 'postgres://recourse:none@127.0.0.1:9/recourse',
      TEMPORAL_ADDRESS: '127.0.0.1:9',
      RECOURSE_ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 1).toString('base64')}`,
      TEMPORAL_TLS_CA: join(folder, 'gone.pem'),
    };
    const process = await spawnNode(part, [], env);
    expect(await process.exit).toMatchObject({ code: 1 });
    const said = process.lines().filter((line) => !line.startsWith('{'));
    expect(said).toEqual([
      `recourse-${part}: TEMPORAL_TLS_CA: the file ${env.TEMPORAL_TLS_CA} cannot be read (ENOENT)`,
    ]);
  },
);
