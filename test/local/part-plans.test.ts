import { describe, expect, test } from 'vitest';
import { ownPartPlans, partEnvironment, sandboxPlan } from '../../src/local/part-plans.js';

const at = {
  host: '127.0.0.1',
  port: 3000,
  databaseUrl: 'postgres://recourse:x@127.0.0.1:54329/recourse',
  temporalAddress: '127.0.0.1:7233',
  temporalUiUrl: 'http://127.0.0.1:8233',
  sandbox: { port: 4010, url: 'http://127.0.0.1:4010' },
  encryptionKeys: 'local1:AAAA',
};

describe('the environment of the parts', () => {
  test('names what was started for them, and keeps the rest', () => {
    expect(partEnvironment({ PATH: '/bin', LOG_LEVEL: 'debug', PORT: '0' }, at)).toMatchObject({
      PATH: '/bin',
      LOG_LEVEL: 'debug',
      PORT: '3000',
      HOST: '127.0.0.1',
      DATABASE_URL: at.databaseUrl,
      TEMPORAL_ADDRESS: '127.0.0.1:7233',
      TEMPORAL_UI_URL: 'http://127.0.0.1:8233',
      PAYMENTS_URL: 'http://127.0.0.1:4010/payments',
      FLIGHTS_URL: 'http://127.0.0.1:4010/flights',
      HOTELS_URL: 'http://127.0.0.1:4010/hotels',
      MESSAGES_URL: 'http://127.0.0.1:4010/messages',
      RECOURSE_ENCRYPTION_KEYS: 'local1:AAAA',
    });
  });

  test('a provider that was named stays named', () => {
    const env = partEnvironment({ PAYMENTS_URL: 'https://pay.example' }, at);
    expect(env.PAYMENTS_URL).toBe('https://pay.example');
    expect(env.HOTELS_URL).toBe('http://127.0.0.1:4010/hotels');
  });

  test('a key and certificates are for a Temporal that was named', () => {
    const env = { TEMPORAL_API_KEY: 'k', TEMPORAL_TLS_CA: '/ca.pem', TEMPORAL_TLS: 'true' };
    expect(partEnvironment({ ...env, TEMPORAL_ADDRESS: 'there:7233' }, at)).toMatchObject(env);
    const nothing = { TEMPORAL_API_KEY: '', TEMPORAL_TLS_CA: '', TEMPORAL_TLS: '' };
    expect(partEnvironment(env, at)).toMatchObject(nothing);
  });

  test('the sandbox is told nothing of ours', () => {
    const env = { PATH: '/bin', HOME: '/h', DATABASE_URL: 'postgres://secret', PAYMENTS_KEY: 'k' };
    const plan = sandboxPlan('node', 's.js', env, { host: '127.0.0.1', port: 4010, folder: '/d' });
    expect(plan.command.env).toEqual({
      PATH: '/bin',
      HOME: '/h',
      SANDBOX_PORT: '4010',
      HOST: '127.0.0.1',
      SANDBOX_DATA_DIR: '/d',
    });
  });
});

const files = { api: 'a.js', worker: 'w.js', relay: 'r.js', sandbox: 's.js' };

test.each([
  // METRICS_PORT      api     worker  relay
  [undefined, [undefined, undefined, undefined]],
  ['9464', ['9464', '9465', '9466']],
  ['0', ['0', '0', '0']],
])('with METRICS_PORT %s the parts tell their metrics on %o', (given, expected) => {
  const plans = Object.values(ownPartPlans('node', files, { METRICS_PORT: given }));
  expect(plans.map(({ command }) => command.env.METRICS_PORT)).toEqual(expected);
});

test('the command line of a part carries its name', () => {
  const lines = Object.values(ownPartPlans('node', files, {})).map(({ command }) => command.args);
  expect(lines.map((args) => args.slice(-2))).toEqual([
    ['a.js', 'recourse-api'],
    ['w.js', 'recourse-worker'],
    ['r.js', 'recourse-relay'],
  ]);
});
