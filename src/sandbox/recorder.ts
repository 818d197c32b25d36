import type { Draft, Entry, Memory } from './memory.js';
import { remember } from './memory.js';

/** The part of the record's file that a recorder needs. */
export interface EntrySink {
  readonly append: (entries: readonly Entry[]) => Promise<void>;
}

export type Recorder = (...drafts: readonly Draft[]) => Promise<void>;

/**
 * Makes the function that records: at once in memory, in the order of the calls, and on disk when
 * its promise resolves. Nothing that was recorded may be told to anybody before that.
 */
export function createRecorder(memory: Memory, sink: EntrySink, now: () => Date): Recorder {
  return (...drafts) => {
    const at = now().toISOString();
    const entries = drafts.map((draft): Entry => {
      const entry = { sequence: memory.sequence + 1, at, ...draft };
      remember(memory, entry);
      return entry;
    });
    return sink.append(entries);
  };
}
