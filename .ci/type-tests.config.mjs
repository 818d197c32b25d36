// The type tests (`*.test-d.ts`): what must compile, and what must not. Compiled by themselves, so
// that they cost no second compilation of everything.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: new URL('../', import.meta.url).pathname,
  test: {
    include: [],
    typecheck: {
      only: true,
      enabled: true,
      include: ['test/**/*.test-d.ts'],
      tsconfig: '.ci/tsconfig.type-tests.json',
    },
  },
});
