// `npm run record:histories`: brings a trip to each of its endings, on real servers, and stores the
// histories that are missing in test/histories. Run when a version is released, not by the suite.
import { defineConfig } from 'vitest/config';
import { doors } from '../vitest.config.ts';

export default defineConfig({
  root: new URL('../', import.meta.url).pathname,
  resolve: { alias: doors },
  test: {
    // The name tells the set-up which servers are needed.
    name: 'whole',
    include: ['test/booking/record-histories.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
