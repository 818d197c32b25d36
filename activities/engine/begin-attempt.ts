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
  type KeyRow,
} from '../../src/engine/journal/attempts.store.js';
import { appendFacts, type RunRecord } from '../../src/engine/journal/run-record.store.js';
import type { Answer, CallAsk } from '../../src/engine/saga/activity-messages.js';
import { stepNamed, type StepDefinition } from '../../src/engine/saga/definition.js';
import { hindranceTo } from '../../src/engine/saga/hindrance.js';
import { standing } from '../../src/engine/saga/run-state.js';
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
 * send and until when by the monotonic clock (`until`, milliseconds); or, where nothing may be
 * sent, the answer for the driver. Safe to run again: an attempt is begun once.
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
  const key = await readKey(tx, call);
  const answer = (grown: RunRecord, more: Partial<Answer> = {}): Begun => ({
    kind: 'answer',
    answer: { ...news(grown, ask), ...more },
  });
  if (record.state.finishedAs !== null || key?.closedAt != null) return answer(record);
  const row = await readAttempt(tx, call, ask.attempt);
  if (row?.state === 'sending') {
    return { kind: 'answer', answer: await settleSending(context, tx, record, ask, row) };
  }
  if (row !== undefined) return answer(record);
  const hindrance = hindranceTo(record.state, ask, {
    deadlineHasPassed: record.deadlineAt !== null && record.now >= record.deadlineAt,
    keyIsTooOld: isTooOld(context, record, step, ask, key),
  });
  switch (hindrance) {
    case null:
      return send(context, tx, record, ask, { step, key, token });
    case 'over':
    case 'turned':
      return answer(record);
    case 'deadline':
      return answer(record, { stopped: hindrance });
    case 'key-too-old': {
      const { direction } = ask;
      const fact = { kind: 'key-expired', step: step.name, direction } as const;
      return answer(await appendFacts(tx, record, [fact]));
    }
  }
}

/**
 * Whether an attempt begun now could arrive when the provider has forgotten the key: it promises to
 * know one for so long after the first sending, and an attempt may land until `send_by` +
 * `settles`.
 */
function isTooOld(
  context: EngineContext,
  record: RunRecord,
  step: StepDefinition,
  ask: CallAsk,
  key: KeyRow | undefined,
): boolean {
  const windowMs = context.sagas.keyWindowMs(step.at);
  if (windowMs === null || key?.firstSentAt == null) return false;
  const mayTakeMs = timeoutOf(context, record, step, ask) + context.sagas.settlesMs(step.at);
  return record.now.getTime() + mayTakeMs >= key.firstSentAt.getTime() + windowMs;
}

function timeoutOf(
  context: EngineContext,
  record: RunRecord,
  step: StepDefinition,
  { direction }: CallAsk,
): number {
  return context.callTimeoutMs ?? standing(record.state, step, direction).call.timeoutMs;
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
  const timeoutMs = timeoutOf(context, record, step, ask);
  // Read before the row is written, so that this clock never allows more than the row does.
  const until = context.monotonicMs() + timeoutMs;
  const { attempt, direction } = ask;
  const { worker } = context;
  const sendBy = await insertAttempt(tx, call, { attempt, token, timeoutMs, worker });
  if (direction === 'undo') await closeKey(tx, { ...call, direction: 'do' });
  await appendFacts(tx, record, [{ kind: 'begun', step: step.name, direction, attempt }]);
  return { kind: 'send', input, sendBy, until };
}
