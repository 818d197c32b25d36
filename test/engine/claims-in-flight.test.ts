import { expect, test } from 'vitest';
import { Answer } from '../../src/engine/http/answer.js';
import type { Claim } from '../../src/engine/idempotency/claim.js';
import { ClaimsInFlight, type Found } from '../../src/engine/idempotency/claims-in-flight.js';

const REPLAY = new Answer(202, Buffer.from('{}'));
const claim = (changes: Partial<Claim> = {}): Claim => ({
  account: 'acme',
  key: 'k',
  fingerprint: Buffer.alloc(32, 1),
  ...changes,
});

/** Somebody is at a claim, and says what was found and ends when it is told to. */
function held(flights: ClaimsInFlight, of = claim()) {
  let tell!: (found: Found) => void;
  let end!: () => void;
  let fail!: (error: Error) => void;
  const result = flights.hold(of, (say) => {
    tell = say;
    return new Promise<string>((resolve, reject) => {
      end = () => resolve('done');
      fail = reject;
    });
  });
  return { result, tell, end, fail };
}

test('nobody is at a claim before the first, and after it has ended', async () => {
  const flights = new ClaimsInFlight();
  expect(flights.find(claim())).toBeUndefined();
  const one = held(flights);
  expect(flights.find(claim())).toBeDefined();
  one.end();
  expect(await one.result).toBe('done');
  expect(flights.find(claim())).toBeUndefined();
});

test.each([
  ['a replay', REPLAY],
  ['that it is worked on', null],
])('who comes meanwhile hears %s as soon as it is known', async (_what, found) => {
  const flights = new ClaimsInFlight();
  const one = held(flights);
  const heard = Promise.all([flights.find(claim()), flights.find(claim())]);
  one.tell(found);
  expect(await heard).toEqual([found, found]);
  expect(await flights.find(claim())).toBe(found);
  one.end();
  await one.result;
});

test('what was said first stays said', async () => {
  const flights = new ClaimsInFlight();
  const one = held(flights);
  one.tell(null);
  one.tell(REPLAY);
  expect(await flights.find(claim())).toBeNull();
  one.end();
  await one.result;
});

test('who waits hears why it could not be looked, and the next looks anew', async () => {
  const flights = new ClaimsInFlight();
  const one = held(flights);
  const heard = flights.find(claim());
  one.fail(new Error('no connection'));
  await expect(one.result).rejects.toThrow('no connection');
  await expect(heard).rejects.toThrow('no connection');
  expect(flights.find(claim())).toBeUndefined();
});

test.each([
  ['account', { account: 'zenith' }],
  ['key', { key: 'K' }],
  ['body', { fingerprint: Buffer.alloc(32, 2) }],
])('another %s is another claim', async (_what, changes) => {
  const flights = new ClaimsInFlight();
  const one = held(flights);
  expect(flights.find(claim(changes))).toBeUndefined();
  one.end();
  await one.result;
});
