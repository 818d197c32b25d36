import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SagaDefinition } from '../saga/definition.js';
import { workflowSource } from './workflow-source.js';

/** The folders whose code goes into every bundle. */
const DRIVER_FOLDERS = ['../../../workflows/engine/', '../saga/'].map((folder) =>
  fileURLToPath(new URL(folder, import.meta.url)),
);
const MARK = '// recourse bundle ';
/** The SDK reads the map to the end of the file, so nothing may stand behind it. */
const MAP = '//# sourceMappingURL=data:';

/** The code of a bundle of these sagas, with the stamp of what it was made of. */
export async function stampBundle(code: string, sagas: readonly SagaDefinition[]): Promise<string> {
  const map = code.lastIndexOf(MAP);
  const at = map === -1 ? code.length : map;
  return `${code.slice(0, at)}${MARK}${await stampOf(sagas)}\n${code.slice(at)}`;
}

/** Whether a file is a bundle of just these sagas, made with this driver and this SDK. */
export async function isBundleOf(path: string, sagas: readonly SagaDefinition[]): Promise<boolean> {
  const code = await readFile(path, 'utf8').catch(() => '');
  return code.includes(`\n${MARK}${await stampOf(sagas)}\n`);
}

/** The same for the same definitions, driver and SDK, on any machine. */
async function stampOf(sagas: readonly SagaDefinition[]): Promise<string> {
  const hash = createHash('sha256');
  hash.update(workflowSource(sagas, 'driver'));
  for (const folder of DRIVER_FOLDERS) {
    for (const file of (await readdir(folder)).filter((name) => name.endsWith('.js')).toSorted()) {
      hash.update(await readFile(join(folder, file)));
    }
  }
  const { version } = createRequire(import.meta.url)('@temporalio/worker/package.json') as {
    readonly version: string;
  };
  return hash.update(version).digest('hex');
}
