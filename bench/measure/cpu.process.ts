import { readdirSync, readFileSync } from 'node:fs';

/** The kernel shows times in hundredths of a second on every Linux that Node runs on. */
const TICK_MS = 10;

interface Seen {
  readonly parent: number;
  /** Its own, and those of its children that ended. */
  readonly cpuMs: number;
}

/**
 * The CPU milliseconds that each of these processes has had, with all that it has started: those of
 * children that ended are in the parent's times, those of living ones are added.
 */
export function cpuMsOf(pids: readonly number[]): readonly number[] {
  const all = readProcesses();
  const children = new Map<number, number[]>();
  for (const [pid, { parent }] of all) {
    children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const sum = (pid: number): number =>
    (children.get(pid) ?? []).reduce((so, child) => so + sum(child), all.get(pid)?.cpuMs ?? 0);
  return pids.map(sum);
}

function readProcesses(): Map<number, Seen> {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return new Map(
    pids.flatMap((pid): [number, Seen][] => {
      const seen = readProcess(pid);
      return seen === undefined ? [] : [[Number(pid), seen]];
    }),
  );
}

/** After the name in brackets: field 2 is the parent, fields 12 to 15 are the four times. */
function readProcess(pid: string): Seen | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { parent: Number(fields[1]), cpuMs: ticks * TICK_MS };
  } catch {
    // It ended while we looked.
    return undefined;
  }
}
