import { spawnSync } from 'node:child_process';
import type { PosixUser } from './start-child.process.js';

/** Postgres refuses to run as root; these users exist where a system has one without rights. */
const UNPRIVILEGED = ['postgres', '_postgres', 'nobody'] as const;

export interface NamedUser extends PosixUser {
  readonly name: string;
}

/**
 * The user that Postgres runs as: `undefined` (the present one) unless that is root.
 * @throws when root finds none of the usual unprivileged users.
 */
export function postgresUser(uid: number | undefined): NamedUser | undefined {
  if (uid !== 0) return undefined;
  for (const name of UNPRIVILEGED) {
    const ids = ['-u', '-g'].map((flag) => idOf(flag, name));
    const [uidOf, gidOf] = ids;
    if (uidOf !== undefined && gidOf !== undefined && uidOf > 0) {
      return { name, uid: uidOf, gid: gidOf };
    }
  }
  throw new Error(
    `Postgres does not run as root, and none of the users ${UNPRIVILEGED.join(', ')} exists. ` +
      'Start as an ordinary user, or name your own Postgres: DATABASE_URL=postgres://… npm start',
  );
}

/** Whether that user may use a path, asked of the system itself and not worked out from modes. */
export function mayUse(user: NamedUser | undefined, path: string, test: '-x' | '-r'): boolean {
  const ids = user === undefined ? {} : { uid: user.uid, gid: user.gid };
  return spawnSync('/bin/sh', ['-c', `test ${test} "$0"`, path], { cwd: '/', ...ids }).status === 0;
}

function idOf(flag: string, name: string): number | undefined {
  const answer = spawnSync('id', [flag, name], { encoding: 'utf8' });
  const id = Number.parseInt(answer.stdout ?? '', 10);
  return answer.status === 0 && Number.isSafeInteger(id) ? id : undefined;
}
