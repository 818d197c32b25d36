import { stepNamed } from '../saga/definition.js';
import { ofEach, type Invariant } from './invariant.js';
import type { Played, Sent } from './played.js';

/**
 * A step is tried no more often than its retry says, whatever hurries it. An attempt counts once it
 * has ended, but for one that was not even sent; a person who says that nothing happened lets it be
 * tried anew. An undo has no such limit: it goes on until it is done.
 */
export const triesNoMoreOften: Invariant = {
  name: 'a step is tried no more often than its retry says',
  broken: (played) =>
    ofEach(played.sent, (one) => {
      const { step, direction, attempt } = one;
      const { attempts } = stepNamed(played.saga, step).forward.retry;
      if (direction === 'undo' || attempts === null || attempt <= attempts) return null;
      const used = usedBefore(played, one);
      return used < attempts
        ? null
        : `${step} was sent again after ${used} of ${attempts} attempts`;
    }),
};

/** By what is written: the kernel is not asked for its own count. */
function usedBefore({ written }: Played, { step, record }: Sent): number {
  const ended = new Set<number>();
  let used = 0;
  for (const { line } of written) {
    if (line.seq > record.lastSeq) break;
    if (!('direction' in line) || line.step !== step || line.direction !== 'do') continue;
    if (line.kind === 'verdict' && line.verdict === 'did-not-happen') used = 0;
    // What becomes known of an attempt later has counted when it was given up.
    if (line.kind !== 'ended' || ended.has(line.attempt)) continue;
    ended.add(line.attempt);
    if (line.outcome !== 'again' || line.counts) used += 1;
  }
  return used;
}
