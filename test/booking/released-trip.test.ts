import { describe, expect, test } from 'vitest';
import type { SagaDefinition, StepDefinition } from '../../src/engine/saga/definition.js';
import { bookTripV1 } from '../../workflows/booking/book-trip.v1.saga.js';
import { checkReleased } from '../support/released-version.js';
import { storedVersion } from '../support/stored-histories.js';
import { TRIP_ENDINGS } from './trip-endings.js';
import { TRIP_SAMPLES } from './trip-samples.js';

const stored = storedVersion('book-trip.v1');
const check = (definition: SagaDefinition) =>
  checkReleased(definition, TRIP_SAMPLES, stored.read('fingerprint.json'));

/** Version 1 with one of its steps changed. */
function edited(name: string, change: Partial<StepDefinition>): SagaDefinition {
  const steps = bookTripV1.steps.map((step) =>
    step.name === name ? { ...step, ...change } : step,
  );
  return { ...bookTripV1, steps };
}

const charge = bookTripV1.steps[0]?.forward;

describe('version 1 of the trip', () => {
  test('is as it was released', () => {
    expect(() => check(bookTripV1)).not.toThrow();
  });

  test.each<[string, SagaDefinition]>([
    ['its deadline', { ...bookTripV1, deadlineMs: 60_000 }],
    ['the order of its steps', { ...bookTripV1, steps: bookTripV1.steps.toReversed() }],
    ['an option of a step', edited('charge', { forward: { ...charge, timeoutMs: 1 } as never })],
    ['what a step is called with', edited('hotel', { input: () => ({ offer: 'H-204' }) })],
  ])('may not be edited: a change of %s says to write version 2', (_what, definition) => {
    expect(() => check(definition)).toThrow(
      /version 1 was edited\..*write the change as version\n2/s,
    );
  });

  test.each(Object.keys(TRIP_ENDINGS))('%s: its stored history names no machine', (name) => {
    const text = stored.read(`${name}.json`);
    const identities = [...text.matchAll(/"identity":"([^"]*)"/g)].map(([, who]) => who);
    expect(new Set(identities)).toEqual(new Set(['somebody']));
    expect(text).not.toMatch(/\d@|[a-z0-9]-[0-9a-f]{8}"/);
  });
});
