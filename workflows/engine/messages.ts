import { defineQuery, defineSignal } from '@temporalio/workflow';
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
