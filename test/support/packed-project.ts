import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { ownFolder, startOwned, type OwnedProcess } from './owned-process.js';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../..');

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** A team's project in a folder of its own, with the package as npm packs it. */
export interface PackedProject {
  readonly folder: string;
  /** The paths in the package. */
  readonly packed: readonly string[];
  /**
   * Runs a program of a package to its end, such as `typescript/bin/tsc`, and answers what it has
   * printed. @throws with that when it fails.
   */
  run(program: string, ...args: readonly string[]): Promise<string>;
  /** Starts `recourse` in the project, and does not wait. */
  start(args: readonly string[], env: NodeJS.ProcessEnv): Promise<OwnedProcess>;
}

/** The program of the package, as its `bin` says. */
export const RECOURSE = 'recourse/dist/src/cli.js';

/** The compiler reads all types of all packages; two cores may be busy. It is killed after this. */
const LIMIT_MS = 300_000;

/**
 * Packs the package as it was built (`npm run build` first), unpacks it into a new project, and
 * writes the project's files. Instead of being fetched, packages are linked: those that the package
 * has as `dependencies`, and those of the project's own `package.json`. So a dependency that the
 * package lacks is lacking here too.
 */
export async function packedProject(files: ReadonlyMap<string, string>): Promise<PackedProject> {
  if (!existsSync(join(ROOT, 'dist/src/cli.js'))) throw new Error('run npm run build first');
  const folder = ownFolder('packed');
  for (const [path, text] of files) write(join(folder, path), text);
  const packed = await unpack(folder);
  const own = manifestIn(join(folder, 'package.json'));
  const needed = { ...manifestIn(join(folder, 'node_modules/recourse/package.json')).dependencies };
  for (const name of Object.keys({ ...needed, ...own.dependencies, ...own.devDependencies })) {
    if (name !== 'recourse') link(folder, name);
  }
  const { PATH, HOME } = process.env;
  const program = (path: string) => join(folder, 'node_modules', path);
  return {
    folder,
    packed,
    run: async (path, ...args) => {
      const limits = { cwd: folder, timeout: LIMIT_MS, env: { PATH, HOME, NO_COLOR: '1' } };
      const ended = run(process.execPath, [program(path), ...args], limits);
      return (await ended.catch(withOutput)).stdout;
    },
    start: (args, env) =>
      startOwned('recourse', {
        file: process.execPath,
        args: [program(RECOURSE), ...args],
        env: { PATH, HOME, ...env },
        cwd: folder,
      }),
  };
}

function withOutput(error: Error & { stdout?: string; stderr?: string }): never {
  throw new Error(`${error.message}\n${error.stdout}${error.stderr}`, { cause: error });
}

async function unpack(folder: string): Promise<readonly string[]> {
  const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const { stdout } = await run('npm', pack, { cwd: ROOT, maxBuffer: 16 * 1024 * 1024 });
  const [told] = Object.values(JSON.parse(stdout) as Readonly<Record<string, PackTold>>);
  if (told === undefined) throw new Error(`npm pack said nothing: ${stdout}`);
  const home = join(folder, 'node_modules/recourse');
  mkdirSync(home, { recursive: true });
  await run('tar', ['-xzf', join(folder, told.filename), '-C', home, '--strip-components=1']);
  return told.files.map(({ path }) => path);
}

interface PackTold {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

function link(folder: string, name: string): void {
  const at = join(folder, 'node_modules', name);
  mkdirSync(dirname(at), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules', name), at);
}

function manifestIn(path: string): Manifest {
  return JSON.parse(readFileSync(path, 'utf8')) as Manifest;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
