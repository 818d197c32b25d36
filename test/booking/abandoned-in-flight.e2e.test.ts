import { afterAll, beforeAll, expect, test } from 'vitest';
import { runMigrations } from '../../src/engine/database/migrate.js';
import { pollUntil } from '../../src/local/poll-until.process.js';
import { Visitor } from '../support/customer.js';
import { startHouse, type House } from '../support/house.js';
import { startOwnPostgres, type OwnPostgres } from '../support/processes.js';

const LIMIT = { limitMs: 60_000 };

let postgres: OwnPostgres;
let house: House;
let visitor: Visitor;

beforeAll(async () => {
  postgres = await startOwnPostgres();
  await runMigrations(postgres.url);
  house = await startHouse({ databaseUrl: postgres.url });
  visitor = new Visitor(house);
});
afterAll(async () => {
  await house.close();
  await postgres.stop();
});

/** How often it was tried to write the outcome that Temporal carries; 0: it carries none. */
async function triesToRecord(run: string): Promise<number> {
  const { raw } = await house.temporal.client.workflow.getHandle(run).describe();
  const record = raw.pendingActivities?.find(({ activityType }) => activityType?.name === 'record');
  return record?.attempt ?? 0;
}

test('an outcome that Temporal carries is written although the run was abandoned meanwhile', async () => {
  const slow = { delay: { ms: 1_500 } };
  await house.sandbox.fault({ provider: 'flights', operation: 'hold', times: 1, do: slow });
  const { id } = await visitor.book();
  const isSent = async () => (await house.sandbox.requests(`${id}:flight`)).length > 0;
  expect(await pollUntil(isSent, LIMIT)).toBe(true);
  await postgres.kill9();
  // By then it waits so long between two tries that there is time to abandon the run.
  await expect.poll(() => triesToRecord(id), { timeout: 60_000 }).toBeGreaterThan(6);
  await postgres.start();
  const abandon = { action: 'abandon', reason: 'test' };
  const isDone = async () =>
    (await visitor.post(`/v1/runs/${id}/actions`, abandon, undefined, 'operator')).status === 200;
  expect(await pollUntil(isDone, { ...LIMIT, everyMs: 50 })).toBe(true);

  expect(await visitor.read(id)).toMatchObject({ status: 'closed', flight: { order: null } });
  const ended = await house.temporal.client.workflow.getHandle(id).result();
  expect(ended).toEqual({ outcome: 'closed_by_hand' });
  const [effect] = await house.sandbox.effects(`${id}:flight`);
  expect(await visitor.read(id)).toMatchObject({ status: 'closed', flight: { order: effect?.id } });
  // The hotel is booked beside the flight, and its outcome may have been carried as well.
  const cases = (await visitor.openCases(id)).filter(({ step }) => step === 'flight');
  expect(cases).toHaveLength(1);
}, 180_000);
