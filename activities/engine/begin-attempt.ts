import { randomUUID } from 'node:crypto';
import type { Tx } from '../../src/engine/database/database.js';
import { isDatabaseUnavailable } from '../../src/engine/database/unavailable.js';
import {
  callOf,
  closeKey,
  insertAttempt,
  openKey,
  readAttempt,
  readKey,
  settleAttempt,
  type KeyRow,
} from '../../src/engine/journal/attempts.store.js';
import { appendFacts, type RunRecord } from '../../src/engine/journal/run-record.store.js';
import type { Answer, CallAsk } from '../../src/engine/saga/activity-messages.js';
import { isSettled, type CallState } from '../../src/engine/saga/call-state.js';
import {
  stepNamed,
  type CallDefinition,
  type StepDefinition,
} from '../../src/engine/saga/definition.js';
import { callState, standing } from '../../src/engine/saga/run-state.js';
import { callInput } from './call-input.js';
import type { Calling, EngineContext } from './engine-context.js';
import { asOwner, news } from './own-run.js';
import { settleSending } from './read-attempt.js';

/** The attempt is on record: it may be sent now, or it may not, and this is why. */
export type Begun =
  | {
      readonly kind: 'send';
      readonly input: unknown;
      readonly sendBy: Date;
      readonly until: number;
    }
  | { readonly kind: 'answer'; readonly answer: Answer };

/**
 * Writes the intention of one attempt before it is made: the attempt's row, the journal line, for
 * the first attempt the sealed input, all in one transaction under the run's lock. Answers what to
 * send and until when by the monotonic clock (`until`, milliseconds); or, where nothing may be sent,
 * the answer for the driver. Safe to run again: an attempt is begun once.
 */
export async function beginAttempt(
  context: EngineContext,
  calling: Calling,
  ask: CallAsk,
): Promise<Begun> {
  const token = randomUUID();
  const begun = await withinLimit(
    asOwner(context, calling, ask, (tx, record) => begin(context, tx, record, ask, token)),
    token,
    context,
  );
  return 'kind' in begun ? begun : { kind: 'answer', answer: begun };
}

/** A customer waits; what Postgres has not confirmed by then is left unsent and tried again. */
const BEGIN_LIMIT_MS = 5_000;
const HOLD_MS = 1_000;

/**
 * Waits for `begin` until the limit. Past it, or when the connection broke, the row may or may not
 * stand; nothing was sent either way, and the answer names the row so that whoever comes next can
 * settle it as unsent.
 */
async function withinLimit(
  begin: Promise<Begun | Answer>,
  token: string,
  context: EngineContext,
): Promise<Begun | Answer> {
  const unsent: Answer = {
    lines: [],
    hold_ms: Math.ceil(HOLD_MS * (0.5 + context.random())),
    unsent: token,
  };
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<Answer>((resolve) => {
    timer = setTimeout(resolve, BEGIN_LIMIT_MS, unsent);
  });
  try {
    return await Promise.race([begin, limit]);
  } catch (error) {
    if (isDatabaseUnavailable(error)) return unsent;
    throw error;
  } finally {
    clearTimeout(timer);
    begin.catch(() => undefined);
  }
}

async function begin(
  context: EngineContext,
  tx: Tx,
  record: RunRecord,
  ask: CallAsk,
  token: string,
): Promise<Begun> {
  const call = callOf(ask);
  const step = stepNamed(record.definition, ask.step);
  const state = callState(record.state, ask.step, ask.direction);
  const key = await readKey(tx, call);
  const answer = (grown: RunRecord, more: Partial<Answer> = {}): Begun => ({
    kind: 'answer',
    answer: { ...news(grown, ask), ...more },
  });
  const isOver = record.state.finishedAs !== null || key?.closedAt != null || isSettled(state);
  if (isOver) return answer(record);
  const row = await readAttempt(tx, call, ask.attempt);
  if (row?.state === 'sending') {
    return { kind: 'answer', answer: await settleSending(context, tx, record, ask, row) };
  }
  if (row !== undefined || ask.attempt !== state.attempt + 1) return answer(record);
  const stop = stopsForward(record, step, ask, state);
  if (stop !== null) return answer(record, stop === 'deadline' ? { stopped: stop } : {});
  if (hasExpired(context, record, step, key, state)) {
    const { step: name, direction } = ask;
    return answer(await appendFacts(tx, record, [{ kind: 'key-expired', step: name, direction }]));
  }
  return send(context, tx, record, ask, { step, key, token });
}

/** Why no forward work may begin, or an undo is not due; null when the attempt may be made. */
function stopsForward(
  record: RunRecord,
  step: StepDefinition,
  ask: CallAsk,
  state: CallState,
): 'turned' | 'deadline' | null {
  const { unwindingBecause, cancelAccepted } = record.state;
  if (ask.direction === 'undo') {
    const done = callState(record.state, ask.step, 'do').phase === 'done';
    return unwindingBecause !== null && done ? null : 'turned';
  }
  // Sending a key again to learn what happened is not forward work.
  if (step.place === 'after-pivot' || state.unknowns.length > 0) return null;
  if (cancelAccepted || unwindingBecause !== null) return 'turned';
  const late = record.deadlineAt !== null && record.now >= record.deadlineAt;
  return late ? 'deadline' : null;
}

/** After an unknown attempt a key is only sent again while the provider still promises to know it. */
function hasExpired(
  context: EngineContext,
  record: RunRecord,
  step: StepDefinition,
  key: KeyRow | undefined,
  state: CallState,
): boolean {
  const windowMs = context.sagas.keyWindowMs(step.at);
  if (state.unknowns.length === 0 || windowMs === null || key?.firstSentAt == null) return false;
  return record.now.getTime() >= key.firstSentAt.getTime() + windowMs;
}

interface Sending {
  readonly step: StepDefinition;
  readonly key: KeyRow | undefined;
  readonly token: string;
}

async function send(
  context: EngineContext,
  tx: Tx,
  record: RunRecord,
  ask: CallAsk,
  { step, key, token }: Sending,
): Promise<Begun> {
  const call = callOf(ask);
  const { input, sealed } = await callInput(context, tx, record, call, step, key);
  if (sealed !== null) await openKey(tx, call, sealed);
  const definition: CallDefinition = standing(record.state, step, ask.direction).call;
  const timeoutMs = context.callTimeoutMs ?? definition.timeoutMs;
  // Read before the row is written, so that this clock never allows more than the row does.
  const until = context.monotonicMs() + timeoutMs;
  const { attempt, direction } = ask;
  const { worker } = context;
  const sendBy = await insertAttempt(tx, call, { attempt, token, timeoutMs, worker });
  if (direction === 'undo') await closeKey(tx, { ...call, direction: 'do' });
  await appendFacts(tx, record, [{ kind: 'begun', step: step.name, direction, attempt }]);
  return { kind: 'send', input, sendBy, until };
}
