import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Visitor } from '../support/customer.js';
import { startHouse, type House } from '../support/house.js';
import { BOOKED, CONFIRMED, effectsOf, UNDONE_FROM_HOTEL } from '../support/trip-effects.js';

let house: House;
let visitor: Visitor;

beforeAll(async () => {
  house = await startHouse();
  visitor = new Visitor(house);
});
afterAll(() => house.close());

const effects = (run: string) => effectsOf(house.sandbox, run);

test('a trip is confirmed, and each step took effect once', async () => {
  const { id } = await visitor.book();
  const booking = await visitor.until(id, ['confirmed']);
  await expect.poll(() => visitor.run(id)).toMatchObject({ state: 'completed' });
  expect(await effects(id)).toEqual(CONFIRMED);
  expect(booking.payment).toMatchObject({ charge: expect.stringMatching(/^ch_/) });
});

test('a sold-out hotel undoes the flight, then the charge', async () => {
  const { id } = await visitor.book({ hotel: 'H-204-SOLDOUT' });
  const booking = await visitor.until(id, ['failed']);
  expect(booking.failure).toMatchObject({ code: 'sold_out', step: 'hotel' });
  expect(booking.payment.refunded).toMatchObject({ amount: 240_000 });
  expect(await effects(id)).toEqual(UNDONE_FROM_HOTEL);
});

test('a trip cancelled in the middle ends cancelled, and what was done is undone', async () => {
  const slow = { provider: 'hotels', operation: 'reserve', do: { delay: { ms: 1_000 } } } as const;
  await house.sandbox.fault(slow);
  const { id } = await visitor.book();
  await expect
    .poll(async () => (await house.sandbox.requests(`${id}:hotel`)).length, { timeout: 20_000 })
    .toBe(1);
  const reply = await visitor.cancel(id);
  expect(reply.status).toBe(202);
  await visitor.until(id, ['cancelled']);
  const seen = await effects(id);
  const undone = (step: string) =>
    seen.filter((effect) => effect.startsWith(`${step}:undo`)).length;
  for (const step of ['charge', 'flight', 'hotel']) {
    expect(seen.filter((effect) => effect.startsWith(`${step} `))).toHaveLength(undone(step));
  }
  expect(undone('charge')).toBe(1);
});

describe('row 14: a hotel whose answer was lost is on the desk, and is called once until a verdict', () => {
  async function lost(): Promise<string> {
    const { id } = await visitor.book({ hotel: 'H-204-LOST' });
    await visitor.until(id, ['in_review']);
    expect(await house.sandbox.requests(`${id}:hotel`)).toHaveLength(1);
    return id;
  }

  async function decide(id: string, verdict: Record<string, unknown>): Promise<void> {
    const [open] = await visitor.openCases(id);
    if (open === undefined) throw new Error(`${id} has no open case`);
    const reply = await visitor.decide(open, verdict);
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  }

  test('happened: it counts with the value given, and the trip goes on', async () => {
    const id = await lost();
    const [reservation] = await house.sandbox.effects(`${id}:hotel`);
    await decide(id, { verdict: 'happened', value: { id: reservation?.id } });
    const booking = await visitor.until(id, ['confirmed']);
    expect(booking.hotel).toMatchObject({ reservation: reservation?.id });
    await expect.poll(() => effects(id), { timeout: 20_000 }).toEqual(CONFIRMED);
  });

  test('did-not-happen: the hotel is called a second time', async () => {
    const id = await lost();
    await decide(id, { verdict: 'did-not-happen' });
    await visitor.until(id, ['in_review']);
    await expect
      .poll(async () => (await house.sandbox.requests(`${id}:hotel`)).length, { timeout: 20_000 })
      .toBe(2);
  });

  test('undone-by-hand: the rest is undone, and the hotel is not called again', async () => {
    const id = await lost();
    await decide(id, { verdict: 'undone-by-hand' });
    await visitor.until(id, ['failed']);
    expect(await effects(id)).toEqual([...BOOKED, 'flight:undo release', 'charge:undo refund']);
  });

  test('left-as-is: the rest is undone, and the booking is closed with what remains', async () => {
    const id = await lost();
    await decide(id, { verdict: 'left-as-is', amount: { amount: 9_000, currency: 'INR' } });
    const booking = await visitor.until(id, ['closed']);
    expect(booking['resolution']).toMatchObject({ remains: [{ step: 'hotel' }] });
    expect(await effects(id)).toEqual([...BOOKED, 'flight:undo release', 'charge:undo refund']);
  });
});
