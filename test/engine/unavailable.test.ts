import { expect, test } from 'vitest';
import { isDatabaseUnavailable, isReadOnly } from '../../src/engine/database/unavailable.js';

const failedWith = (code: string) => Object.assign(new Error('no'), { code, severity: 'ERROR' });

// Source: https://www.postgresql.org/docs/current/errcodes-appendix.html
test.each([
  ['08006', true, 'the connection failed'],
  ['25006', true, 'the transaction may only read'],
  ['25P03', true, 'the transaction idled too long'],
  ['40001', true, 'others changed what it had read'],
  ['40P01', true, 'it was part of a deadlock'],
  ['53100', true, 'the disk is full'],
  ['55P03', true, 'a lock was not there in time'],
  ['57014', true, 'it took too long'],
  ['57P03', true, 'the server starts'],
  ['58030', true, 'the disk failed'],
  ['23505', false, 'there is one already'],
  ['42501', false, 'it may not'],
  ['42601', false, 'the statement is wrong'],
  ['RC001', false, 'the account has no place left'],
])('a statement that ends with %s says that the database is away: %s (%s)', (code, away) => {
  expect(isDatabaseUnavailable(failedWith(code))).toBe(away);
});

test('a database that only reads is told from one that is away', () => {
  expect(isReadOnly(failedWith('25006'))).toBe(true);
  expect(isReadOnly(failedWith('57P03'))).toBe(false);
});
