import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openDatabase, type Database } from '../../src/engine/database/database.js';
import type { GateParts } from '../../src/engine/idempotency/claims.store.js';
import {
  advance,
  claimPhases,
  finish,
  LeaseLost,
  postpone,
  release,
  takeLapsed,
  type Lease,
} from '../../src/engine/idempotency/phased-claims.store.js';
import { phasesOf, type PhasedHandler } from '../../src/engine/idempotency/phases.js';
import { gateOf } from '../support/idempotency-gate.js';
import { freshDatabase, type TestDatabase } from '../support/postgres.js';

// The number of a lease fences: who holds an older one changes nothing, however late it comes.

const CLAIM = { account: 'acme', key: 'k', fingerprint: Buffer.alloc(32, 1) };
const phase = { work: async () => null, write: async () => null };
const handler: PhasedHandler<string> = {
  name: 'errand',
  leaseMs: 10_000,
  phases: phasesOf<string>()
    .phase('one', phase)
    .answer('two', { ...phase, write: async () => ({ status: 200, body: 'done' }) as const }),
};
const TO = { point: 'two', leaseMs: 10_000 };

let home: TestDatabase;
let database: Database;
let gate: GateParts;

beforeAll(async () => {
  home = await freshDatabase();
  database = openDatabase({ url: home.url, name: 'leases test' });
  gate = gateOf(database);
});
beforeEach(() => database.query('truncate claims, claims_at_work'));
afterAll(async () => {
  await database.end();
  await home.drop();
});

async function claim(): Promise<Lease> {
  const opened = await claimPhases(gate, CLAIM, handler, 'in');
  if ('replay' in opened) throw new Error('the key was answered already');
  return opened.lease;
}

/** As if its lease were over, without waiting for it. */
async function lapse(): Promise<Lease | undefined> {
  await database.query(`update claims_at_work set lease_until = now()`);
  const [lease] = await takeLapsed(gate, [handler], 10);
  return lease;
}

const row = async () => (await database.query('select * from claims_at_work')).rows;
const answers = async () => (await database.query('select from claims')).rowCount;

async function expectNothingFrom(old: Lease): Promise<void> {
  const before = await row();
  let written = 0;
  const write = async () => {
    written += 1;
    return { status: 200, body: 'late' } as const;
  };
  await expect(advance(gate, old, TO, write)).rejects.toThrow(LeaseLost);
  await expect(finish(gate, old, write)).rejects.toThrow(LeaseLost);
  await expect(release(database, old)).rejects.toThrow(LeaseLost);
  await postpone(database, old, 1);
  expect(written).toBe(0);
  expect(await row()).toEqual(before);
}

test('who was taken over changes nothing, and the next one goes on from the same point', async () => {
  const first = await claim();
  const next = await lapse();
  expect(next).toMatchObject({ point: 'one', state: 'in', id: first.id });
  expect(BigInt(next?.epoch ?? 0)).toBeGreaterThan(BigInt(first.epoch));
  await expectNothingFrom(first);
  const on = await advance(gate, next ?? first, TO, async () => ({ found: 1 }));
  expect(on).toMatchObject({ point: 'two', state: { found: 1 } });
  await expectNothingFrom(first);
  await finish(gate, on, async () => ({ status: 200, body: 'done' }));
  expect([await row(), await answers()]).toEqual([[], 1]);
  await expectNothingFrom(first);
});

test('a number is never given again, also when the key was free in between', async () => {
  const first = await claim();
  await release(database, first);
  const anew = await claim();
  expect(anew.id).toBe(first.id);
  await expectNothingFrom(first);
});

test('a lease that lives is taken by nobody; of many who take, one has it', async () => {
  await claim();
  expect(await takeLapsed(gate, [handler], 10)).toEqual([]);
  await database.query(`update claims_at_work set lease_until = now()`);
  const taken = await Promise.all(Array.from({ length: 5 }, () => takeLapsed(gate, [handler], 10)));
  expect(taken.flat()).toHaveLength(1);
});

test('a retry takes over by itself when the lease is over', async () => {
  const first = await claim();
  await expect(claim()).rejects.toMatchObject({ code: 'in-progress' });
  await database.query(`update claims_at_work set lease_until = now()`);
  expect(await claim()).toMatchObject({ id: first.id, point: 'one' });
  await expectNothingFrom(first);
});

test('work of a handler that this process has not is left alone', async () => {
  await claim();
  await database.query(`update claims_at_work set lease_until = now(), handler = 'another'`);
  expect(await takeLapsed(gate, [handler], 10)).toEqual([]);
});

test('an answer that comes after the end of its key is given, and not kept', async () => {
  const lease = await claim();
  await database.query(`update claims_at_work set expires_at = now() - interval '1 day'`);
  const { status } = await finish(gate, lease, async () => ({ status: 200, body: 'done' }));
  expect([status, await row(), await answers()]).toEqual([200, [], 0]);
});

test('what is kept of the work cannot be read in the table', async () => {
  await claimPhases(gate, CLAIM, handler, 'ada@example.com');
  const { rows } = await database.query('select claims_at_work::text as row from claims_at_work');
  expect(rows[0].row).not.toContain(Buffer.from('ada@').toString('hex'));
});
