import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { Visitor, type TripWishes } from '../support/customer.js';
import { scrape } from '../support/exposition.js';
import { startHouse, type House } from '../support/house.js';
import type { OwnedProcess } from '../support/owned-process.js';
import { LAST_BUILD, spawnPart } from '../support/processes.js';
import type { FaultWish } from '../support/sandbox.js';
import { BOOKED, CONFIRMED, effectsOf, UNDONE } from '../support/trip-effects.js';
import { version1Build } from '../support/version-1-build.js';

// The first real upgrade: an installation that knows version 1 alone gets version 2 while trips are
// in the middle of it, then has to go back, and forward again.

const LIMIT = { timeout: 60_000, interval: 100 };
const LATER: FaultWish['do'] = { status: { code: 429, retry_after: 8 } };
const SLOW_SEAT = 'BLR-LHR-0417-SLOW';

let version1: string;
let house: House;
let visitor: Visitor;

beforeAll(async () => {
  version1 = await version1Build();
  house = await startHouse({
    build: version1,
    env: {
      METRICS_PORT: '0',
      // Longer than the slowest honest call, and long enough to be unknown for a while.
      RECOURSE_CALL_TIMEOUT_MS: '9000',
      RECOURSE_SETTLES_MS: '4000',
    },
  });
  visitor = new Visitor(house);
});
afterAll(() => house.close());

/** A trip that is somewhere in the middle when the worker goes. */
interface Course {
  readonly where: string;
  readonly wishes?: TripWishes;
  readonly faults?: readonly (Omit<FaultWish, 'match'> & { readonly at: string })[];
  /** It is there once the journal has all these. */
  readonly lines: readonly Readonly<Record<string, string>>[];
  readonly verdict?: 'happened' | 'undone-by-hand';
  readonly isCancelled?: true;
  readonly ends: string;
  readonly leaves: readonly string[];
}

const begun = (step: string, direction = 'do') => ({ kind: 'begun', step, direction });
const ended = (step: string, outcome: string, direction = 'do') => ({
  ...{ kind: 'ended', step, outcome, direction },
});

const COURSES: readonly Course[] = [
  {
    where: 'its flight is on its way',
    wishes: { flight: SLOW_SEAT },
    lines: [begun('flight')],
    ends: 'confirmed',
    leaves: CONFIRMED,
  },
  {
    where: 'it waits to try the hotel again',
    faults: [{ provider: 'hotels', operation: 'reserve', at: 'hotel', do: LATER }],
    lines: [ended('hotel', 'again')],
    ends: 'confirmed',
    leaves: CONFIRMED,
  },
  {
    where: 'nobody can say yet whether the seat is held',
    wishes: { flight: 'BLR-LHR-0417-LOST' },
    lines: [ended('flight', 'unknown')],
    ends: 'confirmed',
    leaves: CONFIRMED,
  },
  {
    where: 'it is on the desk, and goes on',
    wishes: { hotel: 'H-204-LOST' },
    lines: [{ kind: 'case-opened' }],
    verdict: 'happened',
    ends: 'confirmed',
    leaves: CONFIRMED,
  },
  {
    where: 'it is on the desk, and is undone',
    wishes: { hotel: 'H-204-LOST' },
    lines: [{ kind: 'case-opened' }],
    verdict: 'undone-by-hand',
    ends: 'failed',
    leaves: [...BOOKED, 'flight:undo release', 'charge:undo refund'],
  },
  {
    where: 'it is being undone',
    faults: [
      { provider: 'flights', operation: 'ticket', at: 'ticket', do: 'decline' },
      { provider: 'payments', operation: 'refund', at: 'charge:undo', do: LATER },
    ],
    lines: [ended('charge', 'again', 'undo')],
    ends: 'failed',
    leaves: UNDONE,
  },
  {
    where: 'it is cancelled while its hotel is on its way',
    wishes: { hotel: 'H-204-SLOW' },
    // Version 2 asks for the seat side by side with the room, and not always first.
    lines: [ended('flight', 'done'), begun('hotel')],
    isCancelled: true,
    ends: 'cancelled',
    leaves: UNDONE,
  },
];

interface Trip extends Course {
  readonly id: string;
}

/** Books a trip for each course while no worker is there to begin it. */
async function bookAll(courses: readonly Course[]): Promise<readonly Trip[]> {
  return Promise.all(
    courses.map(async (course) => {
      const { id } = await visitor.book(course.wishes);
      for (const { at, ...fault } of course.faults ?? []) {
        await house.sandbox.fault({ ...fault, match: { reference: `${id}:${at}` } });
      }
      return { ...course, id };
    }),
  );
}

/** Waits until each is where it should be, and cancels those that are to be cancelled. */
async function bringThere(trips: readonly Trip[]): Promise<void> {
  await Promise.all(
    trips.map(async ({ id, where, lines, isCancelled }) => {
      await expect.poll(() => hasAll(id, lines), { ...LIMIT, message: where }).toBe(true);
      if (isCancelled) expect((await visitor.cancel(id)).status, where).toBe(202);
    }),
  );
}

async function hasAll(id: string, lines: Course['lines']): Promise<boolean> {
  const { rows } = await house.db.query<{ has_all: boolean }>(
    `select bool_and(exists (
       select 1 from journal where run = $1::text and line @> wanted)) as has_all
     from unnest($2::jsonb[]) as wanted`,
    [id, lines.map((line) => JSON.stringify(line))],
  );
  return rows[0]?.has_all ?? false;
}

/** What a person says who has looked into the hotel's own record. */
async function decide({ id, verdict }: Trip): Promise<void> {
  if (verdict === undefined) return;
  const [open] = await visitor.openCases(id);
  if (open === undefined) throw new Error(`${id} has no open case`);
  const [room] = await house.sandbox.effects(`${id}:hotel`);
  const said = verdict === 'happened' ? { verdict, value: { id: room?.id } } : { verdict };
  const reply = await visitor.decide(open, said);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
}

/** Each ends as it should, the sandbox agrees, and no case is left or was needless. */
async function expectEnds(trips: readonly Trip[], version: number): Promise<void> {
  for (const { id, where, ends, leaves } of trips) {
    await visitor.until(id, [ends], 120_000);
    await expect
      .poll(() => effectsOf(house.sandbox, id), { ...LIMIT, message: where })
      .toEqual(leaves);
    expect(await visitor.run(id), where).toMatchObject({ version });
    expect(await visitor.openCases(id), where).toEqual([]);
  }
  const { rows } = await house.db.query<{ run: string }>(
    `select run from cases where run = any ($1::text[])`,
    [trips.map(({ id }) => id)],
  );
  const judged = trips.filter(({ verdict }) => verdict !== undefined).map(({ id }) => id);
  expect(rows.map(({ run }) => run).toSorted()).toEqual(judged.toSorted());
}

/** Whether the room was first asked for after the seat was settled. */
async function asksInTurn(id: string): Promise<boolean> {
  const { rows } = await house.db.query<{ in_turn: boolean }>(
    `select min(seq) filter (where line @> '{"kind": "begun", "step": "hotel"}')
       > min(seq) filter (where line @> '{"kind": "ended", "step": "flight", "outcome": "done"}'
           or line @> '{"kind": "asked", "step": "flight", "finding": "found"}') as in_turn
     from journal where run = $1::text`,
    [id],
  );
  return rows[0]?.in_turn ?? false;
}

/** How many runs of this version have not ended. */
async function living(version: number): Promise<number> {
  const { rows } = await house.db.query<{ living: number }>(
    `select count(*)::integer as living from runs
     where version = $1::integer and ended_at is null`,
    [version],
  );
  return rows[0]?.living ?? 0;
}

/** The trip of version 1 that nobody decides about before the way back. */
function kept(): Trip {
  const trip = older.find(({ verdict }) => verdict === 'happened');
  if (trip === undefined) throw new Error('no trip was kept');
  return trip;
}

async function missing(): Promise<unknown> {
  const response = await fetch(`${house.url}/readyz`);
  return ((await response.json()) as { missing?: unknown }).missing ?? [];
}

async function metric(part: 'worker' | 'relay', name: string): Promise<number | undefined> {
  const seen = await scrape(house.part(part).ready['metrics']);
  return seen.sum(name, { version: 'book-trip@2' });
}

const said = (worker: OwnedProcess, text: string) =>
  worker.lines().filter((line) => line.includes(text));
const LACKS = 'lacks a version that runs live of';

let older: readonly Trip[];
let newer: readonly Trip[];

describe('an upgrade, a way back and an upgrade again, with trips in the middle of it', () => {
  test('version 1 alone: trips of it are under way when its worker goes', async () => {
    await house.part('worker').stop();
    older = await bookAll(COURSES);
    const worker = await house.start('worker');
    await bringThere(older);
    await worker.stop();
    expect(said(worker, LACKS)).toEqual([]);
    expect(await living(1)).toBeGreaterThan(3);
  });

  test('upgraded: they end by the rules of version 1, and new trips are of version 2', async () => {
    for (const part of ['api', 'relay'] as const) {
      await house.part(part).stop();
      await house.start(part, LAST_BUILD);
    }
    newer = await bookAll(COURSES);
    await house.start('worker', LAST_BUILD);
    await bringThere(newer);
    for (const trip of older.filter(({ id }) => id !== kept().id)) await decide(trip);
    await expectEnds(
      older.filter(({ id }) => id !== kept().id),
      1,
    );
    for (const { id, where } of older) expect([where, await asksInTurn(id)]).toEqual([where, true]);
  });

  test('back at version 1: a worker without version 2 says so, and its trips wait', async () => {
    await house.part('worker').stop();
    const waiting = await living(2);
    expect(waiting).toBeGreaterThan(1);
    const before = await house.sandbox.requests();
    const worker = await house.start('worker', version1);
    await expect.poll(missing, LIMIT).toEqual(['a worker with book-trip@2']);
    await expect.poll(() => metric('relay', 'recourse_runs_without_worker'), LIMIT).toBe(waiting);
    await expect.poll(() => metric('worker', 'recourse_runs_lacked'), LIMIT).toBe(waiting);
    expect(said(worker, LACKS).map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { level: 'warn', versions: 'book-trip@2' },
    ]);
    for (const trip of newer) await decide(trip);
    const api = await spawnPart('api', { ...house.env, PORT: '0' }, version1);
    onTestFinished(() => api.stop());
    const elsewhere = new Visitor({ url: String(api.ready['url']), keys: house.keys });
    const [one] = newer.filter(({ verdict }) => verdict !== undefined);
    expect((await elsewhere.cancel(one?.id ?? '')).status).toBe(503);
    expect((await elsewhere.read(one?.id ?? '')).id).toBe(one?.id);
    // It does what it can: a trip of version 1 goes on, and those of version 2 do not.
    await decide(kept());
    await expectEnds([kept()], 1);
    expect(await living(2)).toBe(waiting);
    const asked = (await house.sandbox.requests()).slice(before.length);
    expect(asked.filter(({ reference }) => !reference?.startsWith(kept().id))).toEqual([]);
  });

  test('version 2 again, one by one: its trips go on, beside a worker that still lacks it', async () => {
    const straggler = house.part('worker');
    await house.start('worker', LAST_BUILD);
    onTestFinished(() => straggler.stop());
    await expect.poll(missing, LIMIT).toEqual([]);
    await expectEnds(newer, 2);
    const slow = newer.find(({ wishes }) => wishes?.flight === SLOW_SEAT);
    expect(await asksInTurn(slow?.id ?? '')).toBe(false);
    const { id } = await visitor.book();
    await visitor.until(id, ['confirmed']);
    await expect.poll(() => effectsOf(house.sandbox, id), LIMIT).toEqual(CONFIRMED);
  });
});
