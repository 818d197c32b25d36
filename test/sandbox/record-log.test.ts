import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  openRecordLog,
  RECORD_FILE,
  RecordDamaged,
  RecordShared,
} from '../../src/sandbox/record.log.js';
import type { RecordLog } from '../../src/sandbox/record.log.js';

let folder = '';
let file = '';
const opened: RecordLog[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'recourse-record-'));
  file = join(folder, RECORD_FILE);
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((log) => log.close().catch(() => {})));
  rmSync(folder, { recursive: true });
});

async function openLog(): Promise<{ log: RecordLog; lines: unknown[]; broken: unknown[] }> {
  const lines: unknown[] = [];
  const broken: unknown[] = [];
  const log = await openRecordLog(
    folder,
    (line) => lines.push(line),
    (error) => broken.push(error),
  );
  opened.push(log);
  return { log, lines, broken };
}

test('what an append resolved for is in the file, and is read at the next start', async () => {
  const { log } = await openLog();
  await log.append([{ n: 1 }, { n: 2 }]);
  expect(readFileSync(file, 'utf8')).toBe('{"n":1}\n{"n":2}\n');
  expect((await openLog()).lines).toEqual([{ n: 1 }, { n: 2 }]);
});

test('many appends at once keep their order and end together', async () => {
  const { log } = await openLog();
  const numbers = Array.from({ length: 500 }, (_, n) => n);
  await Promise.all(numbers.map((n) => log.append([{ n }])));
  expect((await openLog()).lines).toEqual(numbers.map((n) => ({ n })));
});

test('settled waits for what was appended before', async () => {
  const { log } = await openLog();
  void log.append([{ n: 1 }]);
  await log.settled();
  expect(readFileSync(file, 'utf8')).toBe('{"n":1}\n');
});

test.each([
  ['{"n":1}\n{"n":', [{ n: 1 }]],
  ['{"n":1}\n{"n":2}', [{ n: 1 }]],
  ['{"n"', []],
  ['{"n":1}\n\u0000\u0000', [{ n: 1 }]],
])('a torn end is cut off: %j', async (content, kept) => {
  writeFileSync(file, content);
  const { log, lines } = await openLog();
  expect(lines).toEqual(kept);
  await log.append([{ n: 9 }]);
  expect((await openLog()).lines).toEqual([...kept, { n: 9 }]);
});

test('long lines, and lines with other line ends in them, come back whole', async () => {
  const long = { text: 'x'.repeat(3_000_000) };
  const odd = { text: 'a\u2028b\u2029c\r\nd\u0000é' };
  const { log } = await openLog();
  await log.append([odd, long, odd]);
  expect((await openLog()).lines).toEqual([odd, long, odd]);
});

test('a damaged line in the middle stops the start, by naming file and line', async () => {
  writeFileSync(file, '{"n":1}\n{"n":\n{"n":3}\n');
  const error = await openLog().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(RecordDamaged);
  expect(String(error)).toContain(`${file} line 2`);
});

test('after a foreign line nothing is written, and the owner is told once', async () => {
  const { log, broken } = await openLog();
  await log.append([{ n: 1 }]);
  appendFileSync(file, '{"foreign":true}\n');
  await expect(log.append([{ n: 2 }])).rejects.toBeInstanceOf(RecordShared);
  await expect(log.append([{ n: 3 }])).rejects.toBeInstanceOf(RecordShared);
  expect(broken).toHaveLength(1);
  expect(readFileSync(file, 'utf8')).toBe('{"n":1}\n{"foreign":true}\n');
});
