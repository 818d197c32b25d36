// Tries one seeded bug: on a copy of the sources, with the tests that must catch it.
import { spawn } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { applyBug } from './apply-bug.mjs';

/** What the tests and the build read; the packages are shared. */
const SOURCES = [
  ...['src', 'workflows', 'activities', 'test', 'bench', 'docs', '.ci', 'package.json'],
  ...['nest-cli.json', 'tsconfig.json', 'tsconfig.build.json', 'vitest.config.ts'],
];
/** Where the tests start the built processes. */
const NEEDS_A_BUILD = /^test\/(booking|cli|local)\/.*\.e2e\.test\.ts$/;

/** Tells what the explorer alone finds. */
const EXPLORER = 'test/engine/testing/find-broken.ts';

/** Which servers a bug's tests need: those of the last suffix that is among them. */
export function projectOf({ tests }) {
  if (tests.some((file) => file.endsWith('.e2e.test.ts'))) return 'whole';
  return tests.some((file) => file.endsWith('.pg.test.ts')) ? 'postgres' : 'pure';
}

/**
 * Answers by what a bug was caught: `by`, the first test that failed, or null; `seen`, what the
 * explorer alone found, null for nothing, undefined where it was not asked. Throws an Error where
 * the sources with the bug do not even build or load: that would prove nothing.
 */
export async function tryBug(root, folder, bug) {
  try {
    for (const source of SOURCES) {
      cpSync(join(root, source), join(folder, source), { recursive: true });
    }
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    applyBug(folder, bug);
    if (bug.tests.some((file) => NEEDS_A_BUILD.test(file))) await build(folder);
    return 'explorer' in bug ? await tryKernel(folder, bug) : { by: await tryOther(folder, bug) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function build(folder) {
  for (const command of ['node_modules/.bin/nest build', 'node dist/src/cli.js bundle']) {
    const [tool, ...options] = command.split(' ');
    const { code, printed } = await run(folder, tool, options);
    if (code !== 0) throw new Error(`${command} failed: ${printed.slice(-2_000)}`);
  }
}

async function tryKernel(folder, { tests }) {
  const options = ['--config', '.ci/kernel-bugs.config.mjs', ...tests, EXPLORER];
  const told = await vitest(folder, options);
  const [looked] = told.filter(({ file }) => EXPLORER.endsWith(file));
  return { by: firstFailure(told.filter((one) => one !== looked)), seen: looked.meta.found };
}

async function tryOther(folder, bug) {
  const named = bug.named === undefined ? [] : ['--testNamePattern', bug.named];
  const options = ['--project', projectOf(bug), '--bail', '1', ...named, ...bug.tests];
  return firstFailure(await vitest(folder, options));
}

function firstFailure(told) {
  const failed = told.find(({ status }) => status === 'failed');
  return failed === undefined ? null : `${failed.file}: ${failed.fullName}`;
}

/** Every test of a run, with its file. A file that does not load has none, and proves nothing. */
async function vitest(folder, options) {
  const report = join(folder, 'report.json');
  const written = ['--reporter=json', `--outputFile=${report}`];
  const { printed } = await run(folder, 'node_modules/.bin/vitest', [
    'run',
    ...written,
    ...options,
  ]);
  if (!existsSync(report)) throw new Error(`vitest tells nothing: ${printed.slice(-2_000)}`);
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  const empty = testResults.find(({ assertionResults }) => assertionResults.length === 0);
  if (testResults.length === 0 || empty !== undefined) {
    throw new Error(`no test runs: ${(empty?.message ?? printed).slice(-2_000)}`);
  }
  return testResults.flatMap(({ name, assertionResults }) => {
    const file = name.slice(name.lastIndexOf('/') + 1);
    return assertionResults.map((one) => ({ file, ...one }));
  });
}

function run(cwd, tool, options) {
  return new Promise((resolve, reject) => {
    const stdio = ['ignore', 'pipe', 'pipe'];
    const child = spawn(tool, options, { cwd, stdio, env: { ...process.env, NO_COLOR: '1' } });
    const chunks = [];
    child.stdout.on('data', (chunk) => chunks.push(chunk));
    child.stderr.on('data', (chunk) => chunks.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, printed: Buffer.concat(chunks).toString() }));
  });
}
