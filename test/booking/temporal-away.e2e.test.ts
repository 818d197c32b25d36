import { afterAll, beforeAll, expect, test } from 'vitest';
import { Visitor, tripBody } from '../support/customer.js';
import { startHouse, type House } from '../support/house.js';
import { startOwnTemporal, type OwnTemporal } from '../support/temporal.js';
import { CONFIRMED, effectsOf } from '../support/trip-effects.js';

const BACKLOG_MS = 8_000;
const LIMIT = { timeout: 90_000, interval: 100 };

let temporal: OwnTemporal;
let house: House;
let visitor: Visitor;

beforeAll(async () => {
  temporal = await startOwnTemporal({ dbFile: true });
  house = await startHouse({
    temporalAddress: temporal.address,
    env: { RECOURSE_SHED_BACKLOG_MS: `${BACKLOG_MS}`, RECOURSE_CALL_TIMEOUT_MS: '9000' },
  });
  visitor = new Visitor(house);
});
afterAll(async () => {
  await house.close();
  await temporal.stop();
});

async function executions(id: string): Promise<number> {
  let count = 0;
  const query = `WorkflowId = '${id}'`;
  for await (const _one of house.temporal.client.workflow.list({ query })) count += 1;
  return count;
}

const rows = async () => {
  const { rows: counted } = await house.db.query<{ runs: number; claims: number }>(
    `select (select count(*)::integer from runs) as runs,
       (select count(*)::integer from claims) as claims`,
  );
  return counted[0];
};

test('what is accepted while Temporal is down is started once when it is back, until too much waits', async () => {
  await temporal.stop();
  const keys = ['one', 'two', 'three', 'four', 'five'];
  const accepted = await Promise.all(keys.map((key) => visitor.book({ key })));
  expect(accepted.map(({ status }) => status)).toEqual(keys.map(() => 'pending'));
  const again = await visitor.book({ key: 'one' });
  expect(again.id).toBe(accepted[0]?.id);

  const late = () => visitor.post<{ code?: string }>('/v1/bookings', tripBody());
  await expect.poll(async () => (await late()).body.code, LIMIT).toBe('overloaded');
  const before = await rows();
  const refused = await late();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30']);
  expect(await rows()).toEqual(before);
  expect((await visitor.read(accepted[1]?.id ?? '')).status).toBe('pending');

  await temporal.start();
  for (const { id } of accepted) {
    expect((await visitor.until(id, ['confirmed'])).status).toBe('confirmed');
    await expect.poll(() => effectsOf(house.sandbox, id), LIMIT).toEqual(CONFIRMED);
    await expect.poll(() => executions(id), LIMIT).toBe(1);
  }
  await expect.poll(async () => (await late()).status, LIMIT).toBe(202);
}, 300_000);
