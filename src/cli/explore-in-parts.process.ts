import { Worker } from 'node:worker_threads';
import type { ConfigurationPlace } from '../engine/configuration/find-configuration.process.js';
import type { Explored, Progress } from '../engine/testing/explore.js';
import { sumOf } from '../engine/testing/tally.js';
import { CliFailure } from './cli-failure.js';

/** What is to be explored. */
export interface Exploring {
  /** Where the configuration is that lists the saga. */
  readonly place: ConfigurationPlace;
  /** Its name and version, such as `book-trip@1`. */
  readonly saga: string;
  readonly faults: number;
}

export interface PartOfExploring extends Exploring {
  readonly part: { readonly index: number; readonly of: number };
}

export type TellsOfPart =
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'over'; readonly explored: Explored };

const SCRIPT = new URL('explore-part.process.js', import.meta.url);

/**
 * Explores in that many threads, each of which plays a part. The answer does not depend on their
 * number. Throws CliFailure when a thread ends before its part is played.
 */
export async function exploreInParts(
  exploring: Exploring,
  threads: number,
  onProgress: (progress: Progress) => void,
): Promise<Explored> {
  const far = new Map<number, Progress>();
  const parts = Array.from({ length: threads }, async (_, index) =>
    playPart({ ...exploring, part: { index, of: threads } }, (progress) => {
      far.set(index, progress);
      onProgress(together([...far.values()], threads));
    }),
  );
  const explored = await Promise.all(parts);
  const [failure = null] = explored
    .flatMap((one) => one.failure ?? [])
    .toSorted((one, other) => faultsOf(one.schedule) - faultsOf(other.schedule));
  return { ...sumOf(explored), failure };
}

function faultsOf(schedule: object): number {
  return Object.keys(schedule).length;
}

function playPart(
  exploring: PartOfExploring,
  onProgress: (progress: Progress) => void,
): Promise<Explored> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(SCRIPT, { workerData: exploring });
    thread.on('message', (told: TellsOfPart) => {
      if (told.kind === 'progress') onProgress(told.progress);
      else resolve(told.explored);
    });
    thread.once('error', reject);
    thread.once('exit', (code) => {
      reject(new CliFailure(`a thread of the exploration ended with ${code} before its end`));
    });
  });
}

/** How far all are: the slowest says which number of faults is being played. */
function together(parts: readonly Progress[], threads: number): Progress {
  const faults = Math.min(...parts.map((one) => one.faults));
  const share = parts.reduce((sum, one) => sum + (one.faults > faults ? 1 : one.share), 0);
  const schedules = parts.reduce((sum, one) => sum + one.schedules, 0);
  return { schedules, faults, share: share / threads };
}
