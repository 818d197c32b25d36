import { expect, test } from 'vitest';
import { ConfigError, readConfig } from '../src/config.js';

const ENV = {
  DATABASE_URL: 'postgres://127.0.0.1/recourse',
  TEMPORAL_ADDRESS: 'orders.a1b2c.tmprl.cloud:7233',
  RECOURSE_ENCRYPTION_KEYS: 'k1:c2VjcmV0',
};
const PAIR = { TEMPORAL_TLS_CERT: '/client.pem', TEMPORAL_TLS_KEY: '/client.key' };
const KEY = { TEMPORAL_API_KEY: 'key-of-the-cloud' };
const ON = { TEMPORAL_TLS: 'true' };
const OFF = { TEMPORAL_TLS: 'false' };
const CA = { TEMPORAL_TLS_CA: '/ca.pem' };
const NAME = { TEMPORAL_TLS_SERVER_NAME: 'temporal.internal' };

const public_ = { ca: null, pair: null, serverName: null };
const pair = { cert: '/client.pem', key: '/client.key' };

test.each([
  ['nothing', {}, null],
  ['that there is none', OFF, null],
  ['that there is', ON, public_],
  ['an authority', CA, { ...public_, ca: '/ca.pem' }],
  ['a certificate', PAIR, { ...public_, pair }],
  ['a name', NAME, { ...public_, serverName: 'temporal.internal' }],
  ['a key', KEY, public_],
  ['a key, and that there is none', { ...KEY, ...OFF }, null],
  [
    'all',
    { ...ON, ...CA, ...PAIR, ...NAME, ...KEY },
    { ca: '/ca.pem', pair, serverName: NAME.TEMPORAL_TLS_SERVER_NAME },
  ],
  ['empty ones', { TEMPORAL_TLS: '', TEMPORAL_TLS_CA: '', TEMPORAL_API_KEY: '' }, null],
])('TLS towards Temporal, told %s', (_told, env, tls) => {
  expect(readConfig({ ...ENV, ...env }).temporal.tls).toEqual(tls);
});

test('a namespace of Temporal Cloud bears the name of its account', () => {
  const { temporal } = readConfig({ ...ENV, ...KEY, TEMPORAL_NAMESPACE: 'orders.a1b2c' });
  expect(temporal).toMatchObject({
    address: 'orders.a1b2c.tmprl.cloud:7233',
    namespace: 'orders.a1b2c',
    apiKey: 'key-of-the-cloud',
  });
});

test.each([
  ['TEMPORAL_TLS_CERT and TEMPORAL_TLS_KEY', { TEMPORAL_TLS_CERT: '/client.pem' }],
  ['TEMPORAL_TLS_CERT and TEMPORAL_TLS_KEY', { TEMPORAL_TLS_KEY: '/client.key', ...ON }],
  ['TEMPORAL_TLS', { ...OFF, ...PAIR }],
  ['TEMPORAL_TLS', { ...OFF, ...CA }],
  ['TEMPORAL_TLS', { TEMPORAL_TLS: 'yes' }],
  ['TEMPORAL_TLS_SERVER_NAME', { TEMPORAL_TLS_SERVER_NAME: 'https://temporal' }],
  ['TEMPORAL_API_KEY', { TEMPORAL_API_KEY: 'two words' }],
])('what contradicts itself is one line that begins with %s', (name, env) => {
  const read = () => readConfig({ ...ENV, ...env });
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(new RegExp(`^${name}: [^\n]+$`));
});
