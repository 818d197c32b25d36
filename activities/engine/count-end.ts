import type { RunRecord } from '../../src/engine/journal/run-record.js';
import type { EngineContext } from './engine-context.js';

/** Counts the end of a run, where the change that was just written is what ended it. */
export function countEnd({ meters }: EngineContext, before: RunRecord, after: RunRecord): void {
  const { finishedAs } = after.state;
  if (before.state.finishedAs !== null || finishedAs === null) return;
  meters.ended(after.definition.name, finishedAs);
}
