import { expect } from 'vitest';
import type { TripWishes, Visitor } from './customer.js';
import type { House } from './house.js';
import type { FaultWish } from './sandbox.js';
import { BOOKED, CONFIRMED, effectsOf, REFUNDED, UNDONE_FROM_HOTEL } from './trip-effects.js';

/** One way for a trip to go: each lasts seconds, and says what the sandbox must know in the end. */
interface Course {
  readonly count: number;
  readonly wishes: TripWishes;
  /** What becomes of its first request for the charge. */
  readonly charge?: FaultWish['do'];
  readonly ends: 'confirmed' | 'failed' | 'in_review';
  /** Either of these. */
  readonly effects: readonly (readonly string[])[];
}

/** So many calls to flights, and as many to hotels, that some surely end while a server is away. */
const ON_THEIR_WAY = 4;
const SLOW_SEAT = 'BLR-LHR-0417-SLOW';

const COURSES: readonly Course[] = [
  { count: 8, wishes: { flight: SLOW_SEAT }, ends: 'confirmed', effects: [CONFIRMED] },
  { count: 8, wishes: { hotel: 'H-204-SLOW' }, ends: 'confirmed', effects: [CONFIRMED] },
  {
    count: 3,
    wishes: {},
    charge: { delay: { ms: 3_000 } },
    ends: 'confirmed',
    effects: [CONFIRMED],
  },
  {
    count: 4,
    wishes: { flight: SLOW_SEAT, hotel: 'H-204-SOLDOUT' },
    ends: 'failed',
    // On a busy machine the hotel has refused before the seat was even asked for.
    effects: [UNDONE_FROM_HOTEL, REFUNDED],
  },
  {
    // Waits for a timer of Temporal's before it is declined.
    count: 4,
    wishes: { source: 'tok_declined' },
    charge: { status: { code: 429, retry_after: 3 } },
    ends: 'failed',
    effects: [[]],
  },
  {
    count: 3,
    wishes: { flight: SLOW_SEAT, hotel: 'H-204-LOST' },
    ends: 'in_review',
    effects: [BOOKED],
  },
];

export interface Trip extends Course {
  readonly id: string;
}

/**
 * Books the thirty trips, none of which is over in less than three seconds of work, and answers
 * once calls to flights and to hotels are both on their way. No worker may be at work before; all
 * thirty are in flight when this answers.
 */
export async function thirtyTripsInFlight(house: House, visitor: Visitor): Promise<Trip[]> {
  await house.part('worker').stop();
  const courses = COURSES.flatMap((course) => Array<Course>(course.count).fill(course));
  const trips = await Promise.all(
    courses.map(async (course) => ({ ...course, id: (await visitor.book(course.wishes)).id })),
  );
  for (const { id, charge } of trips) {
    if (charge === undefined) continue;
    const match = { reference: `${id}:charge` };
    await house.sandbox.fault({ provider: 'payments', operation: 'charge', match, do: charge });
  }
  await house.start('worker');
  // Each of the first trips asks for both at once: so more than they must be on their way.
  await expect
    .poll(() => slowCalls(house), { timeout: 60_000, interval: 20 })
    .toBeGreaterThanOrEqual(ON_THEIR_WAY);
  return trips;
}

/** How many calls to flights or hotels are being sent, whichever of them has fewer. */
async function slowCalls(house: House): Promise<number> {
  const { rows } = await house.db.query<{ calls: number }>(
    `select least(count(*) filter (where step = 'flight'), count(*) filter (where step = 'hotel'))
       ::integer as calls
     from attempts where state = 'sending'`,
  );
  return rows[0]?.calls ?? 0;
}

/** How many runs of the house have not ended. */
export async function alive(house: House): Promise<number> {
  const { rows } = await house.db.query<{ alive: number }>(
    `select count(*)::integer as alive from runs where ended_at is null`,
  );
  return rows[0]?.alive ?? 0;
}

/**
 * Waits for the end of every trip and compares it with the sandbox's record: each effect once, in
 * its order, and a case only where the hotel's answer was lost.
 */
export async function expectEnds(
  house: House,
  visitor: Visitor,
  trips: readonly Trip[],
): Promise<void> {
  for (const { id, ends, effects } of trips) {
    await visitor.until(id, [ends], 150_000);
    // The receipt comes after a trip is confirmed.
    await expect
      .poll(() => effectsOf(house.sandbox, id), { timeout: 60_000 })
      .toBeOneOf([...effects]);
  }
  const { rows } = await house.db.query(
    `select run, step, direction, problem from cases where run = any($1)`,
    [trips.map(({ id }) => id)],
  );
  const lost = trips.filter(({ ends }) => ends === 'in_review');
  expect(rows).toHaveLength(lost.length);
  const hotel = { step: 'hotel', direction: 'do', problem: 'unknown-outcome' };
  expect(rows).toEqual(expect.arrayContaining(lost.map(({ id }) => ({ run: id, ...hotel }))));
}
