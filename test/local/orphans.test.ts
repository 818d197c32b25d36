import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { clearPidFile, isServerOf } from '../../src/local/postgres-pid-file.process.js';
import { identityOf, isAlive } from '../../src/local/process-identity.process.js';
import { endOrphans, keepStartedParts } from '../../src/local/started-parts.process.js';
import { startOwned, type OwnedProcess } from '../support/owned-process.js';

let folder: string;
let sleeper: OwnedProcess;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'recourse-orphans-'));
  sleeper = await startOwned('sleeper', { file: '/bin/sleep', args: ['60'], env: {} });
});
afterEach(async () => {
  await sleeper.kill9();
  rmSync(folder, { recursive: true });
});

const recordOf = (pid: number, identity: string) => ({
  name: 'temporal',
  pid,
  identity,
  endWith: ['SIGTERM', 'SIGKILL'] as const,
});

describe('what an earlier start left running', () => {
  test('is ended', async () => {
    const record = recordOf(sleeper.pid, identityOf(sleeper.pid) ?? '');
    keepStartedParts(folder).add(record);
    expect((await endOrphans(folder)).map(({ pid }) => pid)).toEqual([sleeper.pid]);
    expect(isAlive(record)).toBe(false);
  });

  test('is let alone when its pid is another process by now', async () => {
    keepStartedParts(folder).add(recordOf(sleeper.pid, 'another-boot:1'));
    expect(await endOrphans(folder)).toEqual([]);
    expect(identityOf(sleeper.pid)).toBeDefined();
  });

  test('is nothing when all was stopped in order', async () => {
    const parts = keepStartedParts(folder);
    const record = recordOf(sleeper.pid, identityOf(sleeper.pid) ?? '');
    parts.add(record);
    parts.remove(record);
    expect(await endOrphans(folder)).toEqual([]);
    expect(identityOf(sleeper.pid)).toBeDefined();
  });

  test.each(['', '[', '{}', '[{"pid":1}]'])('is nothing when its list is %j', async (list) => {
    writeFileSync(join(folder, 'parts.json'), list);
    expect(await endOrphans(folder)).toEqual([]);
  });
});

describe("Postgres' pid file", () => {
  test('of a process that is another program is removed, and the process let alone', async () => {
    writeFileSync(join(folder, 'postmaster.pid'), `${sleeper.pid}\n${folder}\n`);
    expect(await clearPidFile(folder)).toEqual({ kind: 'stale', pid: sleeper.pid });
    expect(identityOf(sleeper.pid)).toBeDefined();
    expect(await clearPidFile(folder)).toEqual({ kind: 'none' });
  });

  test.each([
    ['/opt/pg/bin/postgres -D /data/postgres -p 5433', true],
    ['postgres -D /data/postgres', true],
    ['/opt/pg/bin/postgres -D /data/postgres-2 -p 5433', false],
    ['/opt/pg/bin/postgres -D /other -p 5433', false],
    ['postgres: recourse recourse 127.0.0.1(5) idle', false],
    ['less /data/postgres', false],
    ['', false],
  ])('%j is a server of /data/postgres: %j', (commandLine, expected) => {
    expect(isServerOf(commandLine, '/data/postgres')).toBe(expected);
  });
});
