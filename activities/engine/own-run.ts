import { inTransaction, type Tx } from '../../src/engine/database/database.js';
import { openRun, linesAfter, type RunRecord } from '../../src/engine/journal/run-record.store.js';
import { claimExecution } from '../../src/engine/runs/execution.store.js';
import type { Answer, RunAsk } from '../../src/engine/saga/activity-messages.js';
import type { Calling, EngineContext } from './engine-context.js';

/** Thrown when an execution that is no longer the current one still asks for work. */
export class StrayExecution extends Error {
  override readonly name = 'StrayExecution';
}

/**
 * Runs `work` in one transaction with the run's row locked, if the calling execution is the one
 * that works on the run. After a reset, a restart or a continue-as-new it is not: then Temporal is
 * asked, outside of any transaction, which execution is current, the current one takes the run
 * over, and instead of doing its work it is answered what it does not know yet. Throws
 * StrayExecution for one that is not current, RunNotFound, UnknownSaga.
 */
export async function asOwner<Result>(
  context: EngineContext,
  calling: Calling,
  ask: RunAsk,
  work: (tx: Tx, record: RunRecord) => Promise<Result>,
): Promise<Result | Answer> {
  const first = await inTransaction(context.database, async (tx) => {
    const record = await openRun(tx, context.sagas, ask.run);
    if (record.execution !== null && record.execution !== calling.execution) {
      return { foreign: record.execution };
    }
    if (record.execution === null) await claimExecution(tx, ask.run, null, calling.execution);
    return { result: await work(tx, record) };
  });
  if ('result' in first) return first.result;
  return takeOver(context, calling, ask, first.foreign);
}

async function takeOver(
  context: EngineContext,
  calling: Calling,
  ask: RunAsk,
  foreign: string,
): Promise<Answer> {
  const current = await context.currentExecution(ask.run);
  if (current !== calling.execution) {
    throw new StrayExecution('another execution works on this run');
  }
  return inTransaction(context.database, async (tx) => {
    const record = await openRun(tx, context.sagas, ask.run);
    await claimExecution(tx, ask.run, foreign, calling.execution);
    return news(record, ask);
  });
}

/** What the driver does not know yet. */
export function news(record: RunRecord, ask: RunAsk): Answer {
  return { lines: linesAfter(record, ask.knows) };
}
