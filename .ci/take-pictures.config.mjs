// `npm run pictures`: starts everything on this machine with its demo, and takes the pictures of
// the Temporal UI that docs/temporal-ui.md shows, in a real browser. Run when what they show
// changes, not by the suite.
import { defineConfig } from 'vitest/config';
import { doors } from '../vitest.config.ts';

export default defineConfig({
  root: new URL('../', import.meta.url).pathname,
  resolve: { alias: doors },
  test: {
    name: 'pictures',
    include: ['test/local/take-pictures.ts'],
    pool: 'forks',
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
