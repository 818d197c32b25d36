import { setTimeout as pause } from 'node:timers/promises';
import { inTransaction } from '../../src/engine/database/database.js';
import { newId } from '../../src/engine/ids.js';
import { safeCode, safeId } from '../../src/engine/journal/names-only.js';
import { growBy, type RunChange } from '../../src/engine/journal/run-change.js';
import { applyChange, tryChange } from '../../src/engine/journal/run-change.store.js';
import { attemptOf, tryingMs, type RunRecord } from '../../src/engine/journal/run-record.js';
import { openRun } from '../../src/engine/journal/run-record.store.js';
import { outcomePlace, valuePlace } from '../../src/engine/journal/sealed-places.js';
import type { Answer, CallAsk, RecordAsk } from '../../src/engine/saga/activity-messages.js';
import { stepNamed } from '../../src/engine/saga/definition.js';
import type { EndedAs, Fact } from '../../src/engine/saga/journal.js';
import { movesOf } from '../../src/engine/saga/next-moves.js';
import type { Outcome } from '../../src/engine/saga/outcome.js';
import { waitMs } from '../../src/engine/saga/retry-policy.js';
import { callState, standing } from '../../src/engine/saga/run-state.js';
import { countEnd } from './count-end.js';
import type { Calling, EngineContext } from './engine-context.js';
import { news, RecordIsOlder } from './own-run.js';

/** Long enough for Postgres to restart; after it Temporal carries the outcome, sealed. */
const END_LIMIT_MS = 5_000;
const END_PAUSE_MS = 200;

/**
 * Writes what an attempt came to. Tried until it stands or the limit has passed; then the answer
 * carries the outcome sealed, and `record` must write it before anything else is done. So an
 * outcome that this process has seen is lost only with the process.
 */
export async function endAttempt(
  context: EngineContext,
  calling: Calling,
  ask: CallAsk,
  outcome: Outcome<unknown>,
): Promise<Answer> {
  const limit = context.monotonicMs() + END_LIMIT_MS;
  for (let tries = 1; ; tries += 1) {
    try {
      return await recordOutcome(context, calling, ask, outcome);
    } catch {
      // A process that stood still has used up the time without having tried.
      const isOver = tries > 1 && context.monotonicMs() + END_PAUSE_MS >= limit;
      if (isOver) return sealedAnswer(context, ask, outcome);
      await pause(END_PAUSE_MS);
    }
  }
}

function sealedAnswer(context: EngineContext, ask: CallAsk, outcome: Outcome<unknown>): Answer {
  context.meters.unrecorded('end');
  const sealed = context.sealer.seal(outcome, outcomePlace(ask, ask.attempt));
  return { lines: [], sealed: sealed.toString('base64') };
}

/** Opens an outcome that could not be written where it was seen, and writes it. */
export function recordSealed(
  context: EngineContext,
  calling: Calling,
  ask: RecordAsk,
): Promise<Answer> {
  const sealed = Buffer.from(ask.sealed, 'base64');
  const outcome = context.sealer.open(sealed, outcomePlace(ask, ask.attempt)) as Outcome<unknown>;
  return recordOutcome(context, calling, ask, outcome);
}

/**
 * A fact is a fact: it is written whichever execution brings it, and whatever was decided since.
 */
async function recordOutcome(
  context: EngineContext,
  calling: Calling,
  ask: CallAsk,
  outcome: Outcome<unknown>,
): Promise<Answer> {
  const { database, known, sagas } = context;
  const change = (record: RunRecord): RunChange | null =>
    endOf(context, calling, record, ask, outcome);
  const remembered = known.take(ask.run);
  // How long it has been tried is told by the database's clock, which a memory does not have.
  if (remembered !== undefined && (outcome.kind === 'done' || outcome.kind === 'refused')) {
    const ended = change(remembered);
    const changed = ended && (await tryChange(database, remembered, ended));
    if (changed !== null) {
      known.keep(changed);
      countEnd(context, remembered, changed);
      return news(changed, ask);
    }
  }
  const { before, after } = await inTransaction(database, async (tx) => {
    const record = await openRun(tx, sagas, ask.run);
    const ended = change(record);
    const changed = ended === null ? record : await applyChange(tx, record, ended);
    return { before: record, after: changed };
  });
  countEnd(context, before, after);
  return news(after, ask);
}

/** What the outcome of an attempt changes; null when the attempt was settled before. */
function endOf(
  context: EngineContext,
  calling: Calling,
  record: RunRecord,
  ask: CallAsk,
  outcome: Outcome<unknown>,
): RunChange | null {
  const before = attemptOf(record, ask)?.state;
  if (before === undefined) throw new RecordIsOlder(`attempt ${ask.attempt} was made`);
  const ended = endedAs(context, record, ask, outcome);
  // A late fact says more than "unknown" did.
  const isOpen = before === 'sending' || (before === 'unknown' && ended.outcome !== 'unknown');
  if (!isOpen) return null;
  const { step, direction, attempt } = ask;
  const of = { step, direction };
  const isOwner = record.execution === calling.execution;
  const fact: Fact = { kind: 'ended', ...of, attempt, ...ended };
  const providerId = ended.outcome === 'done' ? ended.provider_id : null;
  return {
    facts: isOwner ? closing(record, fact) : [fact],
    ended: { ...of, attempt, state: ended.outcome, detail: detailOf(ended), providerId },
    ...(outcome.kind === 'done' && {
      keys: [{ ...of, value: context.sealer.seal(outcome.value, valuePlace(ask)), providerId }],
    }),
    // Where nobody waits for this answer any more the driver is told to read the journal.
    looks: before === 'unknown' || !isOwner,
  };
}

/**
 * The end of an attempt, with what follows from it and the end of the run where it leaves nothing
 * else to do: that needs no activity of its own. A cancelled run ends by one, since Temporal's own
 * cancel is still on its way to it.
 */
function closing(record: RunRecord, fact: Fact): readonly Fact[] {
  const { lines, state } = growBy(record, [fact], () => newId('case'));
  const [move, ...others] = movesOf(state, []);
  const closes = move?.kind === 'finish' && move.as !== 'cancelled' && others.length === 0;
  if (!closes) return [fact];
  const added = lines.slice(record.lines.length).map(({ seq: _number, ...line }): Fact => line);
  return [...added, { kind: 'finished', as: move.as }];
}

function endedAs(
  context: EngineContext,
  record: RunRecord,
  ask: CallAsk,
  outcome: Outcome<unknown>,
): EndedAs {
  if (outcome.kind === 'done') return { outcome: 'done', provider_id: safeId(outcome.value) };
  if (outcome.kind === 'refused') return { outcome: 'refused', code: safeCode(outcome.code) };
  const step = stepNamed(record.definition, ask.step);
  const { retry } = standing(record.state, step, ask.direction).call;
  const used = callState(record.state, ask.step, ask.direction).used + 1;
  const retryMs = waitMs(used, retry, outcome.afterMs, context.random);
  const times = { retry_ms: retryMs, trying_ms: tryingMs(record, ask) };
  return outcome.kind === 'again'
    ? { outcome: 'again', reason: safeCode(outcome.reason), counts: true, ...times }
    : { outcome: 'unknown', cause: safeCode(outcome.cause), ...times };
}

function detailOf(ended: EndedAs): string | null {
  switch (ended.outcome) {
    case 'done':
      return null;
    case 'refused':
      return ended.code;
    case 'again':
      return ended.reason;
    case 'unknown':
      return ended.cause;
  }
}
