// Kernel, library, workflows and activities.

import {
  anyCode,
  kernel,
  engine,
  domain,
  roots,
  impure,
  nestFile,
  door,
  npm,
  anyPackage,
  rule,
} from './places.mjs';

export const layers = [
  rule(
    'kernel-imports-nothing',
    'src/engine/saga runs in the API, in the workflow sandbox and in tests: it imports no ' +
      'package and no node: module. Pass what it needs as an argument.',
    { path: kernel },
    { pathNot: kernel },
  ),
  rule(
    'definitions-door-is-safe-everywhere',
    'src/engine/index.ts is imported by workflows: it re-exports values from src/engine/saga ' +
      'only, and types from src/engine.',
    { path: door.definitions },
    { pathNot: kernel, dependencyTypesNot: ['type-only'] },
  ),
  rule(
    'workflows-stay-in-the-sandbox',
    'workflows/ may import src/engine/saga, @temporalio/workflow, types of ' +
      '@temporalio/common, the doors recourse and recourse/workflow, and types of activities/. ' +
      'Move everything else into an activity.',
    { path: '^workflows/' },
    {
      pathNot: [
        '^(workflows|activities)/',
        kernel,
        door.definitions,
        npm('@temporalio/(workflow|common)'),
      ],
    },
  ),
  rule(
    'workflows-know-only-the-types-of-activities',
    'Write `import type`: an activity must not be bundled into a workflow.',
    { path: '^workflows/' },
    { path: '^activities/', dependencyTypesNot: ['type-only'] },
  ),
  rule(
    'a-saga-file-is-pure',
    'A *.saga.ts is data that API, worker and tests load: it imports the door recourse and ' +
      'types, no package and no driver.',
    { path: '^workflows/.*\\.saga\\.ts$' },
    { path: [anyPackage, '^workflows/engine/'] },
  ),
  rule(
    'activities-know-the-engine-and-nothing-else-of-ours',
    'activities/ may import src/engine except its Nest files, and never workflows/: ' +
      'definitions are handed in by the worker.',
    { path: '^activities/' },
    { path: ['^workflows/', '^src/(?!engine/)', `^src/engine/.*${nestFile}`, '^test/'] },
  ),
  rule(
    'engine-never-knows-a-domain',
    'The library must work for a team we never met: take what differs as an argument or from ' +
      'recourse.config.',
    { path: engine },
    { path: [...domain, '^src/(local|cli|sandbox)/', roots, '^test/'] },
  ),
  rule(
    'the-explorer-is-pure',
    'src/engine/testing runs in any test of any team: it imports the kernel and words, ' +
      'no package and no node: module.',
    { path: '^src/engine/testing/' },
    { path: [anyPackage, '^node:', impure, nestFile] },
  ),
  rule(
    'production-never-explores',
    'src/engine/testing is for tests and for `recourse explore`. Move what is shared out of it.',
    { path: anyCode, pathNot: ['^src/engine/testing/', '^src/cli/'] },
    { path: '^src/engine/testing/' },
  ),
  rule(
    'library-and-driver-meet-in-the-worker',
    'Only src/engine/worker may import what workflows/engine and activities/engine do; ' +
      'elsewhere use `import type`.',
    { path: '^src/engine/', pathNot: '^src/engine/worker/' },
    { path: '^(workflows|activities)/', dependencyTypesNot: ['type-only'] },
  ),
];
