import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ask, startApi, type TestApi } from '../support/api.js';
import { BareEngine, noSagas } from '../support/bare-engine.js';
import { putRun } from '../support/run-rows.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi((parts) => BareEngine.forRoot(parts), noSagas());
});
beforeEach(async () => {
  await api.database.query('truncate workers');
  await api.database.query('delete from runs');
  api.temporal.isReady = async () => true;
});
afterAll(() => api.close());

const ready = () => ask(api, '/readyz', { as: null });

const putWorker = (versions: readonly string[], seenAgo: string) =>
  api.database.query(
    `insert into workers (id, versions, seen_at)
     values (gen_random_uuid()::text, $1::text[], now() - $2::interval)`,
    [versions, seenAgo],
  );

test('it is ready with database, Temporal and nothing to do', async () => {
  const { status, body } = await ready();
  expect([status, body]).toEqual([200, { status: 'ready' }]);
});

test('it is not ready while Temporal does not answer, but alive', async () => {
  api.temporal.isReady = async () => false;
  const reply = await ready();
  expect(reply.status).toBe(503);
  expect(reply.headers.get('retry-after')).toBe('1');
  expect(reply.headers.get('content-type')).toBe('application/problem+json');
  expect(reply.body).toMatchObject({ code: 'unavailable', missing: ['temporal'] });
  expect((await ask(api, '/healthz', { as: null })).status).toBe(200);
});

test('it is not ready while a living run has no living worker of its version', async () => {
  await putRun(api.database, { saga: 'two-steps' });
  await putRun(api.database, { saga: 'other', ended: true });
  expect((await ready()).body.missing).toEqual(['a worker with two-steps@1']);
  await putWorker(['two-steps@2', 'other@1'], '1 second');
  expect((await ready()).body.missing).toEqual(['a worker with two-steps@1']);
  await putWorker(['two-steps@1'], '1 minute');
  expect((await ready()).body.missing).toEqual(['a worker with two-steps@1']);
  await putWorker(['other@1', 'two-steps@1'], '1 second');
  expect((await ready()).status).toBe(200);
});
