import { describe, expect, test } from 'vitest';
import { readyCard, type ReadyFacts } from '../../src/local/ready-card.js';

const facts: ReadyFacts = {
  apiUrl: 'http://127.0.0.1:3000',
  temporalUiUrl: 'http://127.0.0.1:8233',
  temporalAddress: '127.0.0.1:7233',
  namespace: 'default',
  sandboxUrl: 'http://127.0.0.1:4010',
  databaseUrl: 'postgres://recourse@127.0.0.1:54329/recourse',
  databaseSecret: '/data/secrets.json',
  configuration: undefined,
  cli: 'RECOURSE_DATA_DIR=/data npx recourse',
  customerKey: 'rk_customer',
  operatorKey: 'rk_operator',
  keysFile: '/data/dev-keys.json',
  dataFolder: '/data',
  logsFolder: '/data/logs',
  temporalCliFrom: 'the cache folder, checksum compared',
};

describe('the ready card', () => {
  const card = readyCard(facts);

  test.each([
    'http://127.0.0.1:3000/docs',
    'http://127.0.0.1:3000/openapi.json',
    'RECOURSE_DATA_DIR=/data npx recourse --help',
    'http://127.0.0.1:8233/namespaces/default/workflows',
    'http://127.0.0.1:4010/_sandbox/effects',
    'postgres://recourse@127.0.0.1:54329/recourse   (postgres_password in /data/secrets.json)',
    'rk_customer',
    'rk_operator',
    '/data/dev-keys.json',
    '/data/logs',
    'the cache folder, checksum compared',
    'Ctrl-C',
  ])('tells %s', (text) => {
    expect(card).toContain(text);
  });

  test('has one line that books a trip when it is copied into a shell', () => {
    const lines = card.split('\n').filter((line) => line.startsWith('curl '));
    expect(lines).toHaveLength(1);
    const [line = ''] = lines;
    expect(line).toContain('http://127.0.0.1:3000/v1/bookings');
    expect(line).toContain("'Authorization: Bearer rk_customer'");
    expect(line).toContain('Idempotency-Key: ');
    const body = JSON.parse(/-d '([^']+)'$/.exec(line)?.[1] ?? '') as Record<string, unknown>;
    expect(Object.keys(body)).toEqual(['traveller', 'flight', 'hotel', 'payment']);
  });

  test('of a team names its configuration, and books no trip', () => {
    const own = readyCard({ ...facts, configuration: '/shop/recourse.config.js' });
    expect(own).toContain('/shop/recourse.config.js');
    expect(own).not.toMatch(/trip|bookings|curl/);
  });

  test('leaves out what a real server does not tell', () => {
    const real = readyCard({
      ...facts,
      temporalUiUrl: undefined,
      temporalCliFrom: undefined,
      databaseSecret: undefined,
      sandboxUrl: undefined,
    });
    expect(real).not.toMatch(/Temporal UI|Temporal CLI|Sandbox|Password|secrets|undefined/);
  });
});
