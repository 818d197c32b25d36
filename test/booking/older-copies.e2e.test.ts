import { randomUUID } from 'node:crypto';
import { WorkflowNotFoundError } from '@temporalio/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runMigrations } from '../../src/engine/database/migrate.js';
import { Visitor, type TripWishes } from '../support/customer.js';
import { startHouse, type House } from '../support/house.js';
import { startOwnPostgres, type OwnPostgres } from '../support/processes.js';
import type { FaultWish } from '../support/sandbox.js';
import { startOwnTemporal, type OwnTemporal } from '../support/temporal.js';
import { brokenPromises, journalOf, nameOf, type TripPromises } from './kept-promises.js';
import { TemporalOperator } from './temporal-operator.js';

// One of the two stores is restored from an older copy, and the other has gone on. Whatever it has
// forgotten, the providers have done: it is not done again, and what nobody knows is on the desk.

let postgres: OwnPostgres;
let temporal: OwnTemporal;
let house: House;
let visitor: Visitor;
let operator: TemporalOperator;

beforeAll(async () => {
  [postgres, temporal] = await Promise.all([
    startOwnPostgres(),
    startOwnTemporal({ dbFile: true }),
  ]);
  await runMigrations(postgres.url);
  house = await startHouse({
    databaseUrl: postgres.url,
    temporalAddress: temporal.address,
    env: { RECOURSE_CALL_TIMEOUT_MS: '9500' },
  });
  visitor = new Visitor(house);
  operator = new TemporalOperator(house);
});
afterAll(async () => {
  await house.close();
  await Promise.all([postgres.stop(), temporal.stop()]);
});

const LIMIT = { timeout: 60_000, interval: 100 };
const TICKET = { provider: 'flights', operation: 'ticket' } as const;
const CHARGE = { provider: 'payments', operation: 'charge' } as const;
const LOST: TripWishes = { hotel: 'H-204-LOST' };
const UNDONE: TripPromises = { end: 'undone', byHand: ['hotel'] };

const later = (seconds: number) => ({ status: { code: 429, retry_after: seconds } });
/** Longer than a copy takes, and within the time a call has. */
const SLOW = { delay: { ms: 6_000 } };

type Fault = Omit<FaultWish, 'match'> & { readonly at: string };

/** Books a trip with trouble at one step, which meets its first call there. */
async function book(wishes: TripWishes = {}, fault?: Fault): Promise<string> {
  if (fault === undefined) return (await visitor.book(wishes)).id;
  await house.part('worker').stop();
  const { id } = await visitor.book(wishes);
  const { at, ...how } = fault;
  await house.sandbox.fault({ ...how, match: { reference: `${id}:${at}` } });
  return id;
}

/** Books the only trip whose charge can come next, and answers while that is on its way. */
async function bookInCall(): Promise<string> {
  await house.sandbox.fault({ ...CHARGE, do: SLOW });
  const id = await book();
  await lastLine(id, { kind: 'begun', step: 'charge' });
  return id;
}

async function lastLine(id: string, line: Readonly<Record<string, unknown>>): Promise<void> {
  const last = async () => (await journalOf(house, id)).at(-1);
  await expect.poll(last, { ...LIMIT, message: id }).toMatchObject(line);
}

/** The room of a trip on the desk was reserved, and a person says so. */
async function roomIsThere(id: string): Promise<void> {
  const [open] = await visitor.openCases(id);
  const [room] = await house.sandbox.effects(`${id}:hotel`);
  if (open === undefined || room === undefined) throw new Error(`${id} is not on the desk`);
  const { status } = await visitor.decide(open, { verdict: 'happened', value: { id: room.id } });
  expect(status).toBe(200);
}

async function undoneByHand(id: string): Promise<void> {
  const [open] = await visitor.openCases(id);
  if (open === undefined) throw new Error(`${id} is not on the desk`);
  expect((await visitor.decide(open, { verdict: 'undone-by-hand' })).status).toBe(200);
}

const isClosed = (id: string) =>
  expect.poll(async () => (await operator.execution(id))?.status, LIMIT).toBe('COMPLETED');

const requests = async (id: string) => (await house.sandbox.requests(`${id}:`)).length;

const interventions = async (id: string) => {
  const { rows } = await house.db.query<{ action: string; reason: string }>(
    `select action, reason from interventions
     where run = $1::text and who in ('sweep', 'worker') order by id`,
    [id],
  );
  return rows;
};

/** One that has ended already is told nothing any more. */
async function wake(id: string): Promise<void> {
  await operator
    .handle(id)
    .signal('look')
    .catch((error: unknown) => {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    });
}

test('an older Temporal: the record knows better, and every trip ends as it should', async () => {
  const [ended, quiet, judged, cancelled] = await Promise.all([
    book(),
    book(LOST),
    book(LOST),
    book(LOST),
  ]);
  await visitor.until(ended, ['confirmed']);
  for (const id of [quiet, judged, cancelled]) await visitor.until(id, ['in_review']);
  const inCall = await bookInCall();
  const copy = await temporal.copy();

  // What Temporal will have forgotten.
  await roomIsThere(judged);
  expect((await visitor.cancel(cancelled)).status).toBe(202);
  await undoneByHand(cancelled);
  const [fresh, freshOnDesk] = [await book(), await book(LOST)];
  for (const id of [judged, inCall, fresh]) await visitor.until(id, ['confirmed']);
  await visitor.until(cancelled, ['cancelled']);
  await visitor.until(freshOnDesk, ['in_review']);
  // A worker that lived through it would have executions in its cache that Temporal has not.
  await house.part('worker').stop();
  await copy.restore();
  await house.start('worker');

  await expect
    .poll(() => interventions(freshOnDesk), LIMIT)
    .toEqual([{ action: 'started-again', reason: 'execution-missing' }]);
  for (const id of [quiet, freshOnDesk]) {
    await undoneByHand(id);
    await visitor.until(id, ['failed']);
    expect(await brokenPromises(house, id, UNDONE)).toEqual([]);
  }
  // Their executions are back, though they have ended: whatever wakes them, they end, too.
  for (const id of [judged, cancelled]) await wake(id);
  for (const id of [judged, cancelled, inCall]) await isClosed(id);
  for (const id of [ended, judged, inCall, fresh]) {
    // It is confirmed with its ticket, and over only with its receipt.
    const broken = () => brokenPromises(house, id, { end: 'completed' });
    await expect.poll(broken, { ...LIMIT, message: id }).toEqual([]);
  }
  const byHand = { end: 'cancelled', byHand: ['hotel'] } as const;
  expect(await brokenPromises(house, cancelled, byHand)).toEqual([]);
}, 180_000);

const OLDER = [{ action: 'held', reason: 'record-is-older' }];

async function areHeld(ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await expect.poll(() => interventions(id), { ...LIMIT, message: id }).toEqual(OLDER);
    expect((await visitor.read(id)).status).toBe('in_review');
  }
}

/** The runs that the relay has found in Temporal and not on record. */
const forgotten = () =>
  house
    .part('relay')
    .lines()
    .filter((line) => line.includes('a run that is not on record'))
    .map((line) => (JSON.parse(line) as { readonly run: string }).run)
    .toSorted();

test('an older record: nothing is done again, and what it has forgotten is on the desk', async () => {
  const busy = await book(LOST, { at: 'ticket', ...TICKET, do: later(12) });
  const waits = await book(LOST, { at: 'ticket', ...TICKET, do: later(280) });
  const [ended, quiet] = await Promise.all([book(), book(LOST)]);
  const [judged, reset, terminated] = await Promise.all([book(LOST), book(LOST), book(LOST)]);
  await house.start('worker');
  await isClosed(ended);
  const onDesk = [quiet, judged, reset, terminated, busy, waits];
  for (const id of onDesk) await visitor.until(id, ['in_review']);
  const inCall = await bookInCall();
  const copy = await postgres.copy();

  // What the record will have forgotten.
  for (const id of [busy, waits, judged, reset, terminated]) await roomIsThere(id);
  for (const id of [busy, waits]) await lastLine(id, { kind: 'ended', outcome: 'again' });
  for (const id of [judged, reset, terminated, inCall]) await visitor.until(id, ['confirmed']);
  const keys = { onDesk: randomUUID(), ended: randomUUID(), terminated: randomUUID() };
  const fresh = await book({}, { at: 'charge', ...CHARGE, do: later(15) });
  const freshOnDesk = await book({ ...LOST, key: keys.onDesk });
  const freshEnded = await book({ key: keys.ended });
  const freshTerminated = await book({ ...LOST, key: keys.terminated });
  await house.start('worker');
  await lastLine(fresh, { kind: 'ended', step: 'charge', outcome: 'again' });
  for (const id of [freshOnDesk, freshTerminated]) await visitor.until(id, ['in_review']);
  for (const id of [judged, inCall, reset, terminated, freshEnded]) await isClosed(id);
  const strange = [fresh, freshOnDesk, freshEnded, freshTerminated];
  const all = [...onDesk, ended, inCall, ...strange];
  const before = new Map(
    await Promise.all(all.map(async (id) => [id, await requests(id)] as const)),
  );
  await house.part('relay').stop();
  await copy.restore();

  // A new execution that knows nothing is told by the record of another one that knew more.
  await operator.resetTo('first', reset, 'none');
  await areHeld([reset]);
  await operator.terminate(freshTerminated);
  await operator.resetTo('first', terminated, 'none');
  await operator.terminate(terminated);
  await house.start('relay');
  await areHeld([judged, inCall, busy, waits, terminated]);
  // Nothing is on record of them, so nothing is done, and the relay says so.
  await expect.poll(forgotten, LIMIT).toEqual(strange.toSorted());
  for (const id of strange) expect((await visitor.get(`/v1/bookings/${id}`)).status).toBe(404);

  // Their customers repeat their requests: they get their own bookings, and those are held.
  const again = [
    { ...LOST, key: keys.onDesk },
    { key: keys.ended },
    { ...LOST, key: keys.terminated },
  ];
  const repeated = await Promise.all(again.map((wishes) => book(wishes)));
  expect(repeated).toEqual([freshOnDesk, freshEnded, freshTerminated]);
  await areHeld(repeated);
  // It is as it is, and the customer books anew, under another key.
  const abandon = { action: 'abandon', reason: 'undone at the providers' };
  const path = `/v1/runs/${freshEnded}/actions`;
  expect((await visitor.post(path, abandon, randomUUID(), 'operator')).status).toBe(200);
  await visitor.until(freshEnded, ['closed']);

  for (const id of all) {
    const effects = (await house.sandbox.effects(`${id}:`)).map((one) => nameOf(id, one));
    expect(effects, id).toEqual([...new Set(effects)]);
    expect(await requests(id), id).toBe(before.get(id));
  }
  await undoneByHand(quiet);
  await visitor.until(quiet, ['failed']);
  expect(await brokenPromises(house, quiet, UNDONE)).toEqual([]);
  expect(await brokenPromises(house, ended, { end: 'completed' })).toEqual([]);
}, 240_000);
