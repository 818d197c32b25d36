import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pollUntil } from '../../src/local/poll-until.process.js';
import type { Part } from '../house/start-part.process.js';
import { selfTimesOf, type CpuProfile, type SelfTimes } from './cpu-profile.js';

/** Records where the time of some processes goes, between two moments. */
export interface Profiler {
  begin(): Promise<void>;
  /** Answers the self times of each process by its name. Throws when one has written nothing. */
  end(): Promise<ReadonlyMap<string, SelfTimes>>;
}

/** The main thread's file; its other threads write theirs at the same moment. */
const MAIN_THREAD = '0.json';
const WRITE_LIMIT_MS = 30_000;
const TURN_MS = 1_000;

/** `folder` has a folder for each process, named as it is; see `record.process.ts`. */
export function openProfiler(folder: string, parts: () => readonly Part[]): Profiler {
  const turn = async (): Promise<void> => {
    for (const { pid } of parts()) process.kill(pid, 'SIGWINCH');
    await pause(TURN_MS);
  };
  return {
    begin: turn,
    end: async () => {
      await turn();
      const read = parts().map(async ({ name }): Promise<[string, SelfTimes]> => {
        return [name, await readProfiles(join(folder, name))];
      });
      return new Map(await Promise.all(read));
    },
  };
}

async function readProfiles(folder: string): Promise<SelfTimes> {
  const written = () => existsSync(join(folder, MAIN_THREAD));
  if (!(await pollUntil(written, { limitMs: WRITE_LIMIT_MS }))) {
    throw new Error(`no profile was written into ${folder}`);
  }
  await pause(TURN_MS);
  const files = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
  return selfTimesOf(files.map((text) => JSON.parse(text) as CpuProfile));
}
