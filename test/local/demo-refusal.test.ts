import { expect, test } from 'vitest';
import { demoRefusal } from '../../src/local/demo/demo-refusal.js';

test.each([
  ['PAYMENTS_URL', /a demo must never charge anybody/],
  ['FLIGHTS_URL', /a demo must never charge anybody/],
  ['HOTELS_URL', /a demo must never charge anybody/],
  ['MESSAGES_URL', /a demo must never charge anybody/],
  ['DATABASE_URL', /other workers there/],
  ['TEMPORAL_ADDRESS', /other workers there/],
])('the demo books nothing while %s is set', (name, why) => {
  const refusal = demoRefusal({ [name]: 'anything' });
  expect(refusal).toContain(`--demo books nothing while ${name} is set`);
  expect(refusal).toMatch(why);
});

test.each([{}, { PORT: '3000', RECOURSE_DATA_DIR: '/data' }, { PAYMENTS_URL: '' }])(
  'with %j it books',
  (env) => {
    expect(demoRefusal(env)).toBeUndefined();
  },
);
