import { expect, test } from 'vitest';
import { tripSagas } from '../support/trip.js';

const acts = Object.entries(tripSagas().set.acts);

test.each(acts.filter(([, act]) => act.kind === 'act'))(
  'a person is shown a value that %s reads',
  (_name, act) => {
    if (act.kind !== 'act') throw new Error('not an act');
    expect(act.sample).toBeDefined();
    expect(act.parse(act.sample)).toEqual(act.sample);
  },
);
