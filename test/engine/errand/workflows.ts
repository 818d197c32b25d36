import type { RunStart } from '../../../src/engine/saga/activity-messages.js';
import { runSaga, type RunResult } from '../../../workflows/engine/index.js';
import { ERRANDS } from './errands.js';

/** The workflow of every errand. */
export function errand(start: RunStart): Promise<RunResult> {
  return runSaga(ERRANDS, start);
}
