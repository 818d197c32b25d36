import { randomUUID } from 'node:crypto';
import { isDatabaseUnavailable } from '../../src/engine/database/unavailable.js';
import type { KeyChange } from '../../src/engine/journal/run-change.js';
import {
  attemptOf,
  keyOf,
  type KeyRow,
  type RunRecord,
} from '../../src/engine/journal/run-record.js';
import type { Answer, CallAsk } from '../../src/engine/saga/activity-messages.js';
import { stepNamed, type StepDefinition } from '../../src/engine/saga/definition.js';
import { hindranceTo } from '../../src/engine/saga/hindrance.js';
import { standing } from '../../src/engine/saga/run-state.js';
import { callInput } from './call-input.js';
import { shortened, type Calling, type EngineContext } from './engine-context.js';
import { changeAsOwner, news, type Decision } from './own-run.js';
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
 * the first attempt the sealed input, all in one statement that finds the run as the decision had
 * it, by the last line of its journal, and the deadline not passed by its own clock. Answers what
 * to send and until when by the monotonic clock (`until`, milliseconds); or, where nothing may be
 * sent, the answer for the driver. Safe to run again: an attempt is begun once.
 */
export async function beginAttempt(
  context: EngineContext,
  calling: Calling,
  ask: CallAsk,
): Promise<Begun> {
  const token = randomUUID();
  const begun = await withinLimit(
    changeAsOwner(
      context,
      calling,
      ask,
      (record) => begin(context, record, ask, token),
      (remembered) => attemptOf(remembered, ask) === undefined,
    ),
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
    const first = await Promise.race([begin, limit]);
    if (first === unsent) context.meters.unrecorded('begin');
    return first;
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    context.meters.unrecorded('begin');
    return unsent;
  } finally {
    clearTimeout(timer);
    begin.catch(() => undefined);
  }
}

function begin(
  context: EngineContext,
  record: RunRecord,
  ask: CallAsk,
  token: string,
): Decision<Begun> {
  const step = stepNamed(record.definition, ask.step);
  const key = keyOf(record, ask);
  const answer = (more: Partial<Answer> = {}): Decision<Begun> => ({
    answer: { kind: 'answer', answer: { ...news(record, ask), ...more } },
  });
  if (record.state.finishedAs !== null || key?.closedAt != null) return answer();
  const row = attemptOf(record, ask);
  if (row?.state === 'sending') {
    const settled = settleSending(context, record, ask, row);
    if ('answer' in settled) return { answer: { kind: 'answer', answer: settled.answer } };
    const { change, then } = settled;
    return { change, then: (changed) => ({ kind: 'answer', answer: then(changed) }) };
  }
  if (row !== undefined) return answer();
  const tooOldAt = keyTooOldAt(context, record, step, ask, key);
  const hindrance = hindranceTo(record.state, ask, {
    deadlineHasPassed: hasPassed(record, record.deadlineAt),
    keyIsTooOld: hasPassed(record, tooOldAt),
  });
  switch (hindrance) {
    case null:
      return send(context, record, ask, { step, key, token, tooOldAt });
    case 'over':
    case 'turned':
      return answer();
    case 'deadline':
      return answer({ stopped: hindrance });
    case 'key-too-old': {
      const { direction } = ask;
      return {
        change: { facts: [{ kind: 'key-expired', step: step.name, direction }] },
        then: (changed) => ({ kind: 'answer', answer: news(changed, ask) }),
      };
    }
  }
}

function hasPassed({ now }: RunRecord, time: Date | null): boolean {
  return time !== null && now >= time;
}

/**
 * From when on an attempt that is begun could arrive after the provider has forgotten the key: it
 * promises to know one for so long after the first sending, and an attempt may land until `send_by`
 * + `settles`. Null: never.
 */
function keyTooOldAt(
  context: EngineContext,
  record: RunRecord,
  step: StepDefinition,
  ask: CallAsk,
  key: KeyRow | undefined,
): Date | null {
  const windowMs = context.sagas.keyWindowMs(step.at);
  if (windowMs === null || key?.firstSentAt == null) return null;
  const mayTakeMs = timeoutOf(context, record, step, ask) + context.sagas.settlesMs(step.at);
  return new Date(key.firstSentAt.getTime() + windowMs - mayTakeMs);
}

function timeoutOf(
  context: EngineContext,
  record: RunRecord,
  step: StepDefinition,
  { direction }: CallAsk,
): number {
  return shortened(context, standing(record.state, step, direction).call.timeoutMs);
}

interface Sending {
  readonly step: StepDefinition;
  readonly key: KeyRow | undefined;
  readonly token: string;
  readonly tooOldAt: Date | null;
}

function send(
  context: EngineContext,
  record: RunRecord,
  ask: CallAsk,
  { step, key, token, tooOldAt }: Sending,
): Decision<Begun> {
  const { direction, attempt } = ask;
  const of = { step: step.name, direction };
  const { input, sealed } = callInput(context, record, ask, step, key);
  const opened: KeyChange = { ...of, sent: true, ...(sealed === null ? {} : { input: sealed }) };
  const closed: KeyChange = { step: step.name, direction: 'do', closes: true };
  const timeoutMs = timeoutOf(context, record, step, ask);
  // Read before the row is written, so that this clock never allows more than the row does.
  const until = context.monotonicMs() + timeoutMs;
  return {
    change: {
      facts: [{ kind: 'begun', ...of, attempt }],
      keys: direction === 'undo' ? [opened, closed] : [opened],
      begun: { ...of, attempt, token, timeoutMs, worker: context.worker },
      before: lastMoment(record, ask, tooOldAt),
    },
    then: (changed) => {
      const row = attemptOf(changed, ask);
      if (row === undefined) throw new RangeError('an attempt was begun and has no row');
      return { kind: 'send', input, sendBy: row.sendBy, until };
    },
  };
}

/** Until when, by the database's clock, no time hinders this attempt; null: none ever does. */
function lastMoment(record: RunRecord, ask: CallAsk, tooOldAt: Date | null): Date | null {
  const would = (times: { deadlineHasPassed: boolean; keyIsTooOld: boolean }): boolean =>
    hindranceTo(record.state, ask, times) !== null;
  const ends = [
    would({ deadlineHasPassed: true, keyIsTooOld: false }) ? record.deadlineAt : null,
    would({ deadlineHasPassed: false, keyIsTooOld: true }) ? tooOldAt : null,
  ];
  const times = ends.flatMap((end) => (end === null ? [] : [end.getTime()]));
  return times.length === 0 ? null : new Date(Math.min(...times));
}
