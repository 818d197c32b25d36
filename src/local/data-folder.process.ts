import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { mayUse, type NamedUser } from './postgres-user.process.js';

export interface DataFolder {
  readonly path: string;
  readonly postgres: string;
  readonly temporal: string;
  readonly sandbox: string;
  readonly logs: string;
}

/** The user that Postgres runs as may pass through, nobody else may look. */
const PASS_ONLY = 0o711;
const CLOSED = 0o700;

/**
 * Makes the data folder and those in it. Safe to run again.
 * @throws in one line that says what to do: when it belongs to somebody else, or when the user that
 * Postgres runs as cannot get there.
 */
export function ensureDataFolder(
  path: string,
  uid: number | undefined,
  postgresAs: NamedUser | undefined,
): DataFolder {
  const mode = postgresAs === undefined ? CLOSED : PASS_ONLY;
  openWhatIsNew(path, makeFolder(path, mode), mode);
  checkOwner(path, uid);
  if (!mayUse(postgresAs, path, '-x')) {
    throw new Error(
      `Postgres cannot run as root and runs as the user ${postgresAs?.name}, who cannot enter ` +
        `${path}: choose a folder that all may pass through, RECOURSE_DATA_DIR=/var/tmp/recourse ` +
        'npm start',
    );
  }
  const inside = (name: string) => {
    mkdirSync(join(path, name), { recursive: true, mode: CLOSED });
    return join(path, name);
  };
  return {
    path,
    // Made by initdb, and owned by the user it runs as.
    postgres: join(path, 'postgres'),
    temporal: inside('temporal'),
    sandbox: inside('sandbox'),
    logs: inside('logs'),
  };
}

function makeFolder(path: string, mode: number): string | undefined {
  try {
    return mkdirSync(path, { recursive: true, mode });
  } catch (error) {
    const { message } = error as Error;
    throw new Error(
      `the data folder cannot be made (${message}): choose another one, ` +
        'RECOURSE_DATA_DIR=/some/folder npm start',
      { cause: error },
    );
  }
}

/** What was made on the way has the umask in it; folders that were there are not ours to open. */
function openWhatIsNew(path: string, firstMade: string | undefined, mode: number): void {
  if (firstMade === undefined) return;
  let folder = path;
  chmodSync(folder, mode);
  while (folder !== firstMade) {
    folder = dirname(folder);
    chmodSync(folder, mode);
  }
}

/** In a folder open to all, such as /var/tmp, somebody else may have been there first. */
function checkOwner(path: string, uid: number | undefined): void {
  const found = lstatSync(path);
  if (found.isDirectory() && (uid === undefined || found.uid === uid)) return;
  throw new Error(
    `${path} is not a folder of yours: choose another one, ` +
      'RECOURSE_DATA_DIR=/some/folder npm start',
  );
}
