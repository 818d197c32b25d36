import { expect, test } from 'vitest';
import { progressBar, progressText } from '../../src/local/progress.js';
import { openTerminal } from '../../src/local/terminal.process.js';

function terminal(isTTY: boolean) {
  const written: string[] = [];
  return { written, ...openTerminal({ isTTY, write: (text) => written.push(text) }) };
}

test.each([
  // bytes        total        text                          bar
  [0, 44_508_240, '0.0 of 44.5 MB (0 %)', '[------------------------]'],
  [22_254_120, 44_508_240, '22.3 of 44.5 MB (50 %)', '[############------------]'],
  [44_508_240, 44_508_240, '44.5 of 44.5 MB (100 %)', '[########################]'],
  [99_000_000, 44_508_240, '99.0 of 44.5 MB (100 %)', '[########################]'],
  [1_500_000, 0, '1.5 MB', '[------------------------]'],
])('%d of %d bytes are %s %s', (bytes, total, text, bar) => {
  expect(progressText({ bytes, total })).toBe(text);
  expect(progressBar({ bytes, total })).toBe(bar);
});

test('a stage ends with one line that has its seconds, and hands on what it made', async () => {
  const { stage, written } = terminal(false);
  expect(await stage('Postgres', () => Promise.resolve('url'))).toBe('url');
  expect(written).toEqual([expect.stringMatching(/^ {2}Postgres: \d+\.\d s\n$/)]);
});

test('a stage that fails says nothing: the one who started it does', async () => {
  const { stage, written } = terminal(false);
  await expect(stage('Postgres', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(written).toEqual([]);
});

test('a download is a bar on a terminal, and does not flood a file', () => {
  const [person, file] = [terminal(true), terminal(false)];
  for (const { download } of [person, file]) {
    const progress = download('the CLI');
    for (let bytes = 0; bytes < 10; bytes += 1) progress({ bytes, total: 10 });
  }
  expect(person.written.at(-1)).toMatch(/^\r.*\[#+-*\] /);
  expect(file.written).toEqual(['  bringing the CLI\n']);
});

test('a line takes the place of the bar that was shown', () => {
  const { download, line, written } = terminal(true);
  download('the CLI')({ bytes: 1, total: 2 });
  line('ready');
  expect(written.at(-1)).toBe('\r\u001B[Kready\n');
});
