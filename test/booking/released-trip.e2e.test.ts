import { resolve } from 'node:path';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { beforeAll, expect, test } from 'vitest';
import { historyOf, storedVersion, type StoredHistory } from '../support/stored-histories.js';
import { TRIP_ENDINGS } from './trip-endings.js';

// Runs that were begun by an older build go on in this one: the workflow, as it was built last
// (`npm run build`), must decide in every stored history what it decided then.

const BUNDLE = resolve(import.meta.dirname, '../../dist/workflow-bundle.js');
const stored = storedVersion('book-trip.v1');
const read = (name: string) => JSON.parse(stored.read(`${name}.json`)) as StoredHistory;

beforeAll(() => {
  // A replay that is meant to fail is no news.
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { filter: { core: 'ERROR', other: 'ERROR' } } },
  });
});

/** Replays a history and answers what went wrong. */
async function replay(workflowId: string, history: StoredHistory): Promise<Error | undefined> {
  const options = { workflowBundle: { codePath: BUNDLE } };
  const histories = [{ workflowId, history: historyOf(history) }];
  for await (const { error } of Worker.runReplayHistories(options, histories)) return error;
  throw new Error('nothing was replayed');
}

test.each(Object.keys(TRIP_ENDINGS))(
  'book-trip version 1, %s: its stored history replays',
  async (name) => {
    expect(await replay(name, read(name))).toBeUndefined();
  },
);

test('a history in which two calls have changed places does not replay', async () => {
  const swapped = { chargeCard: 'holdSeat', holdSeat: 'chargeCard' };
  const events = read('completed').events.map((event) => {
    const scheduled = event.activityTaskScheduledEventAttributes;
    const name = scheduled?.activityType.name as keyof typeof swapped | undefined;
    if (name === undefined || !(name in swapped)) return event;
    const activityType = { name: swapped[name] };
    return { ...event, activityTaskScheduledEventAttributes: { ...scheduled, activityType } };
  });
  expect(await replay('swapped', { events })).toMatchObject({ name: 'DeterminismViolationError' });
});
