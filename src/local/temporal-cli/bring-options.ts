import type { Progress } from '../progress.js';

/** What every download of the Temporal CLI is told. */
export interface BringOptions {
  readonly onProgress: Progress;
  /** Aborted when the start is stopped meanwhile. */
  readonly signal: AbortSignal;
}
