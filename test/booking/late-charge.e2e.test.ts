import { afterAll, beforeAll, expect, test } from 'vitest';
import { Visitor, type TripWishes } from '../support/customer.js';
import { startHouse, type House } from '../support/house.js';
import type { SandboxEffect } from '../support/sandbox.js';

const TIMEOUT_MS = 3_000;
const SETTLES_MS = 3_000;
/** After the time-out, and before the provider promises to have settled. */
const LATE_MS = 4_500;
/** After both: later than the provider promises. */
const TOO_LATE_MS = 7_500;

let house: House;
let visitor: Visitor;

beforeAll(async () => {
  house = await startHouse({
    env: {
      RECOURSE_CALL_TIMEOUT_MS: String(TIMEOUT_MS),
      RECOURSE_SETTLES_MS: String(SETTLES_MS),
    },
  });
  visitor = new Visitor(house);
});
afterAll(() => house.close());

interface Late {
  readonly what: string;
  readonly ms: number;
  readonly wishes: TripWishes;
  readonly cancelled: boolean;
  readonly ends: 'confirmed' | 'failed' | 'cancelled';
}

const SOLD_OUT = { flight: 'BLR-LHR-0417-SOLDOUT' };

const LATE: readonly Late[] = [
  { what: 'late', ms: LATE_MS, wishes: {}, cancelled: false, ends: 'confirmed' },
  { what: 'too late', ms: TOO_LATE_MS, wishes: {}, cancelled: false, ends: 'confirmed' },
  { what: 'late, no seat', ms: LATE_MS, wishes: SOLD_OUT, cancelled: false, ends: 'failed' },
  {
    what: 'too late, no seat',
    ms: TOO_LATE_MS,
    wishes: SOLD_OUT,
    cancelled: false,
    ends: 'failed',
  },
  { what: 'cancelled meanwhile', ms: LATE_MS, wishes: {}, cancelled: true, ends: 'cancelled' },
];

async function bookLate({ ms, wishes }: Late): Promise<string> {
  const { id } = await visitor.book(wishes);
  const match = { reference: `${id}:charge` };
  const late = { hang_then_effect: { ms } };
  await house.sandbox.fault({ provider: 'payments', operation: 'charge', match, do: late });
  return id;
}

test('a charge that lands after its time-out is not doubled, nor undone before it landed', async () => {
  await house.part('worker').stop();
  const ids = await Promise.all(LATE.map(bookLate));
  await house.start('worker');
  await Promise.all(LATE.map((late, index) => cancelInFlight(late, ids[index] ?? '')));

  for (const [index, { what, ends }] of LATE.entries()) {
    const id = ids[index] ?? '';
    await visitor.until(id, [ends], 60_000);
    const effects = await house.sandbox.effects(`${id}:charge`);
    const kinds = ends === 'confirmed' ? ['charge'] : ['charge', 'refund'];
    expect(
      effects.map(({ kind }) => kind),
      what,
    ).toEqual(kinds);
    await expectAskedBackOnlyAfter(effects, id, what);
  }
}, 120_000);

async function cancelInFlight({ cancelled, what }: Late, id: string): Promise<void> {
  if (!cancelled) return;
  await expect
    .poll(async () => (await house.sandbox.requests(`${id}:charge`)).length, { timeout: 30_000 })
    .toBeGreaterThan(0);
  expect((await visitor.cancel(id)).status, what).toBe(202);
  expect(await house.sandbox.effects(`${id}:charge`), what).toEqual([]);
}

/** No refund was even asked for before the charge had landed. */
async function expectAskedBackOnlyAfter(
  effects: readonly SandboxEffect[],
  id: string,
  what: string,
): Promise<void> {
  const landed = effects.find(({ kind }) => kind === 'charge')?.sequence ?? Infinity;
  const asked = await house.sandbox.requests(`${id}:charge:undo`);
  for (const { sequence } of asked) expect(sequence, what).toBeGreaterThan(landed);
}
