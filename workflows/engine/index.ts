/** The door `recourse/workflow`: what the workflow of a saga is made of. */
export { runSaga, type RunResult } from './run-saga.js';
export type { RunStart } from '../../src/engine/saga/activity-messages.js';
