import type { Answer, RunAsk } from '../../src/engine/saga/activity-messages.js';
import type { EngineContext } from './engine-context.js';

/** Counts the end of a run, where the answer of what may have ended it tells of one. */
export function countEnd({ meters }: EngineContext, ask: RunAsk, answer: Answer): Answer {
  for (const line of answer.lines) {
    if (line.kind === 'finished') meters.ended(ask.saga, line.as);
  }
  return answer;
}
