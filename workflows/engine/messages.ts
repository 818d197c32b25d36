import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { JournalLine } from '../../src/engine/saga/journal.js';
import type { RunView } from '../../src/engine/saga/run-view.js';

/** The journal has news: a verdict, or a fact that came late. */
export const look = defineSignal('look');

/** What a live run says of itself. */
export interface LiveState extends RunView {
  /** What is being done now, in words. */
  readonly doing: readonly string[];
  readonly last_seq: number;
}

export const state = defineQuery<LiveState>('state');
export const timeline = defineQuery<readonly JournalLine[]>('timeline');

/** The last line of the journal after it, which says that what waited goes on. */
export interface RetriedNow {
  readonly last_seq: number;
}

/** Somebody says "now" to a run that waits for its next try. It takes no argument. */
export const retryNow = defineUpdate<RetriedNow>('retry-now');
