import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fingerprintOf } from '../../src/engine/saga/fingerprint.js';
import { startHouse, type House } from '../support/house.js';
import { decisionsOf } from '../support/kept-decisions.js';
import { LAST_BUILD } from '../support/processes.js';
import { historyText, storedVersion } from '../support/stored-histories.js';
import { version1Build } from '../support/version-1-build.js';
import { playScenario } from './play-scenario.js';
import { RELEASED_TRIPS } from './released-trips.js';
import { TRIP_SAMPLES } from './trip-samples.js';
import { TRIP_SCENARIOS } from './trip-scenarios.js';

// No test of the suite: `npm run record:histories` runs it when a version is released. Runs are
// accepted by an API that has nothing newer, and carried out by the workers of the last build.

describe.each(RELEASED_TRIPS)('book-trip version %i', (version, definition) => {
  const stored = storedVersion(`book-trip.v${version}`);
  const missing = Object.entries(TRIP_SCENARIOS[version]).filter(
    ([name]) => !stored.has(`${name}.json`),
  );
  let house: House | undefined;

  beforeAll(async () => {
    if (missing.length === 0) return;
    house = await startHouse({ apiBuild: version === 1 ? await version1Build() : LAST_BUILD });
  });
  afterAll(() => house?.close());

  test.each([
    ['fingerprint.json', () => `${fingerprintOf(definition, TRIP_SAMPLES)}\n`],
    ['decisions.txt', () => decisionsOf(definition)],
  ])('its %s is stored', (file, text) => {
    if (!stored.has(file)) stored.write(file, text());
    expect(stored.has(file)).toBe(true);
  });

  test.each(missing)('%s', async (name, scenario) => {
    if (house === undefined) throw new Error('nobody is there to play it');
    const handle = house.temporal.client.workflow.getHandle(await playScenario(house, scenario));
    await handle.result().catch(() => undefined);
    const [start] = (await handle.fetchHistory()).events ?? [];
    const input = start?.workflowExecutionStartedEventAttributes?.input?.payloads?.[0]?.data;
    expect(Buffer.from(input ?? []).toString()).toContain(`"version":${version}`);
    stored.write(`${name}.json`, await historyText(handle));
  });
});
