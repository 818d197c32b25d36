import { afterAll, beforeAll, expect, test } from 'vitest';
import { runMigrations } from '../../src/engine/database/migrate.js';
import {
  spawnNode,
  spawnPart,
  startOwnPostgres,
  type OwnPostgres,
  type PartName,
} from '../support/processes.js';

// A process that says "ready" takes work. So each says instead what a person has to do first.

const NOBODY_LISTENS = '127.0.0.1:9';
const PARTS = ['api', 'worker', 'relay'] as const satisfies readonly PartName[];

let postgres: OwnPostgres;
beforeAll(async () => {
  postgres = await startOwnPostgres();
});
afterAll(() => postgres.stop());

function environment(change: (url: URL) => void): Record<string, string> {
  const url = new URL(postgres.url);
  change(url);
  return {
    DATABASE_URL: url.href,
    TEMPORAL_ADDRESS: NOBODY_LISTENS,
    RECOURSE_ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
    PORT: '0',
  };
}

const unusable: readonly (readonly [string, (url: URL) => void, RegExp])[] = [
  ['that was not migrated', () => undefined, /the database 127\..* lacks 0001_.*recourse migrate/],
  [
    'that does not exist',
    (url) => (url.pathname = '/nowhere'),
    /the database .*\/nowhere cannot be used: database "nowhere" does not exist; look at DATA/,
  ],
  [
    'that wants another password',
    (url) => (url.password = 'wrong'),
    /cannot be used: password authentication failed for user "\w+"; look at DATABASE_URL/,
  ],
  [
    'that wants a password at all',
    (url) => (url.password = ''),
    /cannot be used: SASL: .*password.*; look at DATABASE_URL/,
  ],
];

test.each(unusable)(
  'none of them starts with a database %s, and one line says why',
  async (...row) => {
    const [, change, says] = row;
    await Promise.all(
      PARTS.map(async (part) => {
        const refused = await spawnNode(part, [], environment(change));
        expect(await refused.exit).toMatchObject({ code: 1 });
        const own = refused.lines().filter((line) => line.startsWith(`recourse-${part}: `));
        expect(own).toEqual([expect.stringMatching(says)]);
        expect(refused.output()).not.toMatch(/"ready":true|node_modules|wrong@/);
      }),
    );
  },
);

test('a port that is taken is named with its variable', async () => {
  await runMigrations(postgres.url);
  const env = environment(() => undefined);
  const first = await spawnPart('api', env);
  const { port } = new URL(String(first.ready['url']));
  const second = await spawnNode('api', [], { ...env, PORT: port });
  expect(await second.exit).toMatchObject({ code: 1 });
  expect(second.lines().filter((line) => line.startsWith('recourse-api'))).toEqual([
    `recourse-api: PORT: port ${port} of 127.0.0.1 is in use: stop what listens there, or choose ` +
      'another port',
  ]);
  await first.stop();
});

test('API and relay say at start that Temporal cannot be used, and by which code', async () => {
  await runMigrations(postgres.url);
  for (const name of ['api', 'relay'] as const) {
    const part = await spawnPart(
      name,
      environment(() => undefined),
    );
    await expect
      .poll(() => part.lines().filter((line) => line.includes('Temporal cannot be used yet')))
      .toEqual([expect.stringMatching(/"name":"TemporalFault","code":"\w+"/)]);
    await part.stop();
  }
});
