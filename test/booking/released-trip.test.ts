import { describe, expect, test } from 'vitest';
import { DRIVER } from '../../src/engine/runs/temporal-runs.js';
import type { SagaDefinition, StepDefinition } from '../../src/engine/saga/definition.js';
import { checkDecisions } from '../support/kept-decisions.js';
import { checkReleased } from '../support/released-version.js';
import { storedVersion } from '../support/stored-histories.js';
import { tripSagas } from '../support/trip.js';
import { RELEASED_TRIPS } from './released-trips.js';
import { TRIP_SAMPLES } from './trip-samples.js';
import { TRIP_SCENARIOS } from './trip-scenarios.js';

test('every version that is installed is compared with what was released', () => {
  const installed = tripSagas().set.sagas;
  expect(RELEASED_TRIPS.map(([, definition]) => definition)).toEqual(installed);
});

/** As Temporal keeps it: JSON, in base64. */
const DRIVEN = Buffer.from(JSON.stringify(DRIVER)).toString('base64');

/** A definition with one of its steps changed. */
function edited(
  definition: SagaDefinition,
  name: string,
  change: Partial<StepDefinition>,
): SagaDefinition {
  const steps = definition.steps.map((step) =>
    step.name === name ? { ...step, ...change } : step,
  );
  return { ...definition, steps };
}

/** Side by side with the flight where it comes after it, and after it where it is beside it. */
const OTHER_GROUP = { 1: 1, 2: 2 } as const;

describe.each(RELEASED_TRIPS)('version %i of the trip', (version, definition) => {
  const stored = storedVersion(`book-trip.v${version}`);
  const check = (now: SagaDefinition) =>
    checkReleased(now, TRIP_SAMPLES, stored.read('fingerprint.json'));
  const charge = definition.steps[0]?.forward;

  test('is as it was released', () => {
    expect(() => check(definition)).not.toThrow();
  });

  test.each<[string, SagaDefinition]>([
    ['its deadline', { ...definition, deadlineMs: 60_000 }],
    ['the order of its steps', { ...definition, steps: definition.steps.toReversed() }],
    ['what is done side by side', edited(definition, 'hotel', { group: OTHER_GROUP[version] })],
    [
      'an option of a step',
      edited(definition, 'charge', { forward: { ...charge, timeoutMs: 1 } as never }),
    ],
    [
      'what a step is called with',
      edited(definition, 'hotel', { input: () => ({ offer: 'H-204' }) }),
    ],
  ])('may not be edited: a change of %s says to write the next one', (_what, now) => {
    const [was, next] = [`version ${version}`, `version\n${version + 1}`];
    expect(() => check(now)).toThrow(`${was} was edited.`);
    expect(() => check(now)).toThrow(`write the change as ${next}`);
  });

  const decisions = () => stored.read('decisions.txt');

  test('the kernel decides for it as when it was released', () => {
    expect(decisions().split('\n').length).toBeGreaterThan(100);
    expect(() => checkDecisions(definition, decisions())).not.toThrow();
  });

  test.each([
    ['decides otherwise', /^[0-9a-f]{16} (\{"after line 3":"a cancel"\})$/m, '0000 $1'],
    ['does not come to it', /^(.*) \{"after line 3":"a cancel"\}$/m, '$1 {"never":"done"}'],
  ])('a kernel that %s needs rules of its own', (_how, line, changed) => {
    const check = () => checkDecisions(definition, decisions().replace(line, changed));
    expect(check).toThrow('in\n1 of ');
    expect(check).toThrow('let the change be rules 2');
  });

  test.each(Object.keys(TRIP_SCENARIOS[version]))(
    '%s: its stored history is of this driver, and names no machine',
    (name) => {
      const text = stored.read(`${name}.json`);
      expect(text).toContain(
        `"driver":{"metadata":{"encoding":"anNvbi9wbGFpbg=="},"data":"${DRIVEN}"}`,
      );
      const identities = [...text.matchAll(/"identity":"([^"]*)"/g)].map(([, who]) => who);
      expect(new Set(identities)).toEqual(new Set(['somebody']));
      expect(text).not.toMatch(/\d@|[a-z0-9]-[0-9a-f]{8}"/);
    },
  );
});
