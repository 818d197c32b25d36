import { afterAll, beforeAll, expect, test } from 'vitest';
import { Visitor } from '../support/customer.js';
import { startHouse, type House } from '../support/house.js';

let house: House;
let visitor: Visitor;

beforeAll(async () => {
  house = await startHouse();
  visitor = new Visitor(house);
});
afterAll(() => house.close());

const SOON = { timeout: 30_000, interval: 50 };

/** How the attempts of a run stand, as `step state`, by their names. */
async function attempts(run: string): Promise<readonly string[]> {
  const { rows } = await house.db.query(
    `select step || ' ' || state as attempt from attempts where run = $1 order by attempt`,
    [run],
  );
  return rows.map(({ attempt }) => attempt);
}

test('a worker told to stop lets its call end, writes what it came to, and exits 0', async () => {
  const slow = { provider: 'payments', operation: 'charge', do: { delay: { ms: 1_500 } } } as const;
  await house.sandbox.fault(slow);
  const { id } = await visitor.book();
  await expect.poll(() => attempts(id), SOON).toEqual(['charge sending']);
  const worker = house.part('worker');
  worker.signal('SIGTERM');
  expect(await worker.exit).toMatchObject({ code: 0 });
  expect(await attempts(id)).toEqual(['charge done']);

  await house.start('worker');
  const steps = ['charge', 'flight', 'hotel', 'receipt', 'ticket'];
  await expect.poll(() => attempts(id), SOON).toEqual(steps.map((step) => `${step} done`));
});

test('what a run is doing is told by its workflow, while a worker is there to tell', async () => {
  const { id } = await visitor.book({ hotel: 'H-204-LOST' });
  await visitor.until(id, ['in_review']);
  expect(await visitor.run(id)).toMatchObject({
    state: 'needs_reconciliation',
    live: { state: 'needs_reconciliation', problem: 'unknown-outcome', step: 'hotel' },
  });
  await house.part('worker').stop();
  expect(await visitor.run(id)).toMatchObject({ state: 'needs_reconciliation', live: null });
  await house.start('worker');
});
