import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findLocalStart, lookInto } from '../../src/cli/local-start.process.js';
import { lockFolder } from '../../src/local/folder-lock.process.js';
import { ensureSecrets, writeDemoKeys } from '../../src/local/local-secrets.process.js';
import { pollUntil } from '../../src/local/poll-until.process.js';
import { ownFolder, startOwned } from '../support/owned-process.js';

test('a folder that no local start has used tells nothing, and stays as it is', () => {
  const nothing = { apiUrl: null, operatorKey: null, databaseUrl: null };
  expect(lookInto('/nowhere')).toEqual({ folder: '/nowhere', ...nothing });
  expect(findLocalStart({ RECOURSE_DATA_DIR: '/nowhere' }, '/shop').folder).toBe('/nowhere');
});

test.each([
  ['http://127.0.0.1:3001', 'http://127.0.0.1:3001'],
  ['http://127.0.0.1:0', null],
  ['http://::1:3000', null],
])('the API of a start that runs at %s is asked at %s', (told, url) => {
  const folder = ownFolder('cli');
  const release = lockFolder(folder, told);
  try {
    expect(lookInto(folder).apiUrl).toBe(url);
  } finally {
    release();
  }
  expect(lookInto(folder).apiUrl).toBeNull();
});

test('its keys outlast it', () => {
  const folder = ownFolder('cli');
  writeDemoKeys(folder, { customer: 'c', operator: 'o' });
  expect(lookInto(folder).operatorKey).toBe('o');
});

test('its Postgres is used while it runs, and not when only its pid file is left', async () => {
  const folder = ownFolder('cli');
  const cluster = join(folder, 'postgres');
  mkdirSync(cluster);
  const { postgresPassword } = ensureSecrets(folder);
  const program = join(folder, 'bin', 'postgres');
  mkdirSync(join(folder, 'bin'));
  symlinkSync(process.execPath, program);
  const server = await startOwned('postgres', {
    file: program,
    args: ['-e', 'setInterval(() => undefined, 1_000)', '--', '-D', cluster],
    env: {},
  });
  const pidFile = [server.pid, cluster, 1, 54_330, '', '127.0.0.1'].join('\n');
  writeFileSync(join(cluster, 'postmaster.pid'), pidFile);
  const found = await pollUntil(() => lookInto(folder).databaseUrl ?? undefined, {
    limitMs: 4_000,
  });
  expect(found).toBe(`postgres://recourse:${postgresPassword}@127.0.0.1:54330/recourse`);
  await server.kill9();
  expect(lookInto(folder).databaseUrl).toBeNull();
});
