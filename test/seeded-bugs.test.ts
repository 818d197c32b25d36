import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

// `npm run bugs` takes long, and is no part of the suite. That its table fits the sources is.

const BUG = { file: 'src/engine/saga/cancel.ts', name: 'cancel-during-the-pivot' };
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'seeded-bugs-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function check(root: string): { readonly status: number | null; readonly stdout: string } {
  const program = join(root, '.ci/bugs.mjs');
  return spawnSync(process.execPath, [program, '--check'], { encoding: 'utf8' });
}

test('every seeded bug has its place in the sources, once, and a test that is to catch it', () => {
  const { status, stdout } = check(process.cwd());
  expect(stdout).toMatch(/^\d+ bugs, each has its place\n$/);
  expect(status).toBe(0);
});

test.each([
  ['is there no more', () => ''],
  ['is there twice', (source: string) => source + source],
])('a bug whose place %s is named', (_what, change) => {
  cpSync('.ci', join(folder, '.ci'), { recursive: true });
  const file = join(folder, BUG.file);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, change(readFileSync(BUG.file, 'utf8')));
  const { status, stdout } = check(folder);
  expect(stdout).toMatch(new RegExp(`^${BUG.name}: its text is [02] times in ${BUG.file}`, 'm'));
  expect(status).toBe(1);
});
