import { afterAll, beforeAll, expect, test } from 'vitest';
import { Visitor } from '../support/customer.js';
import { startHouse, type House } from '../support/house.js';
import { effectsOf } from '../support/trip-effects.js';

// What a provider has refused is offered to a person as "send it again". That must be done, once,
// and not be asked for without an end.

let house: House;
let visitor: Visitor;
beforeAll(async () => {
  house = await startHouse();
  visitor = new Visitor(house);
});
afterAll(() => house.close());

async function sendAgain(id: string): Promise<void> {
  const [open] = await visitor.openCases(id);
  if (open === undefined) throw new Error(`${id} has no open case`);
  expect((await visitor.decide(open, { verdict: 'did-not-happen' })).status).toBe(200);
}

async function historyLength(id: string): Promise<number> {
  return (await house.temporal.client.workflow.getHandle(id).describe()).historyLength;
}

test('a refund that was refused is sent again when a person says so', async () => {
  const refused = { status: { code: 422 } };
  await house.sandbox.fault({ provider: 'payments', operation: 'refund', times: 1, do: refused });
  const { id } = await visitor.book({ hotel: 'H-204-SOLDOUT' });
  await expect.poll(async () => (await visitor.openCases(id)).length).toBe(1);
  await sendAgain(id);
  await visitor.until(id, ['failed']);
  const effects = await effectsOf(house.sandbox, id);
  expect(effects.filter((effect) => effect.includes('charge'))).toEqual([
    'charge charge',
    'charge:undo refund',
  ]);
  expect(await house.sandbox.requests(`${id}:charge:undo`)).toHaveLength(2);
  expect(await historyLength(id)).toBeLessThan(120);
});

test('a receipt that was refused is sent again when a person says so', async () => {
  const refused = { status: { code: 422 } };
  await house.sandbox.fault({ provider: 'messages', operation: 'send', times: 1, do: refused });
  const { id } = await visitor.book();
  await expect.poll(async () => (await visitor.openCases(id)).length).toBe(1);
  await sendAgain(id);
  await expect.poll(() => effectsOf(house.sandbox, id)).toContain('receipt message');
  await expect.poll(async () => (await visitor.openCases(id)).length).toBe(0);
  expect(await historyLength(id)).toBeLessThan(80);
});
