import { expect, test } from 'vitest';
import { Turns } from '../../../src/engine/admission/turns.process.js';

const LONG_MS = 60_000;

test('so many are at work, the others stand in line, and other accounts pass by', async () => {
  const turns = new Turns(2, LONG_MS);
  const came: string[] = [];
  const take = async (account: string, name: string) => {
    const end = await turns.take(account);
    came.push(name);
    return end;
  };
  const [first, second] = await Promise.all([take('acme', 'one'), take('acme', 'two')]);
  const waiting = [take('acme', 'three'), take('acme', 'four')];
  await take('zenith', 'neighbour');
  expect(came).toEqual(['one', 'two', 'neighbour']);
  first();
  first();
  const third = await waiting[0];
  expect(came).toEqual(['one', 'two', 'neighbour', 'three']);
  second();
  third?.();
  (await waiting[1])?.();
  expect(came.at(-1)).toBe('four');
});

test('who stands in line for too long is sent away, and keeps nobody from a turn', async () => {
  const turns = new Turns(1, 5);
  const end = await turns.take('acme');
  await expect(turns.take('acme')).rejects.toMatchObject({
    code: 'rate-limited',
    details: { turnedAway: 'account-in-flight', headers: { 'Retry-After': '1' } },
  });
  end();
  (await turns.take('acme'))();
  await expect(turns.take('acme')).resolves.toBeTypeOf('function');
});
