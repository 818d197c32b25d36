import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Visitor } from '../support/customer.js';
import { startHouse, type House } from '../support/house.js';
import { ownFolder } from '../support/owned-process.js';
import { bringFuzzer, fuzz, whyNoFuzzer, type FuzzWishes } from '../support/schemathesis.js';

/** An answer, as hooks.py writes it down. */
interface Seen {
  /** The role whose key was sent. */
  readonly run: string;
  readonly operation: string;
  readonly status: number;
  readonly claimed: boolean;
  readonly replayed: boolean;
  readonly sent: string;
}

/** The first run brings the program; two cores may be busy. */
const BRING_MS = 600_000;
const FUZZ_MS = 480_000;

const missing = await whyNoFuzzer();
let house: House | undefined;
let python: string;
let answers: string;
let seeded = 0;

beforeAll(async () => {
  if (missing !== null) return;
  python = await bringFuzzer();
  answers = join(ownFolder('fuzz'), 'answers.ndjson');
  house = await startHouse();
  const customer = new Visitor(house);
  await customer.book();
  seeded += 1;
  // The case on which every verdict may be given.
  await inReview(customer);
}, BRING_MS);
afterAll(() => house?.close());
beforeEach(({ skip }) => skip(missing !== null, missing ?? ''));

/** It was started, or the tests are skipped. */
const here = () => house as House;

/** A booking that waits for a person, whatever the speed of the machine. */
async function inReview(customer: Visitor): Promise<string> {
  const { id } = await customer.book({ hotel: 'H-204-LOST' });
  seeded += 1;
  await customer.until(id, ['in_review']);
  return id;
}

/** What each operation does its work on: what one does to a booking is not in another's way. */
async function seed(): Promise<Pick<FuzzWishes, 'sure' | 'kept'>> {
  const customer = new Visitor(here());
  const bookings = await Promise.all(Array.from({ length: 3 }, () => inReview(customer)));
  const cases = await Promise.all(bookings.map((id) => customer.openCases(id)));
  const [cancelled = '', quoted = '', acted = ''] = bookings;
  const kept = [...bookings, ...cases.flat().map(({ id }) => id)];
  const sure = {
    'POST /v1/bookings/{id}/cancel': cancelled,
    'POST /v1/bookings/{id}/cancellations': quoted,
    'POST /v1/runs/{id}/actions': acted,
    'GET /v1/cases/{id}': kept.at(-1) ?? '',
  };
  return { sure, kept };
}

const seen = (): readonly Seen[] =>
  readFileSync(answers, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Seen);

test.each([
  ['operator', ['--max-examples', '25']],
  // The bounds of each parameter are the same for every key, and most of the time goes into them.
  ['customer', ['--max-examples', '10', '--phases', 'examples,fuzzing,stateful']],
] as const)(
  'requests made from the description, with the key of a role (%s), find nothing wrong',
  { timeout: FUZZ_MS },
  async (role, args) => {
    const { code, printed } = await fuzz(python, {
      ...{ url: here().url, apiKey: here().keys[role], mark: role, answers, args },
      ...(await seed()),
    });
    expect(code, printed).toBe(0);
  },
);

test('none of them was answered with an error of ours', () => {
  expect(seen().filter(({ status }) => status >= 500)).toEqual([]);
});

const OF_BOTH = [
  'POST /v1/bookings',
  'POST /v1/bookings/{id}/cancel',
  'POST /v1/bookings/{id}/cancellations',
  'POST /v1/cancellations/{id}/confirm',
];

test.each([
  ['operator', [...OF_BOTH, 'POST /v1/runs/{id}/actions', 'GET /v1/cases/{id}']],
  ['customer', OF_BOTH],
])('those with the key of a role (%s) reached what they were for', (role, operations) => {
  const worked = seen().filter(({ run, status }) => run === role && status < 300);
  expect([...new Set(worked.map(({ operation }) => operation))]).toEqual(
    expect.arrayContaining(operations),
  );
});

test('what was refused has left no row, and what was accepted has left one', async () => {
  const claimed = seen().filter((one) => one.claimed && !one.replayed);
  const booked = claimed.filter(({ operation }) => operation === 'POST /v1/bookings');
  const { rows } = await here().db.query<{ claims: number; runs: number }>(
    `select (select count(*)::integer from claims) as claims,
            (select count(*)::integer from runs) as runs`,
  );
  expect(rows).toEqual([{ claims: claimed.length + seeded, runs: booked.length + seeded }]);
});
