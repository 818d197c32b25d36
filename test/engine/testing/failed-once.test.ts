import { expect, test } from 'vitest';
import { play } from '../../../src/engine/testing/play-schedule.js';
import { exploredSagas, smallest } from './explored-sagas.js';
import { failedOnce } from './failed-once.js';

const sagas = new Map([...exploredSagas, ['the smallest saga', smallest] as const]);

test.each(failedOnce)('%s: %s keeps its promises with %j', (_wrong, name, schedule) => {
  const saga = sagas.get(name) ?? expect.fail(`no saga is called ${name}`);
  expect(play(saga, schedule).broken).toBe(null);
});
