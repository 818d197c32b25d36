import { afterAll, beforeAll, expect, test } from 'vitest';
import { Visitor } from '../support/customer.js';
import { lockRun, unlock, waitingForRows } from '../support/held-rows.js';
import { startHouse, type House } from '../support/house.js';

let house: House;
let visitor: Visitor;

beforeAll(async () => {
  // Longer than it takes to bring all six to their places.
  house = await startHouse({ env: { RECOURSE_CALL_TIMEOUT_MS: '9000' } });
  visitor = new Visitor(house);
});
afterAll(() => house.close());

/** Told to come again, so that the test can lock the row while the next try is waited for. */
const AGAIN = { status: { code: 429, retry_after: 2 } };
const SLOW = { delay: { ms: 3_000 } };
const HELD = { timeout: 30_000, interval: 50 };
const FLIGHT_SOLD_OUT = 'BLR-LHR-0417-SOLDOUT';

interface Place {
  readonly where: string;
  readonly operation: 'charge' | 'refund';
  readonly trouble: string | Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Held by a locked row, once the sandbox has seen the request; else by the sandbox itself. */
  readonly byRow: boolean;
}

const PLACES: readonly Place[] = [
  { where: 'before the charge is sent', operation: 'charge', trouble: AGAIN, byRow: true },
  { where: 'after its answer, before its record', operation: 'charge', trouble: SLOW, byRow: true },
  { where: 'after its effect', operation: 'charge', trouble: 'effect_then_hang', byRow: false },
  { where: 'before the refund is sent', operation: 'refund', trouble: AGAIN, byRow: true },
  { where: 'after its answer, before its record', operation: 'refund', trouble: SLOW, byRow: true },
  { where: 'after its effect', operation: 'refund', trouble: 'effect_then_hang', byRow: false },
];

/** Books a trip that will be held at a place; no worker may be at work yet. */
async function bookFor({ operation, trouble }: Place): Promise<string> {
  const { id } = await visitor.book(operation === 'refund' ? { flight: FLIGHT_SOLD_OUT } : {});
  const match = { reference: `${id}:charge` };
  await house.sandbox.fault({ provider: 'payments', operation, match, do: trouble });
  return id;
}

/** Waits until the sandbox has the trip's request, and then holds its row if that is the place. */
async function hold(id: string, place: Place) {
  const reference = place.operation === 'charge' ? `${id}:charge` : `${id}:charge:undo`;
  const asked = async () =>
    (await house.sandbox.requests(reference)).some((one) => one.reference === reference);
  await expect.poll(asked, HELD).toBe(true);
  if (place.trouble === AGAIN) {
    // The answer must be on record first: only then does the row hold the next try.
    await expect.poll(() => lastOutcome(id), HELD).toBe('again');
  }
  return place.byRow ? lockRun(house.db, id) : null;
}

async function lastOutcome(id: string): Promise<string | null> {
  const { rows } = await house.db.query(
    `select line ->> 'outcome' as outcome from journal where run = $1 order by seq desc limit 1`,
    [id],
  );
  return rows[0].outcome;
}

test('a worker killed while six trips are held at six places: one charge, one refund each', async () => {
  await house.part('worker').stop();
  const ids = await Promise.all(PLACES.map(bookFor));
  await house.start('worker');
  const locks = await Promise.all(PLACES.map((place, index) => hold(ids[index] ?? '', place)));
  await expect.poll(() => waitingForRows(house.db), HELD).toBe(4);

  await house.part('worker').kill9();
  await Promise.all(locks.map((lock) => (lock === null ? null : unlock(lock))));
  await house.start('worker');

  for (const [index, place] of PLACES.entries()) {
    const id = ids[index] ?? '';
    const isRefund = place.operation === 'refund';
    await visitor.until(id, [isRefund ? 'failed' : 'confirmed'], 90_000);
    const kinds = (await house.sandbox.effects(`${id}:charge`)).map(({ kind }) => kind);
    expect(kinds, place.where).toEqual(isRefund ? ['charge', 'refund'] : ['charge']);
  }
}, 180_000);
