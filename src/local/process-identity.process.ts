import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A process as this product remembers it: a pid alone may be somebody else's tomorrow. */
export interface ProcessRecord {
  readonly name: string;
  readonly pid: number;
  /** What `identityOf` answered just after the process was started. */
  readonly identity: string;
  /** Signals sent to its process group, one after another, until it is gone. */
  readonly endWith: readonly NodeJS.Signals[];
}

/**
 * Answers what tells this process apart from any other that ever had or will have its pid: the
 * boot and the moment it started. `undefined` when there is no such process, a zombie included.
 */
export function identityOf(pid: number): string | undefined {
  return process.platform === 'linux' ? identityFromProc(pid) : identityFromPs(pid);
}

/** Whether the very process that was recorded is still there. */
export function isAlive(record: Pick<ProcessRecord, 'pid' | 'identity'>): boolean {
  return identityOf(record.pid) === record.identity;
}

/** The process' command line, empty when it is gone or may not be read. */
export function commandLineOf(pid: number): string {
  return process.platform === 'linux' ? commandLineFromProc(pid) : ps(pid, 'command=');
}

function commandLineFromProc(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}

function identityFromProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in parentheses and may itself hold spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, startTime] = [fields[0], fields[19]];
    if (state === 'Z' || state === 'X' || startTime === undefined) return undefined;
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot}:${startTime}`;
  } catch {
    return undefined;
  }
}

function identityFromPs(pid: number): string | undefined {
  const [state, ...started] = ps(pid, 'stat=,lstart=').split(/\s+/);
  return !state || state.startsWith('Z') ? undefined : started.join(' ');
}

function ps(pid: number, columns: string): string {
  const result = spawnSync('ps', ['-ww', '-o', columns, '-p', String(pid)], {
    encoding: 'utf8',
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
  });
  return (result.stdout ?? '').trim();
}
