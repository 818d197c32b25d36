/** The door `recourse`: what a definition or an act is made of. Safe to import everywhere. */
export type { Act, AnyAct, Call, FindOf, UndoOf } from './saga/act.js';
export { NO_SUCH_THING } from './saga/no-such-thing.js';
export {
  again,
  cannotTell,
  differs,
  done,
  found,
  notThere,
  refused,
  unknown,
  type Finding,
  type Outcome,
} from './saga/outcome.js';
export { defineSaga } from './saga/define-saga.js';
export type { SagaDefinition } from './saga/definition.js';
export { drawSaga } from './saga/draw-saga.js';
export { RecourseError, SagaDefinitionError } from './saga/errors.js';
export type { Sample } from './saga/fingerprint.js';
export { printSaga } from './saga/print-saga.js';
export { sagaChanges, type SagaChanges } from './saga/saga-changes.js';
export type { ForwardSaga, Saga, SagaStart, UndoableSaga } from './saga/saga-types.js';
