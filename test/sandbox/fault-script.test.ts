import { expect, test } from 'vitest';
import type { Fault, ScriptedFault } from '../../src/sandbox/fault-script.js';
import { findFault, readFault } from '../../src/sandbox/fault-script.js';

const at = { provider: 'flights', operation: 'hold' };
const charge = { provider: 'payments', operation: 'charge' };

test.each<[unknown, Fault['do']]>([
  ['hang', { name: 'hang' }],
  [{ hang: {} }, { name: 'hang' }],
  [{ delay: { ms: 300 } }, { name: 'delay', ms: 300 }],
  [{ hang_then_effect: { ms: 2000 } }, { name: 'hang_then_effect', ms: 2000 }],
  [{ status: { code: 503 } }, { name: 'status', code: 503 }],
  [{ status: { code: 503, retry_after: 2 } }, { name: 'status', code: 503, retry_after: 2 }],
  [
    { status: { code: 429, retry_after: 'soon' } },
    { name: 'status', code: 429, retry_after: 'soon' },
  ],
  [{ huge_body: { bytes: 1_000_000 } }, { name: 'huge_body', bytes: 1_000_000 }],
  [{ slow_drip: { bytes_per_second: 10 } }, { name: 'slow_drip', bytes_per_second: 10 }],
])('do %j is read', (wanted, done) => {
  expect(readFault({ ...at, do: wanted })).toEqual({ ...at, match: {}, times: 1, do: done });
});

test.each<[fault: unknown, field: string]>([
  [null, 'body'],
  [[], 'body'],
  [{ ...at }, 'do'],
  [{ ...at, do: 'explode' }, 'do'],
  [{ ...at, do: {} }, 'do'],
  [{ ...at, do: { hang: {}, ok: {} } }, 'do'],
  [{ ...at, do: 7 }, 'do'],
  [{ ...at, do: 'delay' }, 'do.delay.ms'],
  [{ ...at, do: { delay: { ms: -1 } } }, 'do.delay.ms'],
  [{ ...at, do: { delay: { ms: 1, jitter: 2 } } }, 'do.delay.jitter'],
  [{ ...at, do: { status: { code: 100 } } }, 'do.status.code'],
  [{ ...at, do: { status: { code: 503, retry_after: 'a\nb' } } }, 'do.status.retry_after'],
  [{ ...at, do: { huge_body: {} } }, 'do.huge_body.bytes'],
  [{ ...at, provider: 'trains', do: 'ok' }, 'provider'],
  [{ ...at, operation: 'charge', do: 'ok' }, 'operation'],
  [{ ...at, times: 0, do: 'ok' }, 'times'],
  [{ ...at, time: 2, do: 'ok' }, 'time'],
  [{ ...at, match: { ref: 'r' }, do: 'ok' }, 'match.ref'],
  [{ ...at, match: { attempt: 0 }, do: 'ok' }, 'match.attempt'],
  // Faults that could never strike would let a test pass that tested nothing.
  [{ ...at, do: 'ignore_key' }, 'do'],
  [{ ...at, do: 'expire_key' }, 'do'],
  [{ ...at, do: 'wrong_amount' }, 'do'],
  [{ ...at, operation: 'find', do: 'decline' }, 'do'],
  [{ ...at, operation: 'find', do: { hang_then_effect: { ms: 1 } } }, 'do'],
  [{ ...charge, operation: 'find_charge', do: 'duplicate_effect' }, 'do'],
  [{ ...charge, operation: 'find_charge', do: 'ignore_key' }, 'do'],
])('%j is refused by naming %s', (fault, field) => {
  expect(() => readFault(fault)).toThrow(expect.objectContaining({ field }));
});

const request = { provider: 'payments', operation: 'charge', reference: 'r1:charge', attempt: 1 };

const scripted = (id: string, fault: Partial<Fault>, used = 0): ScriptedFault => ({
  id,
  used,
  fault: { ...readFault({ ...charge, do: 'hang' }), ...fault },
});

test.each<[sentence: string, script: ScriptedFault[], found: string | undefined]>([
  ['no script', [], undefined],
  ['a fault for all', [scripted('a', {})], 'a'],
  ['the first of two', [scripted('a', {}), scripted('b', {})], 'a'],
  ['used up, so the second', [scripted('a', {}, 1), scripted('b', {})], 'b'],
  ['twice is not used up by once', [scripted('a', { times: 2 }, 1)], 'a'],
  ['always is never used up', [scripted('a', { times: null }, 99)], 'a'],
  ['the reference itself', [scripted('a', { match: { reference: 'r1:charge' } })], 'a'],
  ['a prefix of the reference', [scripted('a', { match: { reference: 'r1:' } })], 'a'],
  ['the end of the reference', [scripted('a', { match: { reference: 'charge' } })], undefined],
  ['this attempt', [scripted('a', { match: { attempt: 1 } })], 'a'],
  ['another attempt', [scripted('a', { match: { attempt: 2 } })], undefined],
  ['another operation', [scripted('a', { operation: 'refund' })], undefined],
  ['another provider', [scripted('a', { provider: 'hotels' })], undefined],
])('a script with %s', (_sentence, script, found) => {
  expect(findFault(script, { ...request, provider: 'payments' })?.id).toBe(found);
});
