import { afterAll, beforeAll, expect, test } from 'vitest';
import { Visitor } from '../support/customer.js';
import { startHouse, type House } from '../support/house.js';
import { spawnPart } from '../support/processes.js';

let house: House;
let visitor: Visitor;

beforeAll(async () => {
  house = await startHouse();
  visitor = new Visitor(house);
});
afterAll(() => house.close());

const SOON = { timeout: 30_000, interval: 20 };

test('a worker that stood still reads its answer, which settles the case and moves the run', async () => {
  const slow = { provider: 'hotels', operation: 'reserve', do: { delay: { ms: 800 } } } as const;
  await house.sandbox.fault(slow);
  const { id } = await visitor.book();
  const requests = () => house.sandbox.requests(`${id}:hotel`);
  await expect.poll(async () => (await requests()).length, SOON).toBe(1);
  house.part('worker').signal('SIGSTOP');

  // Another worker finds that nobody answers for the call, and puts it on the desk.
  const other = await spawnPart('worker', house.env);
  await visitor.until(id, ['in_review']);
  const [open] = await visitor.openCases(id);

  house.part('worker').signal('SIGCONT');
  const booking = await visitor.until(id, ['confirmed']);
  const [room] = await house.sandbox.effects(`${id}:hotel`);
  expect(booking.hotel).toMatchObject({ reservation: room?.id });
  expect(await requests()).toHaveLength(1);
  const seen = await visitor.get(`/v1/cases/${open?.id}`, 'operator');
  expect(seen.body).toMatchObject({ state: 'settled' });
  await other.stop();
});
