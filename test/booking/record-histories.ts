import { afterAll, beforeAll, expect, test } from 'vitest';
import { fingerprintOf } from '../../src/engine/saga/fingerprint.js';
import { bookTripV1 } from '../../workflows/booking/book-trip.v1.saga.js';
import { Visitor } from '../support/customer.js';
import { startHouse, type House } from '../support/house.js';
import { historyText, storedVersion } from '../support/stored-histories.js';
import { TRIP_ENDINGS } from './trip-endings.js';
import { TRIP_SAMPLES } from './trip-samples.js';

// No test of the suite: `npm run record:histories` runs it when a version is released.

const stored = storedVersion('book-trip.v1');
const missing = Object.entries(TRIP_ENDINGS).filter(([name]) => !stored.has(`${name}.json`));

let house: House;

beforeAll(async () => {
  house = await startHouse();
});
afterAll(() => house.close());

test('the fingerprint of book-trip version 1 is stored', () => {
  const file = 'fingerprint.json';
  if (!stored.has(file)) stored.write(file, `${fingerprintOf(bookTripV1, TRIP_SAMPLES)}\n`);
  expect(stored.has(file)).toBe(true);
});

test('a history of each ending is stored; what is there is left as it is', async () => {
  const stage = { visitor: new Visitor(house), sandbox: house.sandbox };
  for (const [name, play] of missing) {
    const handle = house.temporal.client.workflow.getHandle(await play(stage));
    await handle.result().catch(() => undefined);
    stored.write(`${name}.json`, await historyText(handle));
  }
  for (const name of Object.keys(TRIP_ENDINGS)) expect(stored.has(`${name}.json`), name).toBe(true);
}, 600_000);
