import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { usableBinaries } from '../../src/local/postgres-binaries.process.js';
import { postgresUser } from '../../src/local/postgres-user.process.js';

let root: string;
let folder: string;

/** A package as it is unpacked when install scripts are blocked: without its links. */
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'recourse-binaries-'));
  chmodSync(root, 0o711);
  folder = join(root, 'package');
  mkdirSync(join(folder, 'native/bin'), { recursive: true });
  mkdirSync(join(folder, 'native/lib'));
  for (const name of ['initdb', 'postgres']) {
    writeFileSync(join(folder, 'native/bin', name), '#!/bin/sh\n', { mode: 0o755 });
  }
  writeFileSync(join(folder, 'native/lib/libx.so.60.2'), 'x');
  const links = [{ source: 'native/lib/libx.so.60.2', target: 'native/lib/libx.so.60' }];
  writeFileSync(join(folder, 'native/pg-symlinks.json'), JSON.stringify(links));
});
afterEach(() => rmSync(root, { recursive: true }));

const package_ = () => ({ folder, version: '18.4.0' });

test('links that a blocked install script has not made are made at the first start', () => {
  const found = usableBinaries(package_(), root, undefined);
  expect(found).toMatchObject({ postgres: join(folder, 'native/bin/postgres'), major: '18' });
  expect(readFileSync(join(folder, 'native/lib/libx.so.60'), 'utf8')).toBe('x');
  expect(usableBinaries(package_(), root, undefined)).toEqual(found);
});

test('packages in a closed folder are copied to where the user of Postgres can run them', (context) => {
  const user = postgresUser(process.getuid?.());
  if (user === undefined) context.skip('only root has another user run Postgres');
  chmodSync(folder, 0o700);
  const found = usableBinaries(package_(), root, user);
  expect(found.postgres).toBe(join(root, 'postgres-binaries-18.4.0/bin/postgres'));
  expect(existsSync(join(root, 'postgres-binaries-18.4.0/lib/libx.so.60'))).toBe(true);
  expect(usableBinaries(package_(), root, user)).toEqual(found);
});

test('when even the copy cannot be reached the error says what to do', (context) => {
  const user = postgresUser(process.getuid?.());
  if (user === undefined) context.skip('only root has another user run Postgres');
  chmodSync(root, 0o700);
  expect(() => usableBinaries(package_(), root, user)).toThrow(/RECOURSE_DATA_DIR=/);
});
