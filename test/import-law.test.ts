import { execFile } from 'node:child_process';
import { copyFile, cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

// The law is tried on a small tree of its own, so that every rule is seen to refuse something.

const kernelFile = 'src/engine/saga/next-moves.ts';

/** Files that the rows below import. Each imports something, so that none is an orphan. */
const ground: Record<string, string> = {
  [kernelFile]: "export * from './outcome.js';",
  'src/engine/saga/outcome.ts': 'export const done = 1;',
  'src/engine/index.ts': "export * from './saga/next-moves.js';",
  'src/engine/engine.module.ts': "export * from './runs/run-view.js';",
  'src/engine/runs/run-view.ts': "export * from '../saga/outcome.js';",
  'src/engine/runs/runs.client.ts': "export * from '../saga/outcome.js';",
  'src/engine/testing/index.ts': "export * from '../saga/outcome.js';",
  'src/engine/runs/j.ts': "import type {} from './i.js';",
  'src/engine/http/problem.filter.ts': "export * from '../saga/outcome.js';",
  'src/engine/worker/index.ts': "export * from '../saga/outcome.js';",
  'workflows/engine/index.ts': "export * from '../../src/engine/saga/outcome.js';",
  'activities/engine/index.ts': "export * from '../../src/engine/saga/outcome.js';",
  'workflows/booking/book-trip.saga.ts': "export * from 'recourse';",
  'workflows/booking/book-trip.workflow.ts': "export * from 'recourse/workflow';",
  'activities/booking/index.ts': "export * from 'recourse/activity';",
  'src/booking/booking.module.ts': "export * from 'recourse/nest';",
  'src/sandbox/record.ts': "export * from 'node:fs';",
  'src/local/ready-card.ts': "export * from 'node:path';",
  'src/main.ts': "export * from './engine/saga/outcome.js';",
  'bench/trip.ts': "export * from 'node:path';",
  'test/support/postgres.ts': "export * from 'pg';",
};

const refused: [rule: string, file: string, source: string][] = [
  ['kernel-imports-nothing', 'src/engine/saga/a.ts', "import 'node:crypto';"],
  ['kernel-imports-nothing', 'src/engine/saga/b.ts', "import 'zod';"],
  ['kernel-imports-nothing', 'src/engine/saga/c.ts', "import type {} from '../runs/run-view.js';"],
  ['workflows-stay-in-the-sandbox', 'workflows/engine/a.ts', "import 'node:util';"],
  ['workflows-stay-in-the-sandbox', 'workflows/engine/b.ts', "import 'zod';"],
  [
    'workflows-stay-in-the-sandbox',
    'workflows/engine/c.ts',
    "import type {} from '../../src/engine/runs/run-view.js';",
  ],
  [
    'workflows-know-only-the-types-of-activities',
    'workflows/engine/d.ts',
    "import '../../activities/engine/index.js';",
  ],
  ['the-explorer-is-pure', 'src/engine/testing/a.ts', "import 'zod';"],
  ['the-explorer-is-pure', 'src/engine/testing/b.ts', "export * from '../runs/runs.client.js';"],
  ['production-never-explores', 'src/engine/runs/m.ts', "export * from '../testing/index.js';"],
  ['production-never-explores', 'workflows/engine/e.ts', "import 'recourse/testing';"],
  ['a-saga-file-is-pure', 'workflows/booking/a.saga.ts', "import 'recourse/workflow';"],
  ['a-saga-file-is-pure', 'workflows/booking/b.saga.ts', "import '@temporalio/workflow';"],
  [
    'activities-know-the-engine-and-nothing-else-of-ours',
    'activities/engine/a.ts',
    "import type {} from '../../workflows/engine/index.js';",
  ],
  [
    'activities-know-the-engine-and-nothing-else-of-ours',
    'activities/engine/b.ts',
    "import '../../src/engine/http/problem.filter.js';",
  ],
  [
    'engine-never-knows-a-domain',
    'src/engine/runs/a.ts',
    "import type {} from '../../booking/booking.module.js';",
  ],
  [
    'engine-never-knows-a-domain',
    'workflows/engine/f.ts',
    "import '../booking/book-trip.workflow.js';",
  ],
  ['engine-never-knows-a-domain', 'src/engine/runs/b.ts', "import '../../local/ready-card.js';"],
  [
    'library-and-driver-meet-in-the-worker',
    'src/engine/runs/c.ts',
    "import '../../../activities/engine/index.js';",
  ],
  [
    'a-domain-enters-by-the-doors',
    'activities/booking/a.ts',
    "import '../../src/engine/runs/run-view.js';",
  ],
  [
    'a-domain-enters-by-the-doors',
    'workflows/parcels/a.ts',
    "import type {} from '../../src/engine/saga/outcome.js';",
  ],
  ['a-door-is-named-by-the-package', 'src/parcels/a.ts', "import '../engine/index.js';"],
  ['the-http-face-of-a-domain', 'src/booking/a.ts', "import '../../activities/booking/index.js';"],
  [
    'the-http-face-of-a-domain',
    'src/booking/b.ts',
    "import '../../workflows/booking/book-trip.workflow.js';",
  ],
  ['the-http-face-of-a-domain', 'src/booking/c.ts', "import 'recourse/workflow';"],
  ['the-acts-of-a-domain', 'activities/booking/b.ts', "import 'recourse/nest';"],
  ['only-roots-join-engine-and-domain', 'src/parts.ts', "import './engine/runs/run-view.js';"],
  ['an-example-is-a-stranger', 'test/examples/order/a.ts', "import '../../support/postgres.js';"],
  [
    'an-example-is-a-stranger',
    'test/examples/order/b.ts',
    "import type {} from '../../../src/engine/runs/run-view.js';",
  ],
  [
    'a-door-is-named-by-the-package',
    'test/examples/order/c.ts',
    "import '../../../src/engine/index.js';",
  ],
  ['nothing-imports-a-root', 'src/local/a.ts', "import '../main.js';"],
  ['the-sandbox-shares-nothing', 'src/sandbox/a.ts', "import '../engine/saga/outcome.js';"],
  ['nothing-leans-on-the-sandbox', 'src/worker.ts', "import './sandbox/record.js';"],
  ['the-local-start-knows-no-domain', 'src/cli/a.ts', "import '../booking/booking.module.js';"],
  ['code-never-imports-tests', 'src/cli/b.ts', "import '../../test/support/postgres.js';"],
  [
    'engine-tests-know-no-domain',
    'test/engine/a.test.ts',
    "import '../../workflows/booking/book-trip.saga.js';",
  ],
  ['sandbox-tests-know-no-engine', 'test/sandbox/a.test.ts', "import 'recourse';"],
  ['nothing-leans-on-the-bench', 'src/local/b.ts', "import '../../bench/trip.js';"],
  [
    'the-bench-measures-from-outside',
    'bench/a.ts',
    "import type {} from '../src/engine/runs/run-view.js';",
  ],
  ['the-bench-measures-from-outside', 'bench/b.ts', "import '../src/main.js';"],
  ['the-saga-by-hand-shares-nothing', 'bench/by-hand/a.ts', "import '../trip.js';"],
  [
    'the-saga-by-hand-shares-nothing',
    'bench/by-hand/b.ts',
    "import '../../src/local/ready-card.js';",
  ],
  ['postgres-only-in-stores', 'src/engine/runs/d.ts', "import type {} from 'pg';"],
  ['network-only-in-clients', 'src/engine/runs/a.store.ts', "import 'node:http';"],
  ['a-store-calls-nobody', 'src/engine/runs/b.store.ts', "import './runs.client.js';"],
  ['nest-only-at-the-edge', 'src/booking/present.ts', "import '@nestjs/common';"],
  ['nest-only-at-the-edge', 'src/worker.ts', "import '@nestjs/core';"],
  ['temporal-client-only-in-clients', 'src/engine/runs/e.ts', "import '@temporalio/client';"],
  ['temporal-worker-only-in-the-worker', 'src/engine/runs/f.ts', "import '@temporalio/worker';"],
  [
    'temporal-packages-stay-on-their-side',
    'src/engine/runs/g.ts',
    "import '@temporalio/activity';",
  ],
  ['metrics-only-in-telemetry', 'src/engine/worker/a.ts', "import 'prom-client';"],
  ['a-file-without-suffix-is-pure', 'src/engine/runs/h.ts', "import 'node:fs';"],
  ['a-file-without-suffix-is-pure', 'activities/booking/d.ts', "import 'node:fs';"],
  ['no-cycles', 'src/engine/runs/i.ts', "import './j.js';"],
  ['no-orphans', 'src/engine/runs/k.ts', 'export const alone = 1;'],
  ['resolvable', 'src/engine/runs/l.ts', "import './nowhere.js';"],
  ['resolvable', 'activities/booking/c.ts', "import 'recourse/nowhere';"],
  ['no-test-packages-in-code', 'src/engine/runs/m.ts', "import 'fast-check';"],
  [
    'definitions-door-is-safe-everywhere',
    'src/engine/index.ts',
    "export * from './runs/run-view.js';",
  ],
];

const allowed: [file: string, source: string][] = [
  ['src/engine/saga/z.ts', "import './outcome.js';"],
  ['workflows/engine/z.ts', "import '@temporalio/workflow';"],
  ['workflows/engine/y.ts', "import '@temporalio/common';"],
  ['workflows/engine/x.ts', "import type {} from '../../activities/engine/index.js';"],
  ['workflows/booking/z.saga.ts', "import type {} from '../../activities/booking/index.js';"],
  ['activities/engine/z.ts', "import '../../src/engine/runs/runs.client.js';"],
  ['activities/booking/z.ts', "import 'recourse';"],
  ['activities/booking/index.ts', "import './z.js';"],
  ['activities/booking/z.client.ts', "import 'node:https';"],
  ['src/engine/worker/z.ts', "import '../../../activities/engine/index.js';"],
  ['src/engine/worker/y.ts', "import '@temporalio/worker';"],
  ['src/engine/telemetry/z.ts', "import 'prom-client';"],
  ['src/engine/runs/z.store.ts', "import 'pg';"],
  ['src/engine/runs/z.client.ts', "import '@temporalio/client';"],
  ['src/engine/runs/z.controller.ts', "import '@nestjs/common';"],
  ['src/engine/runs/z.process.ts', "import 'node:timers/promises';"],
  ['src/engine/runs/z.ts', "import 'zod';"],
  ['src/engine/runs/y.ts', "import 'node:crypto';"],
  ['src/booking/z.ts', "import '../../workflows/booking/book-trip.saga.js';"],
  ['src/recourse.config.ts', "import '../activities/booking/index.js';"],
  ['src/cli/z.ts', "import '../engine/runs/run-view.js';"],
  ['src/relay.ts', "import './engine/runs/run-view.js';"],
  ['bench/z.ts', "import '../src/local/ready-card.js';"],
  ['bench/by-hand/z.ts', "import '@temporalio/workflow';"],
  ['test/examples/order/z.ts', "import 'recourse/nest';"],
  ['test/examples/order/y.ts', "import './z.js';"],
  ['test/booking/z.test.ts', "import '../../src/sandbox/record.js';"],
];

let tree: string;
let violations: { rule: string; file: string }[];
let rules: string[];

beforeAll(async () => {
  tree = await mkdtemp(join(tmpdir(), 'import-law-'));
  const files = [
    ...Object.entries(ground),
    ...allowed,
    ...refused.map(([, file, source]): [string, string] => [file, source]),
  ];
  const sources = new Map<string, string[]>();
  for (const [file, source] of files) {
    sources.set(file, [...(sources.get(file) ?? []), source]);
  }
  for (const [file, lines] of sources) {
    await mkdir(dirname(join(tree, file)), { recursive: true });
    await writeFile(join(tree, file), `${lines.join('\n')}\n`);
  }
  await cp('.ci/import-law', join(tree, '.ci/import-law'), { recursive: true });
  for (const file of [
    '.dependency-cruiser.mjs',
    '.ci/doors.mjs',
    'package.json',
    'tsconfig.json',
  ]) {
    await copyFile(file, join(tree, file));
  }
  await symlink(join(process.cwd(), 'node_modules'), join(tree, 'node_modules'));
  const { summary } = await cruise(tree);
  violations = summary.violations.map(({ rule, from }) => ({ rule: rule.name, file: from }));
  rules = summary.ruleSetUsed.forbidden.map(({ name }) => name);
}, 60_000);

afterAll(() => rm(tree, { recursive: true, force: true }));

interface Cruised {
  readonly summary: {
    readonly violations: { rule: { name: string }; from: string }[];
    readonly ruleSetUsed: { readonly forbidden: { name: string }[] };
  };
}

function cruise(folder: string): Promise<Cruised> {
  const cruiser = join('node_modules', 'dependency-cruiser', 'bin', 'dependency-cruise.mjs');
  const options = ['--output-type', 'json', 'src', 'workflows', 'activities', 'test', 'bench'];
  return new Promise((resolve, reject) => {
    const limits = { cwd: folder, maxBuffer: 64 * 1024 * 1024 };
    execFile(process.execPath, [cruiser, ...options], limits, (_error, stdout, stderr) => {
      if (stdout === '') reject(new Error(stderr));
      else resolve(JSON.parse(stdout) as Cruised);
    });
  });
}

test.each(refused)('%s refuses %s with %s', (rule, file) => {
  expect(violations.filter((violation) => violation.file === file)).toContainEqual({ rule, file });
});

test.each(allowed)('%s may hold %s', (file) => {
  expect(violations.filter((violation) => violation.file === file)).toEqual([]);
});

test('every rule of the law is seen to refuse something', () => {
  const tried = new Set(refused.map(([rule]) => rule));
  expect(rules.filter((name) => !tried.has(name))).toEqual([]);
});
