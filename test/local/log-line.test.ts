import { expect, test } from 'vitest';
import { readLogLine } from '../../src/local/log-line.js';

test.each([
  // line                                                            stream    level    text
  ['{"level":30,"msg":"listening"}', 'stdout', 'info', 'listening'],
  ['{"level":40,"msg":"slow"}', 'stdout', 'warn', 'slow'],
  ['{"level":50,"msg":"lost","err":{"message":"no route"}}', 'stdout', 'error', 'lost: no route'],
  ['{"level":60,"err":{"message":"gone"}}', 'stdout', 'error', 'gone'],
  ['{"level":"WARN","msg":"dial","error":"refused"}', 'stderr', 'warn', 'dial: refused'],
  ['{"level":"ERROR","msg":"disk"}', 'stderr', 'error', 'disk'],
  ['{"level":30}', 'stdout', 'info', '{"level":30}'],
  ['{half an object', 'stderr', 'warn', '{half an object'],
  ['Temporal UI: http://x', 'stdout', 'info', 'Temporal UI: http://x'],
  ['Error: boom', 'stderr', 'warn', 'Error: boom'],
  ['10:00 UTC [7] LOG:  ready', 'stderr', 'info', '10:00 UTC [7] LOG:  ready'],
  ['10:00 UTC [7] ERROR:  duplicate key', 'stderr', 'info', '10:00 UTC [7] ERROR:  duplicate key'],
  ['10:00 UTC [7] FATAL:  too many', 'stderr', 'warn', '10:00 UTC [7] FATAL:  too many'],
  ['10:00 UTC [7] PANIC:  no space', 'stderr', 'error', '10:00 UTC [7] PANIC:  no space'],
] as const)('%s on %s is %s: %s', (line, stream, level, text) => {
  expect(readLogLine(line, stream)).toEqual({ level, text });
});

test('only an object that says ready: true is a ready line, and it is handed over whole', () => {
  const ready = { ready: true, url: 'http://127.0.0.1:4010' };
  expect(readLogLine(JSON.stringify(ready), 'stdout').ready).toEqual(ready);
  expect(readLogLine('{"ready":"true"}', 'stdout').ready).toBeUndefined();
  expect(readLogLine('"ready":true', 'stdout').ready).toBeUndefined();
});
