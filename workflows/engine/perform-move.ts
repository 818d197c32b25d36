import { proxyActivities } from '@temporalio/workflow';
import type {
  Answer,
  CallAsk,
  EngineActivities,
  FindAsk,
  RunAsk,
} from '../../src/engine/saga/activity-messages.js';
import { callOf, stepNamed, type SagaDefinition } from '../../src/engine/saga/definition.js';
import type { Move } from '../../src/engine/saga/next-moves.js';
import { stepKey } from '../../src/engine/saga/step-key.js';
import { inWords } from './words.js';

/** Beside the provider's own time: writing the intention and the outcome, 5 s each at most. */
const RECORD_ALLOWANCE_MS = 20_000;
/** Shorter ones gave false alarms on a busy machine. */
const HEARTBEAT_MS = 10_000;
const RECORD_TIMEOUT_MS = 60_000;
const ASK_AGAIN_MS = 1_000;

/** Moves that are activities; the driver waits for timers itself. */
export type ActivityMove = Exclude<Move, { readonly kind: 'wait' }>;

/**
 * Has a move done by the activity it is for. A provider call that Temporal lost sight of is not an
 * outcome: the record is read instead. An outcome that could not be written is written before this
 * answers.
 */
export function performMove(
  definition: SagaDefinition,
  ask: RunAsk,
  move: ActivityMove,
  unsent: string | undefined,
): Promise<Answer> {
  const engine = engineActivities(inWords(definition, move));
  switch (move.kind) {
    case 'call':
      return call(definition, ask, move, unsent);
    case 'ask':
      return find(definition, ask, move);
    case 'read':
      return engine['read-attempt']({ ...ask, ...ofCall(move), ...naming(unsent) });
    case 'open-case': {
      const { step, direction, problem } = move;
      return engine['open-case']({ ...ask, step, direction, problem });
    }
    case 'unwind':
      return engine.unwind({ ...ask, because: move.because });
    case 'finish':
      return engine.finish({ ...ask, as: move.as });
  }
}

/** The engine's own activities: Postgres only, retried by the server until they are done. */
export function engineActivities(summary: string): EngineActivities {
  return proxyActivities<EngineActivities>({
    startToCloseTimeout: RECORD_TIMEOUT_MS,
    heartbeatTimeout: HEARTBEAT_MS,
    retry: { initialInterval: 200, backoffCoefficient: 2, maximumInterval: 10_000 },
    summary,
  });
}

function call(
  definition: SagaDefinition,
  ask: RunAsk,
  move: ActivityMove & { readonly kind: 'call' },
  unsent: string | undefined,
): Promise<Answer> {
  const key = stepKey(ask.run, move.step, move.direction);
  const callAsk: CallAsk = { ...ask, ...ofCall(move), key, ...naming(unsent) };
  const summary = inWords(definition, move);
  const engine = engineActivities(`after ${summary}`);
  return providerCall(
    definition,
    move,
    summary,
  )(callAsk).then(
    (answer) =>
      answer.sealed === undefined ? answer : engine.record({ ...callAsk, sealed: answer.sealed }),
    () => engine['read-attempt']({ ...ask, ...ofCall(move), ...naming(unsent) }),
  );
}

function find(
  definition: SagaDefinition,
  ask: RunAsk,
  move: ActivityMove & { readonly kind: 'ask' },
): Promise<Answer> {
  const { step, direction } = move;
  const findAsk: FindAsk = { ...ask, step, direction, key: stepKey(ask.run, step, direction) };
  const activity = providerCall(definition, move, inWords(definition, move));
  // A question that got lost did no harm: a little later it is asked again.
  return activity(findAsk).catch(() => ({ lines: [], hold_ms: ASK_AGAIN_MS }));
}

/** One attempt by the server and no more: its retries would hide what an earlier attempt did. */
function providerCall(
  definition: SagaDefinition,
  move: ActivityMove & { readonly kind: 'call' | 'ask' },
  summary: string,
): (ask: CallAsk | FindAsk) => Promise<Answer> {
  const step = stepNamed(definition, move.step);
  const definedCall = callOf(step, move.direction);
  const name = move.kind === 'call' ? definedCall?.run : definedCall?.find;
  if (definedCall === null || name == null) {
    throw new RangeError(`${definition.name} › ${move.step} has nothing for ${move.kind}`);
  }
  const activities = proxyActivities<Record<string, (ask: CallAsk | FindAsk) => Promise<Answer>>>({
    taskQueue: `recourse-${step.at}`,
    startToCloseTimeout: definedCall.timeoutMs + RECORD_ALLOWANCE_MS,
    heartbeatTimeout: HEARTBEAT_MS,
    retry: { maximumAttempts: 1 },
    summary,
  });
  const activity = activities[name];
  if (activity === undefined) throw new RangeError(`there is no activity ${name}`);
  return activity;
}

function ofCall(move: ActivityMove & { readonly kind: 'call' | 'read' }): {
  step: string;
  direction: 'do' | 'undo';
  attempt: number;
} {
  return { step: move.step, direction: move.direction, attempt: move.attempt };
}

function naming(unsent: string | undefined): { unsent?: string } {
  return unsent === undefined ? {} : { unsent };
}

/** By the record there was nothing to do, though it has nothing that the driver does not know. */
export function saysNothing({ lines, ...more }: Answer): boolean {
  return lines.length === 0 && Object.keys(more).length === 0;
}
