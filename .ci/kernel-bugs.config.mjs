// For `npm run bugs`: the tests that are named on the command line, and what the explorer alone
// finds on its own sagas, in the sources as they are.
import { configDefaults, defineConfig } from 'vitest/config';
import { doors } from '../vitest.config.ts';

export default defineConfig({
  root: new URL('../', import.meta.url).pathname,
  resolve: { alias: doors },
  test: {
    include: ['test/**/*.test.ts', 'test/engine/testing/find-broken.ts'],
    exclude: [...configDefaults.exclude, '**/*.pg.test.ts', '**/*.e2e.test.ts'],
    pool: 'forks',
    maxWorkers: 1,
    isolate: false,
  },
});
