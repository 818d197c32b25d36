import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { identityOf, isAlive } from './process-identity.process.js';
import { readJson } from './small-file.process.js';

const Holder = z.object({ pid: z.int().positive(), identity: z.string(), url: z.string() });

/** Another start has this data folder, and it is alive. */
export class FolderInUse extends Error {
  constructor(dataFolder: string, pid: number, url: string) {
    super(
      `Recourse already runs with the data in ${dataFolder} (process ${pid}, ${url}): use that ` +
        `one, stop it (kill ${pid}), or start a second one beside it: ` +
        'RECOURSE_DATA_DIR=/some/other/folder PORT=3001 npm start',
    );
  }
}

/** Two starts that clear the same stale lock; more rounds than two are somebody's loop. */
const ROUNDS = 5;

/**
 * Takes the data folder for this process and answers how to give it back. A lock whose holder has
 * died (its pid is gone, or is another process by now) is cleared.
 *
 * @throws {FolderInUse} while the holder is alive.
 */
export function lockFolder(dataFolder: string, url: string): () => void {
  const lock = join(dataFolder, 'lock.json');
  const mine = `${lock}.${process.pid}`;
  const holder = { pid: process.pid, identity: identityOf(process.pid) ?? '', url };
  writeFileSync(mine, JSON.stringify(holder), { mode: 0o600 });
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      // A link appears with its whole content, and fails when the name is taken.
      if (tryLink(mine, lock)) return () => rmSync(lock, { force: true });
      const found = Holder.safeParse(readJson(lock)).data;
      if (found !== undefined && isAlive(found)) {
        throw new FolderInUse(dataFolder, found.pid, found.url);
      }
      clearStale(lock, found);
    }
    throw new Error(`${lock} cannot be taken: look at it, and delete it if nothing runs`);
  } finally {
    rmSync(mine, { force: true });
  }
}

/** Who runs with this data folder, and where its API listens; `undefined` when nobody does. */
export function holderOf(
  dataFolder: string,
): { readonly pid: number; readonly url: string } | undefined {
  const found = Holder.safeParse(readJson(join(dataFolder, 'lock.json'))).data;
  return found !== undefined && isAlive(found) ? found : undefined;
}

function tryLink(mine: string, lock: string): boolean {
  try {
    linkSync(mine, lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Moves a stale lock aside, and back if in that moment it has become another one. */
function clearStale(lock: string, stale: z.infer<typeof Holder> | undefined): void {
  const aside = `${lock}.stale.${process.pid}`;
  try {
    renameSync(lock, aside);
  } catch {
    return; // Another start was faster.
  }
  const moved = Holder.safeParse(readJson(aside)).data;
  if (moved !== undefined && moved.identity !== stale?.identity) tryLink(aside, lock);
  rmSync(aside, { force: true });
}
