import { expect, test } from 'vitest';
import { stepKey } from '../../../src/engine/saga/step-key.js';

test.each([
  ['do', 'bk_1:charge'],
  ['undo', 'bk_1:charge:undo'],
] as const)(
  'row 13: the key of %s is made of run and step alone, and is its own: %s',
  (direction, key) => {
    expect(stepKey('bk_1', 'charge', direction)).toBe(key);
  },
);
