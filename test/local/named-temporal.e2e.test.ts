import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { readConfig } from '../../src/config.js';
import { bringTemporal, type BringUp } from '../../src/local/bring-up.process.js';
import { newAuthority } from '../support/certificates.js';
import { ownFolder } from '../support/owned-process.js';
import { startTlsProxy, type TlsProxy } from '../support/tls-proxies.js';

const authority = newAuthority('ours');
const server = authority.issue({ name: 'temporal.test', for: 'server' });
const folder = ownFolder('named-temporal');
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const CA = file('ca.pem', authority.cert);
const OTHER = file('other.pem', newAuthority('theirs').cert);

let proxy: TlsProxy;
beforeAll(async () => {
  proxy = await startTlsProxy({ target: inject('temporalAddress'), server });
});
afterAll(() => proxy.close());

/** Of a local start, what a named server needs. */
function namedBy(told: Readonly<Record<string, string>>): BringUp {
  const env = { TEMPORAL_ADDRESS: proxy.address, ...told };
  const rest = { DATABASE_URL: 'postgres://127.0.0.1/none', RECOURSE_ENCRYPTION_KEYS: 'k1:none' };
  const ground = { config: readConfig({ ...rest, ...env }) };
  return { env, ground } as unknown as BringUp;
}

test('a local start looks at a named Temporal with the certificates that are named', async () => {
  const at = await bringTemporal(namedBy({ TEMPORAL_TLS_CA: CA }));
  expect(at).toMatchObject({ address: proxy.address, cliFrom: undefined });
});

test('and ends in one line that says why it cannot be used', async () => {
  const brought = bringTemporal(namedBy({ TEMPORAL_TLS_CA: OTHER }));
  await expect(brought).rejects.toThrow(
    /^TEMPORAL_ADDRESS: no server with the namespace default .+ \(UNABLE_TO_VERIFY_LEAF_SIGNATURE\): /,
  );
  const gone = namedBy({ TEMPORAL_TLS_CA: join(folder, 'gone.pem') });
  await expect(bringTemporal(gone)).rejects.toThrow(/^TEMPORAL_TLS_CA: the file .+ cannot be read/);
});
