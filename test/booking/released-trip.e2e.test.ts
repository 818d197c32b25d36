import { resolve } from 'node:path';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { beforeAll, describe, expect, test } from 'vitest';
import { historyOf, storedVersion, type StoredHistory } from '../support/stored-histories.js';
import { RELEASED_TRIPS } from './released-trips.js';
import { TRIP_SCENARIOS } from './trip-scenarios.js';

// Runs that were begun by an older build go on in this one: the workflow, as it was built last
// (`npm run build`), must decide in every stored history what it decided then.

const BUNDLE = resolve(import.meta.dirname, '../../dist/workflow-bundle.js');

beforeAll(() => {
  // A replay that is meant to fail is no news.
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { filter: { core: 'ERROR', other: 'ERROR' } } },
  });
});

/** Throws when a replay went wrong; says what to do. */
function checkReplayed(name: string, error: unknown): void {
  if (error === undefined) return;
  throw new Error(
    [
      `The workflow does not do again what it did in ${name}: its driver, or the kernel's rules,`,
      'were edited, and every run that an older build has begun would get stuck.',
      'If that is meant, raise DRIVER in src/engine/runs/temporal-runs.ts, delete the stored',
      'histories and run `npm run record:histories` (CONTRIBUTING.md, "A released version is',
      `frozen"). What Temporal says: ${(error as Error).message}`,
    ].join('\n'),
    { cause: error },
  );
}

type Named = readonly [name: string, history: StoredHistory];

/** Replays histories in one worker and answers what went wrong with each, by its name. */
async function replay(histories: readonly Named[]): Promise<ReadonlyMap<string, unknown>> {
  const options = { workflowBundle: { codePath: BUNDLE } };
  const wrong = new Map<string, unknown>();
  const each = histories.map(([workflowId, stored]) => ({
    workflowId,
    history: historyOf(stored),
  }));
  for await (const { workflowId, error } of Worker.runReplayHistories(options, each)) {
    wrong.set(workflowId, error);
  }
  return wrong;
}

const read = (version: number, name: string): Named => [
  name,
  JSON.parse(storedVersion(`book-trip.v${version}`).read(`${name}.json`)) as StoredHistory,
];

describe.each(RELEASED_TRIPS)('book-trip version %i', (version) => {
  const names = Object.keys(TRIP_SCENARIOS[version]);
  let replayed: ReadonlyMap<string, unknown>;

  beforeAll(async () => {
    replayed = await replay(names.map((name) => read(version, name)));
  });

  test.each(names)('%s: its stored history replays', (name) => {
    expect(replayed.has(name)).toBe(true);
    expect(() => checkReplayed(name, replayed.get(name))).not.toThrow();
  });

  test('a history in which two calls have changed places does not replay', async () => {
    const swapped = { chargeCard: 'holdSeat', holdSeat: 'chargeCard' };
    const [, completed] = read(version, 'completed');
    const events = completed.events.map((event) => {
      const scheduled = event.activityTaskScheduledEventAttributes;
      const name = scheduled?.activityType.name as keyof typeof swapped | undefined;
      if (name === undefined || !(name in swapped)) return event;
      const activityType = { name: swapped[name] };
      return { ...event, activityTaskScheduledEventAttributes: { ...scheduled, activityType } };
    });
    const wrong = await replay([['swapped', { events }]]);
    expect(wrong.get('swapped')).toMatchObject({ name: 'DeterminismViolationError' });
    expect(() => checkReplayed('swapped', wrong.get('swapped'))).toThrow('raise DRIVER');
  });
});

test('at least thirty histories are stored', () => {
  const stored = RELEASED_TRIPS.flatMap(([version]) => Object.keys(TRIP_SCENARIOS[version]));
  expect(stored.length).toBeGreaterThanOrEqual(30);
});
