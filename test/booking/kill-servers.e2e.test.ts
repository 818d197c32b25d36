import { afterAll, beforeAll, expect, test } from 'vitest';
import { runMigrations } from '../../src/engine/database/migrate.js';
import { Visitor } from '../support/customer.js';
import { startHouse, type House } from '../support/house.js';
import { startOwnPostgres, type OwnPostgres } from '../support/processes.js';
import { startOwnTemporal, type OwnTemporal } from '../support/temporal.js';
import { alive, expectEnds, thirtyTripsInFlight, type Trip } from '../support/thirty-trips.js';
import { CONFIRMED } from '../support/trip-effects.js';

const LIMIT = { timeout: 60_000, interval: 50 };

let postgres: OwnPostgres;
let temporal: OwnTemporal;
let house: House;
let visitor: Visitor;

beforeAll(async () => {
  [postgres, temporal] = await Promise.all([
    startOwnPostgres(),
    startOwnTemporal({ dbFile: true }),
  ]);
  await runMigrations(postgres.url);
  house = await startHouse({
    databaseUrl: postgres.url,
    temporalAddress: temporal.address,
    // Longer than the slowest honest call, on a busy machine too: none of them is lost to us.
    env: { RECOURSE_CALL_TIMEOUT_MS: '9000' },
  });
  visitor = new Visitor(house);
});
afterAll(async () => {
  await house.close();
  await Promise.all([postgres.stop(), temporal.stop()]);
});

test('Temporal is killed with 30 trips in flight: all end, none doubled, no needless case', async () => {
  const trips = await thirtyTripsInFlight(house, visitor);
  await temporal.kill9();
  expect(await alive(house)).toBe(30);
  // Calls go on and are recorded meanwhile, and a booking is accepted.
  await expect.poll(() => sendingOf(trips), LIMIT).toBe(0);
  const { id } = await visitor.book();
  await temporal.start();

  const booked: Trip = { id, count: 1, wishes: {}, ends: 'confirmed', effects: [CONFIRMED] };
  await expectEnds(house, visitor, [...trips, booked]);
}, 300_000);

async function sendingOf(trips: readonly Trip[]): Promise<number> {
  const { rows } = await house.db.query<{ sending: number }>(
    `select count(*)::integer as sending from attempts where state = 'sending' and run = any($1)`,
    [trips.map(({ id }) => id)],
  );
  return rows[0]?.sending ?? 0;
}

test('Postgres is killed with 30 trips in flight: all end, none doubled, no needless case', async () => {
  const before = await alive(house);
  const trips = await thirtyTripsInFlight(house, visitor);
  expect(await alive(house)).toBe(before + 30);
  await postgres.kill9();
  await expect.poll(() => carried(trips), LIMIT).toBeGreaterThan(3);
  await postgres.start();

  await expectEnds(house, visitor, trips);
}, 300_000);

/** How many outcomes Temporal carries, sealed, until they can be written. */
async function carried(trips: readonly Trip[]): Promise<number> {
  const { workflow } = house.temporal.client;
  const runs = await Promise.all(trips.map(({ id }) => workflow.getHandle(id).describe()));
  const activities = runs.flatMap(({ raw }) => raw.pendingActivities ?? []);
  return activities.filter(({ activityType }) => activityType?.name === 'record').length;
}
