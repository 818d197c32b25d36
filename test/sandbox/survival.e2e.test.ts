import { expect, test } from 'vitest';
import { callProvider, jsonOf } from '../support/provider-call.js';
import type { TestSandbox } from '../support/sandbox.js';
import { startSandbox } from '../support/sandbox.js';

// The sandbox as a process: what kill -9 leaves, and how it ends.

const body = { amount: 100, currency: 'INR', source: 'tok_visa' };
const charge = (sandbox: TestSandbox, key: string, timeoutMs = 5_000) =>
  callProvider(`${sandbox.providers.payments}/charges`, { key, body, timeoutMs });

test('killed in a storm of charges, it keeps what it answered, and makes none twice', async () => {
  const sandbox = await startSandbox();
  const keys = Array.from({ length: 300 }, (_, n) => `r${n}:charge`);
  const calls = keys.map((key) => charge(sandbox, key));
  // In the middle: some are answered, some are on their way.
  await Promise.any(calls.slice(100));
  await sandbox.kill();
  const before = await Promise.all(calls);
  const answered = before.filter(({ broken }) => broken === null);
  expect(answered.length).toBeGreaterThan(0);

  await sandbox.restart();
  const kept = (await sandbox.effects('r')).map(({ id }) => id);
  for (const seen of answered) expect(kept).toContain(jsonOf(seen).id);
  const after = await Promise.all(keys.map((key) => charge(sandbox, key)));
  expect(after.every(({ status }) => status === 201)).toBe(true);
  const repeated = after.filter((_, at) => before[at]?.broken === null);
  expect(repeated.map(({ text }) => text)).toEqual(answered.map(({ text }) => text));
  const effects = await sandbox.effects('r');
  expect(new Set(effects.map(({ reference }) => reference)).size).toBe(keys.length);
  expect(effects).toHaveLength(keys.length);
  await sandbox.stop();
});

test('killed before a late effect, the effect never lands; the script goes on', async () => {
  const sandbox = await startSandbox();
  const at = { provider: 'payments', operation: 'charge' } as const;
  await sandbox.fault({ ...at, do: { hang_then_effect: { ms: 400 } } });
  await sandbox.fault({ ...at, times: 2, do: { status: { code: 503 } } });
  expect((await charge(sandbox, 'r:charge', 100)).broken).toBe('timeout');
  await sandbox.kill();
  await sandbox.restart();
  const seen = [];
  for (let n = 0; n < 3; n += 1) seen.push((await charge(sandbox, 'r:charge')).status);
  expect(seen).toEqual([503, 503, 201]);
  expect((await sandbox.faults()).map(({ used }) => used)).toEqual([1, 2]);
  expect((await sandbox.requests('r:')).map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4]);
  expect(await sandbox.effects('r:')).toHaveLength(1);
  await sandbox.stop();
});

test('SIGTERM ends it at once although callers hang; its port stays the same', async () => {
  const sandbox = await startSandbox();
  const { url } = sandbox;
  await sandbox.fault({ provider: 'payments', operation: 'charge', times: null, do: 'hang' });
  const hanging = [charge(sandbox, 'a:charge', 30_000), charge(sandbox, 'b:charge', 30_000)];
  await expect.poll(() => sandbox.requests()).toHaveLength(2);
  const started = performance.now();
  await sandbox.stop();
  expect(performance.now() - started).toBeLessThan(3_000);
  for (const seen of await Promise.all(hanging)) expect(seen.status).toBeNull();
  await sandbox.restart();
  expect(sandbox.url).toBe(url);
  expect(await sandbox.requests()).toHaveLength(2);
  await sandbox.stop();
});

test('of two on one folder, the one that finds foreign lines ends without an answer', async () => {
  const first = await startSandbox();
  const second = await startSandbox({ dataDir: first.dataDir });
  expect((await charge(first, 'a:charge')).status).toBe(201);
  expect(await charge(second, 'b:charge')).toMatchObject({ status: null, broken: 'ECONNRESET' });
  const gone = async () => (await charge(second, 'b:charge')).broken;
  await expect.poll(gone).toBe('ECONNREFUSED');
  expect((await charge(first, 'c:charge')).status).toBe(201);
  expect((await first.effects()).map(({ reference }) => reference)).toEqual([
    'a:charge',
    'c:charge',
  ]);
  await Promise.all([first.stop(), second.stop()]);
});

test('one that cannot start says why', async () => {
  await expect(startSandbox({ dataDir: '/dev/null/x' })).rejects.toThrow(/recourse-sandbox: E/);
});
