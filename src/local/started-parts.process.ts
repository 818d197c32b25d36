import { join } from 'node:path';
import { z } from 'zod';
import { endProcess } from './end-process.process.js';
import { isAlive, type ProcessRecord } from './process-identity.process.js';
import { readJson, writePrivately } from './small-file.process.js';

const Record = z.object({
  name: z.string(),
  pid: z.int().positive(),
  identity: z.string(),
  endWith: z.array(z.enum(['SIGTERM', 'SIGINT', 'SIGQUIT', 'SIGKILL'])),
});

/** Time for an orphan to write down what it holds, before it is killed. */
const ORPHAN_GRACE_MS = 10_000;

/** What this start has running, on disk, so that the next start knows it after a `kill -9`. */
export interface StartedParts {
  add(record: ProcessRecord): void;
  remove(record: ProcessRecord): void;
}

const fileIn = (dataFolder: string) => join(dataFolder, 'parts.json');

/** Keeps `parts.json` in the data folder. Only the holder of the folder's lock may call it. */
export function keepStartedParts(dataFolder: string): StartedParts {
  const running = new Map<number, ProcessRecord>();
  const save = () =>
    writePrivately(fileIn(dataFolder), `${JSON.stringify([...running.values()], null, 2)}\n`);
  save();
  return {
    add: (record) => {
      running.set(record.pid, record);
      save();
    },
    remove: (record) => {
      running.delete(record.pid);
      save();
    },
  };
}

/**
 * Ends what an earlier start of this data folder left running, and answers what that was. Each is
 * recognised by its pid and the moment it started; any other process with that pid is left alone.
 */
export async function endOrphans(dataFolder: string): Promise<readonly ProcessRecord[]> {
  const left = z.array(Record).safeParse(readJson(fileIn(dataFolder))).data ?? [];
  const alive = left.filter(isAlive);
  await Promise.all(alive.map((record) => endProcess(record, { graceMs: ORPHAN_GRACE_MS })));
  return alive;
}
