import { appendFacts } from '../../src/engine/journal/run-change.store.js';
import { ticksOf, type RunRecord } from '../../src/engine/journal/run-record.js';
import type {
  Answer,
  FinishAsk,
  OpenCaseAsk,
  RunAsk,
  UnwindAsk,
} from '../../src/engine/saga/activity-messages.js';
import { newId } from '../../src/engine/ids.js';
import { cancelOpenRun } from '../../src/engine/runs/cancel-run.store.js';
import { retryOpenRun } from '../../src/engine/runs/retry-run.store.js';
import { movesOf, turnsBackBecause, type Move } from '../../src/engine/saga/next-moves.js';
import { countEnd } from './count-end.js';
import type { Calling, EngineContext } from './engine-context.js';
import { asOwner, news } from './own-run.js';

/** Brings the driver's copy of the journal up to date. */
export function readJournalOf(
  context: EngineContext,
  calling: Calling,
  ask: RunAsk,
): Promise<Answer> {
  return asOwner(context, calling, ask, (_tx, record) => Promise.resolve(news(record, ask)));
}

/**
 * Turns the run back, in one transaction: the cause is written once, and the keys of what is not
 * begun or only waiting are closed. An accepted cancel wins over every other cause. A deadline
 * counts only when it has passed by the database's clock; before that the answer is to come again.
 */
export function unwindRun(
  context: EngineContext,
  calling: Calling,
  ask: UnwindAsk,
): Promise<Answer> {
  return asOwner(context, calling, ask, async (tx, record) => {
    const because = turnsBackBecause(record.state, ticksOf(record));
    if (because !== null) {
      return news(await appendFacts(tx, record, [{ kind: 'unwinding', because }]), ask);
    }
    const answer = news(record, ask);
    if (ask.because !== 'deadline' || record.deadlineAt === null) return answer;
    const earlyMs = record.deadlineAt.getTime() - record.now.getTime();
    return earlyMs > 0 ? { ...answer, hold_ms: earlyMs } : answer;
  });
}

/** Ends the run, if the record says so too; a second time changes nothing. */
export async function finishRun(
  context: EngineContext,
  calling: Calling,
  ask: FinishAsk,
): Promise<Answer> {
  const ends: { before: RunRecord; after: RunRecord }[] = [];
  const answer = await asOwner(context, calling, ask, async (tx, record) => {
    const move = theMove(record, 'finish');
    if (move?.kind !== 'finish' || move.as !== ask.as) return news(record, ask);
    const after = await appendFacts(tx, record, [{ kind: 'finished', as: move.as }]);
    ends.push({ before: record, after });
    return news(after, ask);
  });
  // A transaction that was tried again ended the run once.
  const last = ends.at(-1);
  if (last !== undefined) countEnd(context, last.before, last.after);
  return answer;
}

/** Puts a problem on the desk, if the record shows it too; a second time changes nothing. */
export function openCase(
  context: EngineContext,
  calling: Calling,
  ask: OpenCaseAsk,
): Promise<Answer> {
  return asOwner(context, calling, ask, async (tx, record) => {
    const { step, direction, problem } = ask;
    const due = movesOf(record.state, []).some(
      (move) =>
        move.kind === 'open-case' &&
        move.step === step &&
        move.direction === direction &&
        move.problem === problem,
    );
    if (!due) return news(record, ask);
    const opened = { kind: 'case-opened', case: newId('case'), step, direction, problem } as const;
    return news(await appendFacts(tx, record, [opened]), ask);
  });
}

/**
 * Somebody asked Temporal itself to cancel the run, or it delivers a cancel that was accepted
 * before. The same row decides as for a cancel over HTTP; a refusal is put on record.
 */
export function noteCancel(context: EngineContext, calling: Calling, ask: RunAsk): Promise<Answer> {
  return asOwner(context, calling, ask, async (tx, opened) => {
    // It only delivers what is on record, however the run has gone on since.
    if (opened.state.cancelAccepted) return news(opened, ask);
    const { answer, record } = await cancelOpenRun(tx, opened, { by: 'temporal', who: 'temporal' });
    if (answer === 'accepted' || answer === 'unchanged') return news(record, ask);
    return news(await appendFacts(tx, record, [{ kind: 'cancel-refused', why: answer }]), ask);
  });
}

/**
 * Somebody said "now" to the workflow. It goes through the record like everything that a person
 * does, and changes nothing where nothing waits for its time.
 */
export function retryNow(context: EngineContext, calling: Calling, ask: RunAsk): Promise<Answer> {
  return asOwner(context, calling, ask, async (tx, opened) => {
    const { record } = await retryOpenRun(tx, opened, { by: 'temporal', who: 'temporal' });
    return news(record, ask);
  });
}

function theMove(record: RunRecord, kind: Move['kind']): Move | undefined {
  return movesOf(record.state, ticksOf(record)).find((move) => move.kind === kind);
}
