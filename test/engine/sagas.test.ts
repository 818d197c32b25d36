import { describe, expect, test } from 'vitest';
import { Sagas } from '../../src/engine/sagas.js';
import { done } from '../../src/engine/saga/outcome.js';
import { shopSagas } from './errand/shop.js';
import { ERRANDS } from './errand/errands.js';

const { set } = shopSagas(() => Promise.resolve(done(null)));

describe('a new run gets the newest version that is installed', () => {
  test.each([
    ['in order', ERRANDS, 5],
    ['in any order', ERRANDS.toReversed(), 5],
    ['the one that is there', ERRANDS.slice(1, 2), 2],
  ])('%s', (_how, sagas, version) => {
    expect(new Sagas({ ...set, sagas }).newest('errand').version).toBe(version);
  });

  test('a saga that is not installed is a mistake of the caller, and named', () => {
    expect(() => new Sagas(set).newest('erand')).toThrow('there is no saga erand');
  });
});
