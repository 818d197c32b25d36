import { expect, test } from 'vitest';
import { WorkPlaces } from '../../../src/engine/admission/work-places.js';

const refusedAs = (code: string) => expect.objectContaining({ code });
const work = (key: string, body = '{}', asks = 'POST /v1/bookings') => ({
  ...{ key, asks },
  body: Buffer.from(body),
});

test('an account has as many places as it may have, and others have theirs', () => {
  const places = new WorkPlaces({ all: 10, account: 2 });
  const { leave } = places.enter('acme', null);
  places.enter('acme', work('a key'));
  expect(() => places.enter('acme', null)).toThrow(refusedAs('rate-limited'));
  places.enter('zenith', null);
  leave();
  places.enter('acme', null);
  expect(() => places.enter('acme', work('another'))).toThrow(refusedAs('rate-limited'));
});

test('a process has as many places as it may have', () => {
  const places = new WorkPlaces({ all: 2, account: 2 });
  const { leave } = places.enter('acme', null);
  places.enter('zenith', null);
  expect(() => places.enter('third', null)).toThrow(refusedAs('overloaded'));
  leave();
  leave();
  places.enter('third', null);
  expect(() => places.enter('fourth', null)).toThrow(refusedAs('overloaded'));
});

test('a crowd under one key takes one place, until the last of it has left', () => {
  const places = new WorkPlaces({ all: 2, account: 1 });
  const crowd = Array.from({ length: 8 }, () => places.enter('acme', work('a key')));
  expect(crowd.map(({ isShared }) => isShared)).toEqual([false, ...Array(7).fill(true)]);
  expect(() => places.enter('acme', work('another'))).toThrow(refusedAs('rate-limited'));
  expect(places.enter('zenith', work('a key')).isShared).toBe(false);
  crowd.slice(1).forEach(({ leave }) => leave());
  expect(() => places.enter('acme', work('another'))).toThrow(refusedAs('rate-limited'));
  crowd[0]?.leave();
  places.enter('acme', work('another'));
});

test('another body under the same key is work of its own', () => {
  const places = new WorkPlaces({ all: 9, account: 2 });
  places.enter('acme', work('a key'));
  const other = places.enter('acme', work('a key', '{"a": 1}'));
  expect(other.isShared).toBe(false);
  expect(() => places.enter('acme', work('a key', '[]'))).toThrow(refusedAs('rate-limited'));
  expect(places.enter('acme', work('a key')).isShared).toBe(true);
  other.leave();
  expect(places.enter('acme', work('third')).isShared).toBe(false);
});

test('one key on many paths is as many pieces of work', () => {
  const places = new WorkPlaces({ all: 9, account: 2 });
  places.enter('acme', work('a key', '{}', 'POST /v1/bookings/one/cancel'));
  const other = places.enter('acme', work('a key', '{}', 'POST /v1/bookings/two/cancel'));
  expect(other.isShared).toBe(false);
  expect(() => places.enter('acme', work('a key', '{}', 'POST /v1/bookings/three/cancel'))).toThrow(
    refusedAs('rate-limited'),
  );
});

test('a crowd that would fill the memory is refused all the same', () => {
  const places = new WorkPlaces({ all: 2, account: 1 });
  for (let n = 0; n < 8; n += 1) places.enter('acme', work('a key'));
  expect(() => places.enter('acme', work('a key'))).toThrow(refusedAs('rate-limited'));
});
