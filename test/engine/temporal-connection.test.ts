import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { afterAll, describe, expect, test } from 'vitest';
import {
  temporalConnection,
  TemporalTlsInvalid,
  type TemporalTls,
} from '../../src/engine/runs/temporal-connection.client.js';
import { handshakeFailure } from '../../src/engine/runs/temporal-handshake.client.js';
import { freePort } from '../../src/local/free-port.client.js';
import { newAuthority } from '../support/certificates.js';
import { startTlsProxy } from '../support/tls-proxies.js';

const folder = mkdtempSync(join(tmpdir(), 'recourse-test-tls-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const ours = newAuthority('ours');
const theirs = newAuthority('theirs');
const client = ours.issue({ name: 'recourse', for: 'client' });
const stranger = theirs.issue({ name: 'stranger', for: 'client' });
const server = ours.issue({ name: 'temporal.test', for: 'server' });
const expired = ours.issue({ name: 'temporal.test', for: 'server', expired: true });
const named = ours.issue({ name: 'temporal.test', for: 'server', local: false });

const CA = file('ca.pem', ours.cert);
const BOTH = file('both.pem', `# two authorities\n${theirs.cert}\n${ours.cert}`);
const PAIR = { cert: file('client.pem', client.cert), key: file('client.key', client.key) };
const STRANGER = { cert: file('s.pem', stranger.cert), key: file('s.key', stranger.key) };
const EMPTY = file('empty.pem', '');
const CUT = file('cut.pem', ours.cert.replace(/\n.{40}/, '\n'));
const GONE = join(folder, 'gone.pem');

const NONE: TemporalTls = { ca: null, pair: null, serverName: null };
const at = (address: string, apiKey: string | null, tls: TemporalTls | null) =>
  temporalConnection({ address, namespace: 'default', apiKey, tls });

describe('what a connection is opened with', () => {
  test('plain text and a key are plain text and a key', () => {
    expect(at('there:7233', null, null)).toEqual({ address: 'there:7233', tls: false });
    expect(at('there:7233', 'k', null)).toEqual({
      address: 'there:7233',
      apiKey: 'k',
      tls: false,
    });
  });

  test('TLS alone trusts the public authorities', () => {
    const { tls } = at('there:7233', null, NONE);
    const roots = tls === false ? '' : tls.serverRootCACertificate.toString();
    expect(roots.match(/BEGIN CERTIFICATE/g)).toHaveLength(rootCertificates.length);
  });

  test('files and names are taken as they are', () => {
    const { tls } = at('there:7233', null, { ca: BOTH, pair: PAIR, serverName: 'temporal.test' });
    expect(tls).toEqual({
      serverRootCACertificate: Buffer.from(`# two authorities\n${theirs.cert}\n${ours.cert}`),
      clientCertPair: { crt: Buffer.from(client.cert), key: Buffer.from(client.key) },
      serverNameOverride: 'temporal.test',
    });
  });
});

test.each<[name: string, tls: Partial<TemporalTls>, says: RegExp]>([
  ['no file', { ca: GONE }, /^TEMPORAL_TLS_CA: the file .+gone\.pem cannot be read \(ENOENT\)$/],
  ['a folder', { ca: folder }, /^TEMPORAL_TLS_CA: the file .+ cannot be read \(EISDIR\)$/],
  ['an empty file', { ca: EMPTY }, /^TEMPORAL_TLS_CA: .+ holds no certificate as PEM$/],
  ['a key for an authority', { ca: PAIR.key }, /^TEMPORAL_TLS_CA: .+ holds no certificate as PEM$/],
  ['a damaged one', { ca: CUT }, /^TEMPORAL_TLS_CA: .+ holds a certificate that is damaged$/],
  ['no certificate', { pair: { ...PAIR, cert: GONE } }, /^TEMPORAL_TLS_CERT: the file .+ENOENT/],
  ['no key', { pair: { ...PAIR, key: GONE } }, /^TEMPORAL_TLS_KEY: the file .+ENOENT/],
  [
    'a certificate as key',
    { pair: { ...PAIR, key: PAIR.cert } },
    /^TEMPORAL_TLS_KEY: .+no private/,
  ],
  [
    "another's key",
    { pair: { ...PAIR, key: STRANGER.key } },
    /^TEMPORAL_TLS_KEY: .+is not the key/,
  ],
])('%s is one line that names the variable', (_name, tls, says) => {
  const open = () => at('there:7233', null, { ...NONE, ...tls });
  expect(open).toThrow(TemporalTlsInvalid);
  expect(open).toThrow(says);
});

describe('what is wrong with a handshake', () => {
  /** Greets like HTTP/2: with an empty SETTINGS frame. */
  const greeter = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]));
  });
  greeter.listen(0, '127.0.0.1');
  afterAll(() => greeter.close());
  const target = () => `127.0.0.1:${(greeter.address() as AddressInfo).port}`;

  test.each<[name: string, theirs: typeof server, asks: boolean, tls: TemporalTls, code: unknown]>([
    ['nothing', server, false, { ...NONE, ca: CA }, null],
    ['nothing, among two authorities', server, true, { ...NONE, ca: BOTH, pair: PAIR }, null],
    ['an authority that is not public', server, false, NONE, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    ['a server whose time is over', expired, false, { ...NONE, ca: CA }, 'CERT_HAS_EXPIRED'],
    ["another server's name", named, false, { ...NONE, ca: CA }, 'TLS_CERT_ALTNAME_INVALID'],
    ['nothing, by its name', named, false, { ...NONE, ca: CA, serverName: 'temporal.test' }, null],
    [
      'no certificate of ours',
      server,
      true,
      { ...NONE, ca: CA },
      'SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
    ],
    [
      "a stranger's certificate",
      server,
      true,
      { ...NONE, ca: CA, pair: STRANGER },
      expect.stringMatching(/^(SSL_|ECONNRESET|CONNECTION_CLOSED)/),
    ],
  ])('%s', async (_name, shown, asks, tls, code) => {
    const clientsOf = asks ? { clientsOf: ours.cert } : {};
    const proxy = await startTlsProxy({ target: target(), server: shown, ...clientsOf });
    expect(await handshakeFailure(at(proxy.address, null, tls))).toEqual(code);
    await proxy.close();
  });

  test('a server that speaks plain text, or is not there, is told apart', async () => {
    const withTls = { ...NONE, ca: CA };
    expect(await handshakeFailure(at(target(), null, withTls))).toMatch(/^SSL_/);
    const nobody = `127.0.0.1:${await freePort()}`;
    expect(await handshakeFailure(at(nobody, null, withTls))).toBe('ECONNREFUSED');
    expect(await handshakeFailure(at(nobody, null, null))).toBeNull();
  });
});
