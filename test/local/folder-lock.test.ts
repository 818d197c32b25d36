import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FolderInUse, lockFolder } from '../../src/local/folder-lock.process.js';
import { identityOf } from '../../src/local/process-identity.process.js';

const URL_ = 'http://127.0.0.1:3000';
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'recourse-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const leaveLock = (content: string) => writeFileSync(join(folder, 'lock.json'), content);

test('a folder that is given back can be taken again', () => {
  lockFolder(folder, URL_)();
  lockFolder(folder, URL_)();
  expect(readdirSync(folder)).toEqual([]);
});

test('while its holder is alive a folder is refused in one line that names holder and way out', () => {
  const release = lockFolder(folder, URL_);
  const again = () => lockFolder(folder, 'http://127.0.0.1:3001');
  expect(again).toThrow(FolderInUse);
  expect(again).toThrow(new RegExp(`process ${process.pid}, ${URL_}.*RECOURSE_DATA_DIR=`));
  expect(again).not.toThrow('\n');
  release();
});

describe('a lock left by', () => {
  const alive = identityOf(process.pid);
  test.each([
    ['a process that is gone', { pid: 2 ** 22 + 1, identity: 'b:1', url: URL_ }],
    ['a process whose pid is another one now', { pid: process.pid, identity: 'b:1', url: URL_ }],
    ['a crash in the middle of a word', '{"pid": 12'],
    ['nobody knows', ''],
  ])('%s is cleared', (_who, content) => {
    expect(alive).toBeDefined();
    leaveLock(typeof content === 'string' ? content : JSON.stringify(content));
    const release = lockFolder(folder, URL_);
    release();
    expect(readdirSync(folder)).toEqual([]);
  });
});
