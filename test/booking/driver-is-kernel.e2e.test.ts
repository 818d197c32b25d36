import { afterAll, beforeAll, expect, test } from 'vitest';
import { bookTripV2 } from '../../workflows/booking/book-trip.v2.saga.js';
import { Company } from './real-play/company.js';
import { prove } from './real-play/proof.js';
import { everySchedule } from './real-play/schedules.js';

let company: Company;

beforeAll(async () => {
  company = await Company.open();
});
afterAll(() => company.close());

test('every schedule of one fault at most goes on the real servers as the explorer says', async () => {
  const all = everySchedule(bookTripV2, 1);
  const { differing, played, table } = await prove(company, all);
  process.stdout.write(`${table}\n`);
  expect(differing).toEqual([]);
  expect(played).toBe(all.length);
}, 900_000);
