import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tripBody, Visitor, type BookingSeen } from '../support/customer.js';
import { startHouse, type House } from '../support/house.js';
import { CONFIRMED, effectsOf, UNDONE_FROM_HOTEL } from '../support/trip-effects.js';

// Of what has gone wrong at others that which needs a worker and a provider; the rest is in
// known-failures.pg.test.ts.

const LIMIT = { timeout: 60_000, interval: 50 };

let house: House;
let visitor: Visitor;

beforeAll(async () => {
  house = await startHouse();
  visitor = new Visitor(house);
});
afterAll(() => house.close());

/** The keys that a provider was sent for a step, its question for what became of it not counted. */
async function keysSent(reference: string): Promise<readonly (string | null)[]> {
  const requests = await house.sandbox.requests(reference);
  return requests
    .filter((one) => one.reference === reference && one.method === 'POST')
    .map(({ key }) => key);
}

/** Whoever writes what came of the first charge is failed, once: a sequence is not rolled back. */
async function failTheRecord(): Promise<void> {
  await house.db.query(`
    create sequence thrown;
    create function throw_once() returns trigger language plpgsql as $$
    begin
      if nextval('thrown') = 1 then raise exception 'thrown after the call'; end if;
      return new;
    end $$;
    create trigger throw_once before insert on journal for each row
    when (new.line ->> 'kind' = 'ended' and new.line ->> 'step' = 'charge')
    execute function throw_once()`);
}

const isThrown = async (): Promise<boolean> =>
  (await house.db.query('select is_called from thrown')).rows[0].is_called;

/** The next charge takes effect, and its answer is a 500. */
async function failTheAnswer(): Promise<string> {
  const wish = { provider: 'payments', operation: 'charge', do: 'effect_then_500' } as const;
  return (await house.sandbox.fault(wish)).id;
}

const isUsed = async (id: string): Promise<boolean> =>
  (await house.sandbox.faults()).some((one) => one.id === id && one.used === 1);

interface Failure {
  readonly what: string;
  /** Makes it fail once; answers how to see that it has. */
  readonly prepare: () => Promise<() => Promise<boolean>>;
}

const FAILURES: readonly Failure[] = [
  { what: 'the record of it fails', prepare: () => failTheRecord().then(() => isThrown) },
  {
    what: 'its answer is a 500',
    prepare: async () => isUsed.bind(null, await failTheAnswer()),
  },
];

test.each(FAILURES)(
  'input 5, pathosDev/actor-ts#984: $what after the charge, and there is one charge, one answer',
  async ({ prepare }) => {
    const hasFailed = await prepare();
    const key = randomUUID();
    const book = () => visitor.post<BookingSeen>('/v1/bookings', tripBody(), key);
    const { status, body: first } = await book();
    expect(status).toBe(202);
    await visitor.until(first.id, ['confirmed']);
    expect(await hasFailed()).toBe(true);
    await expect.poll(() => effectsOf(house.sandbox, first.id), LIMIT).toEqual(CONFIRMED);
    expect(new Set(await keysSent(`${first.id}:charge`)).size).toBe(1);
    expect(await book()).toMatchObject({ status: 202, body: first });
  },
);

test('input 16, medusajs/medusa#16681: a refund whose answer is lost is sent with its key again', async () => {
  const lost = { provider: 'payments', operation: 'refund', times: 2 } as const;
  await house.sandbox.fault({ ...lost, do: 'effect_then_hang' });
  const { id } = await visitor.book({ hotel: 'H-204-SOLDOUT' });
  const refund = `${id}:charge:undo`;
  await expect.poll(async () => (await keysSent(refund)).length, LIMIT).toBeGreaterThan(0);
  await house.part('worker').kill9();
  await house.start('worker');
  await visitor.until(id, ['failed']);
  expect(await effectsOf(house.sandbox, id)).toEqual(UNDONE_FROM_HOTEL);
  const keys = await keysSent(refund);
  expect(keys.length).toBeGreaterThan(1);
  expect(new Set(keys).size).toBe(1);
});
