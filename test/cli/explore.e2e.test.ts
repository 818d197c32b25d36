import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from './run-cli.js';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recourse-explore-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('every schedule of one fault is tried on two threads, shown, and written as a page', async () => {
  const page = join(folder, 'trip.html');
  const { code, stdout, stderr } = await runCli([
    ...['explore', 'book-trip@1', '--faults', '1', '--walks', '50', '--threads', '2'],
    ...['--page', page],
  ]);
  expect(stderr).toContain('book-trip@1: every schedule of up to 1 fault, on 2 threads');
  expect(stdout).toMatch(/^hotel +answer lost +\d+/m);
  expect(stdout).toMatch(/^book-trip version 1: [\d,]+ schedules of up to 1 fault/m);
  expect(stdout).toContain('Every promise was kept; in 50 random runs from seed 1 too.');
  expect(code).toBe(0);
  expect(await readFile(page, 'utf8')).toContain('<h1>book-trip version 1, explored</h1>');
});

test('one thread and three try the same', async () => {
  const explored = async (threads: string) => {
    const { stdout } = await runCli([
      ...['explore', 'book-trip@1', '--faults', '1', '--walks', '0', '--threads', threads],
      ...['--no-page', '--json'],
    ]);
    const { schedules, byFaults, endings } = JSON.parse(stdout) as Record<string, unknown>;
    return { schedules, byFaults, endings };
  };
  expect(await explored('3')).toEqual(await explored('1'));
});

test.each([
  [['book-trp'], /there is no saga book-trp\. Did you mean book-trip\? There is: book-trip@1/],
  [['book-trip@77'], /there is no saga book-trip@77\. There is: book-trip@1/],
  [['book-trip', '--faults', 'many'], /--faults many: a whole number from 0 to 5 expected/],
])('explore %j is wrong usage, and says why', async (args, said) => {
  const { code, stderr, stdout } = await runCli(['explore', ...args]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(said);
});

test('a page that cannot be written is said, after what was tried', async () => {
  const { code, stdout, stderr } = await runCli([
    ...['explore', 'book-trip@1', '--faults', '0', '--walks', '0'],
    ...['--page', join(folder, 'no-such-folder', 'trip.html')],
  ]);
  expect(code).toBe(1);
  expect(stdout).toContain('1 schedule of up to 0 faults');
  expect(stderr).toContain('the page cannot be written: ENOENT');
});
