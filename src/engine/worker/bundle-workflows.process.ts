import { bundleWorkflowCode, DefaultLogger, type BundleOptions } from '@temporalio/worker';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SagaDefinition } from '../saga/definition.js';
import { isBundleOf, stampBundle } from './bundle-stamp.process.js';
import { workflowSource } from './workflow-source.js';

/** What every workflow is made of; the bundler follows its imports from here. */
const DRIVER = fileURLToPath(new URL('../../../workflows/engine/index.js', import.meta.url));

/** Where the driver's packages are: the bundler looks from the source, which lies elsewhere. */
const PACKAGES = resolve(
  dirname(createRequire(import.meta.url).resolve('@temporalio/workflow/package.json')),
  '../..',
);

/** A bundle that a worker can start from. */
export interface ReadyBundle {
  readonly path: string;
  /** True when none was there that fits, so that this one was made for this start. */
  readonly isOwn: boolean;
  /** To be called once workers have read it: deletes one that was made for this start. */
  readonly drop: () => Promise<void>;
}

/**
 * Bundles workflow code for the sandbox and writes it to a file, whole or not at all: a Node import
 * in a workflow fails here and not when a worker starts.
 */
export async function bundleWorkflows(workflowsPath: string, bundlePath: string): Promise<void> {
  await writeWhole(bundlePath, await bundled({ workflowsPath }));
}

/**
 * Makes the workflows of sagas out of their definitions, and writes their bundle to a file, whole
 * or not at all. It bears a stamp of the definitions, the driver and Temporal's SDK.
 */
export async function bundleSagas(
  sagas: readonly SagaDefinition[],
  bundlePath: string,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'recourse-workflows-'));
  try {
    const source = join(folder, 'workflows.mjs');
    await writeFile(source, workflowSource(sagas, DRIVER));
    const code = await bundled({
      workflowsPath: source,
      webpackConfigHook: (config) => ({
        ...config,
        resolve: { ...config.resolve, modules: ['node_modules', PACKAGES] },
      }),
    });
    await writeWhole(bundlePath, await stampBundle(code, sagas));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * The bundle at `usualPath` when it is of just these sagas, this driver and this SDK; else one that
 * is made now, which takes seconds, beside the temporary files of the system.
 */
export async function provideBundle(
  sagas: readonly SagaDefinition[],
  usualPath: string,
): Promise<ReadyBundle> {
  if (await isBundleOf(usualPath, sagas)) {
    return { path: usualPath, isOwn: false, drop: () => Promise.resolve() };
  }
  const folder = await mkdtemp(join(tmpdir(), 'recourse-bundle-'));
  const path = join(folder, 'workflow-bundle.js');
  await bundleSagas(sagas, path);
  return { path, isOwn: true, drop: () => rm(folder, { recursive: true, force: true }) };
}

async function bundled(options: BundleOptions): Promise<string> {
  return (await bundleWorkflowCode({ ...options, logger: new DefaultLogger('WARN') })).code;
}

async function writeWhole(path: string, code: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  await writeFile(unfinished, code);
  await rename(unfinished, path);
}
