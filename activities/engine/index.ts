/** The door `recourse/activity`: what an act needs to talk to its provider. */
export type { Answer } from '../../src/engine/providers/answer.js';
export {
  readFinding,
  readOutcome,
  type AnswerRow,
  type AnswerTable,
} from '../../src/engine/providers/classify-response.js';
export { whenDone, whenOne } from '../../src/engine/providers/judge-answer.js';
export {
  createProviderClient,
  type ProviderClient,
  type ProviderRequest,
  type ProviderSettings,
  type Sending,
} from '../../src/engine/providers/provider.client.js';
