import { describe, expect, test } from 'vitest';
import { logChanges, logLacking } from '../../src/engine/telemetry/change-log.js';
import { createLogger, type LogFields, type LogLevel } from '../../src/engine/telemetry/logger.js';
import { keptLog } from '../support/kept-log.js';

function logTo(lines: string[], level: LogLevel = 'info') {
  return createLogger({ part: 'relay', level }, { write: (line) => void lines.push(line) });
}

function written(fields: LogFields): Record<string, unknown> {
  const lines: string[] = [];
  logTo(lines).info('told', fields);
  const { level, time, pid, part, msg, ...rest } = JSON.parse(lines[0] ?? '');
  expect({ level, pid, part, msg }).toEqual({
    level: 'info',
    pid: process.pid,
    part: 'relay',
    msg: 'told',
  });
  expect(time).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  return rest;
}

test('a line is JSON and says when, how grave, who and what', () => {
  const fields = { run: 'bk_ab', kind: 'start', tries: 3, duration_ms: 1.5, count: 0 } as const;
  expect(written(fields)).toEqual(fields);
});

test('a level below the one that is set is not written', () => {
  const lines: string[] = [];
  const log = logTo(lines, 'warn');
  log.debug('a');
  log.info('b');
  log.warn('c');
  log.error('d');
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['c', 'd']);
});

test('a field that is not on the list is left out, whatever the types were made to say', () => {
  const fields = { run: 'bk_ab', traveller: 'Ada', email: 'ada@example.com' } as LogFields;
  expect(written(fields)).toEqual({ run: 'bk_ab' });
});

describe('a value passes only when it looks like a name, an id or a code', () => {
  test.each([
    ['bk_abcdefghijklmnopqrstuvwxyz', true],
    ['book-trip@1', true],
    ['book-trip@1,book-trip@2', true],
    ['/v1/bookings/{id}/cancel', true],
    ['http://127.0.0.1:3000/desk', true],
    ['chargeCard', true],
    ['', true],
    ['Ada Byron', false],
    ['ada@example.com', false],
    ['postgres://recourse:secret@db:5432/recourse', false],
    ['one\ntwo', false],
    ['Zoë', false],
    ['x'.repeat(300), false],
  ])('%j: %s', (value, passes) => {
    expect(written({ code: value })).toEqual({ code: passes ? value : '[withheld]' });
  });

  test('an object is withheld whole', () => {
    expect(written({ reason: { name: 'Ada' } } as never)).toEqual({ reason: '[withheld]' });
  });
});

describe('of an error its name and code are written, and nothing else', () => {
  const pgError = Object.assign(new Error('duplicate key: Key (email)=(ada@example.com)'), {
    code: '23505',
    detail: 'Key (email)=(ada@example.com) already exists',
    client: { password: 'secret' },
  });
  class ProviderFault extends Error {
    override readonly name = 'ProviderFault';
    readonly code = 'no such card 4242';
  }
  test.each([
    [pgError, { name: 'Error', code: '23505' }],
    [new TypeError('x is Ada'), { name: 'TypeError' }],
    [new ProviderFault('Ada'), { name: 'ProviderFault' }],
    [Object.assign(new Error(''), { name: 'Ada Byron' }), { name: 'Error' }],
    ['a string of Ada', { name: 'string' }],
    [null, { name: 'object' }],
    [{ message: 'Ada' }, { name: 'object' }],
  ])('%o', (error, shown) => {
    expect(written({ error })).toEqual({ error: shown });
  });
});

test('a state is said when it changes, and not while it lasts', () => {
  const log = keptLog();
  const changes = logChanges(log, 'postgres');
  const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
  changes.up();
  changes.down(refused);
  changes.down(refused);
  changes.down(new Error('timeout'));
  changes.up();
  changes.up();
  changes.down(refused);
  expect(log.lines.map(({ level, fields }) => [level, fields.state, fields.error])).toEqual([
    ['warn', 'down', refused],
    ['warn', 'down', new Error('timeout')],
    ['info', 'up', undefined],
    ['warn', 'down', refused],
  ]);
});

test('a version that is lacked is said once, and once that none is', () => {
  const log = keptLog();
  const lacking = logLacking(log);
  const [first, second] = [{ version: 'errand@2' }, { version: 'errand@3' }];
  for (const runs of [[], [first], [first], [first, second], [], []]) lacking(runs);
  expect(log.lines.map(({ level, fields }) => [level, fields.versions])).toEqual([
    ['warn', 'errand@2'],
    ['warn', 'errand@2,errand@3'],
    ['info', undefined],
  ]);
});
