import { resolve } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';

const source = (path: string) => resolve(import.meta.dirname, path);

/** The doors of package.json, straight from the sources: tests need no build for them. */
export const doors = [
  { find: /^recourse$/, replacement: source('src/engine/index.ts') },
  { find: /^recourse\/config$/, replacement: source('src/engine/configuration/index.ts') },
  { find: /^recourse\/nest$/, replacement: source('src/engine/engine.module.ts') },
  { find: /^recourse\/worker$/, replacement: source('src/engine/worker/index.ts') },
  { find: /^recourse\/workflow$/, replacement: source('workflows/engine/index.ts') },
  { find: /^recourse\/testing$/, replacement: source('src/engine/testing/index.ts') },
  { find: /^recourse\/activity$/, replacement: source('activities/engine/index.ts') },
];

/** A poll ends when its condition holds; two cores that are busy may take longer than a second. */
const common = {
  environment: 'node',
  pool: 'forks',
  expect: { poll: { timeout: 20_000 } },
} as const;

/**
 * Three projects by what a test needs: `*.test.ts` nothing, `*.pg.test.ts` a Postgres, and
 * `*.e2e.test.ts` a Temporal server and processes besides. They run one after another, so that the
 * ones with clocks in them do not share two cores with the others.
 */
export default defineConfig({
  test: {
    reporters: ['default', './test/support/closing-line.ts'],
    projects: [
      {
        resolve: { alias: doors },
        test: {
          ...common,
          name: 'pure',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, '**/*.pg.test.ts', '**/*.e2e.test.ts'],
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        resolve: { alias: doors },
        test: {
          ...common,
          name: 'postgres',
          include: ['test/**/*.pg.test.ts'],
          globalSetup: ['test/support/global-setup.ts'],
          maxWorkers: 2,
          testTimeout: 20_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        resolve: { alias: doors },
        test: {
          ...common,
          name: 'whole',
          include: ['test/**/*.e2e.test.ts'],
          globalSetup: ['test/support/global-setup.ts'],
          // Heartbeats, deadlines and back-offs are real here: a second worker would starve them.
          maxWorkers: 1,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
