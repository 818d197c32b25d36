import { expect, test } from 'vitest';
import type { SagaDefinition } from '../../../src/engine/saga/definition.js';
import { following, type Schedule } from '../../../src/engine/testing/choices.js';
import { explore } from '../../../src/engine/testing/explore.js';
import type { Failure } from '../../../src/engine/testing/judge.js';
import { playWith } from '../../../src/engine/testing/play.js';
import { wander } from '../../../src/engine/testing/wander.js';
import { exploredSagas, smallest, WALKS } from './explored-sagas.js';

// What the explorer alone sees of a bug: `npm run bugs` plays this on sources with one in them.

/** The first promise that was broken, with as few faults as can break one. */
interface Found {
  readonly saga: string;
  readonly broken: string;
  /** How it was found: all schedules of so many faults, or a random walk. */
  readonly by: string;
  readonly faults: number;
  readonly schedule: Schedule;
}

declare module 'vitest' {
  interface TaskMeta {
    found?: Found | null;
  }
}

test('every promise is kept', { timeout: 600_000 }, ({ task }) => {
  task.meta.found = find();
  expect(task.meta.found).toBe(null);
});

function find(): Found | null {
  const all = exploredSagas;
  for (const faults of [0, 1]) {
    for (const [name, saga] of all) {
      const found = tried(name, saga, `K = ${faults}`, () => explore(saga, { faults }).failure);
      if (found !== null) return found;
    }
  }
  const two = tried('the smallest saga', smallest, 'K = 2', () => {
    return explore(smallest, { faults: 2 }).failure;
  });
  if (two !== null) return two;
  for (const [name, saga] of all) {
    for (let seed = 0; seed < WALKS; seed += 1) {
      const found = tried(name, saga, 'a walk', () => wander(saga, { seed }).failure);
      if (found !== null) return found;
    }
  }
  return null;
}

/** A kernel that throws has broken its promise too; then there is no schedule to tell. */
function tried(
  name: string,
  saga: SagaDefinition,
  by: string,
  look: () => Failure | null,
): Found | null {
  try {
    const failure = look();
    if (failure === null) return null;
    const { invariant, broken, schedule } = failure;
    const { choices } = playWith(saga, following(schedule));
    const faults = choices.filter(({ isFault, taken }) => isFault && taken > 0).length;
    return { saga: name, by, broken: `${invariant}: ${broken}`, faults, schedule };
  } catch (error) {
    return { saga: name, by, broken: `it throws: ${String(error)}`, faults: 0, schedule: {} };
  }
}
