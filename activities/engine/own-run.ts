import { inTransaction, type Tx } from '../../src/engine/database/database.js';
import { applyChange, tryChange } from '../../src/engine/journal/run-change.store.js';
import type { RunChange } from '../../src/engine/journal/run-change.js';
import { linesAfter, type RunRecord } from '../../src/engine/journal/run-record.js';
import { openRun, readRecord } from '../../src/engine/journal/run-record.store.js';
import { claimExecution } from '../../src/engine/runs/execution.store.js';
import { holdOlder, lackedBy, type OlderRecord } from '../../src/engine/runs/older-record.store.js';
import type { Answer, RunAsk } from '../../src/engine/saga/activity-messages.js';
import { markOf } from '../../src/engine/saga/journal-mark.js';
import type { JournalLine } from '../../src/engine/saga/journal.js';
import type { Calling, EngineContext } from './engine-context.js';

/** Thrown when an execution that is no longer the current one still asks for work. */
export class StrayExecution extends Error {
  override readonly name = 'StrayExecution';
}

/**
 * Thrown when the record lacks what Temporal knows: it was restored from an older copy. The message
 * says what that is, in names and numbers.
 */
export class RecordIsOlder extends Error {
  override readonly name = 'RecordIsOlder';

  /** `known`: the lines of the execution in question; null: it is the one that calls. */
  constructor(
    message: string,
    readonly known: readonly JournalLine[] | null = null,
  ) {
    super(message);
  }
}

/** What is to be changed in a run, and what is answered once that stands; or only an answer. */
export type Decision<Result> = Changing<Result> | { readonly answer: Result };

interface Changing<Result> {
  readonly change: RunChange;
  readonly then: (changed: RunRecord) => Result;
}

/**
 * Decides about a run by its record and writes what was decided, if the calling execution is the
 * one that works on the run. It is decided first by what this process remembers of the run, then by
 * what is read anew, each time without a lock: the statement that writes it sees that nothing has
 * changed since. Only where something did is the row locked and decided once more. So `decide` may
 * be asked several times, and must do nothing else. `isEnough` tells whether a memory, whose `now`
 * is of the past, is good enough to decide by. Throws as `asOwner` does.
 */
export async function changeAsOwner<Result>(
  context: EngineContext,
  calling: Calling,
  ask: RunAsk,
  decide: (record: RunRecord) => Decision<Result>,
  isEnough: (remembered: RunRecord) => boolean = () => false,
): Promise<Result | Answer> {
  const { database, known, sagas } = context;
  const change = async (record: RunRecord, decision: Changing<Result>) => {
    const taken = { takenBy: calling.execution, ...decision.change };
    const changed = await tryChange(database, record, taken);
    if (changed === null) return null;
    known.keep(changed);
    return { result: decision.then(changed) };
  };
  const remembered = known.take(ask.run);
  const isUsable =
    remembered !== undefined && isOwner(remembered, calling, ask) && knowsAsMuch(remembered, ask);
  if (isUsable && isEnough(remembered)) {
    const decision = decide(remembered);
    const changed = 'change' in decision ? await change(remembered, decision) : null;
    if (changed !== null) return changed.result;
  }
  const read = await readRecord(database, sagas, ask.run);
  refuseOlder(read, calling, ask);
  if (isOwner(read, calling, ask)) {
    const decision = decide(read);
    // Whoever comes first takes the run, with whatever it does.
    if ('answer' in decision && read.execution !== null) return decision.answer;
    const changed = 'change' in decision ? await change(read, decision) : null;
    if (changed !== null) return changed.result;
  }
  return asOwner(context, calling, ask, async (tx, record) => {
    const decision = decide(record);
    if ('answer' in decision) return decision.answer;
    // Its time was looked at just now, and while the row is locked nothing else can happen.
    return decision.then(await applyChange(tx, record, { ...decision.change, before: null }));
  });
}

/** What an older record says is not decided by: it has forgotten what was done. */
function refuseOlder(record: RunRecord, { execution }: Calling, ask: RunAsk): void {
  if (knowsAsMuch(record, ask)) return;
  throw new RecordIsOlder(`its execution ${execution} knows a journal of ${ask.knows} lines`);
}

/**
 * Puts a run on the desk whose record is older than what its execution knows, so that somebody
 * hears of it: the execution itself can only try again. Never throws: who tries again comes here.
 */
export async function holdForDesk(
  context: EngineContext,
  { execution }: Calling,
  ask: RunAsk & Partial<NonNullable<OlderRecord['of']>>,
  older: RecordIsOlder,
): Promise<void> {
  const { run, step, direction } = ask;
  const of = step === undefined || direction === undefined ? null : { step, direction };
  try {
    if ((await context.currentExecution(run)) !== execution) return;
    const known = older.known ?? (await linesKnownTo(context, run, execution));
    await inTransaction(context.database, async (tx) => {
      const record = await openRun(tx, context.sagas, run);
      await holdOlder(tx, record, { who: 'worker', evidence: older.message, known, of });
    });
  } catch {
    return;
  }
}

async function linesKnownTo(
  { learned }: EngineContext,
  run: string,
  execution: string,
): Promise<readonly JournalLine[]> {
  const all = await learned(run, [execution]);
  return all.find(({ runId }) => runId === execution)?.lines ?? [];
}

/** It has grown anew since it was restored, where it has other lines in the place of ours. */
function knowsAsMuch({ lines, state }: RunRecord, { knows, mark }: RunAsk): boolean {
  return knows <= state.lastSeq && (mark === undefined || mark === markOf(lines, knows));
}

/** One that was reset does not take a run as the first: somebody has worked on it before. */
function isOwner({ execution }: RunRecord, calling: Calling, ask: RunAsk): boolean {
  return execution === calling.execution || (execution === null && ask.succeeds !== true);
}

/**
 * Runs `work` in one transaction with the run's row locked, if the calling execution is the one
 * that works on the run. After a reset, a restart or a continue-as-new it is not: then Temporal is
 * asked, outside of any transaction, which execution is current, the current one takes the run
 * over, and instead of doing its work it is answered what it does not know yet. Throws
 * StrayExecution for one that is not current, RunNotFound, UnknownSaga, and RecordIsOlder when any
 * execution of the run knows more than the record.
 */
export async function asOwner<Result>(
  context: EngineContext,
  calling: Calling,
  ask: RunAsk,
  work: (tx: Tx, record: RunRecord) => Promise<Result>,
): Promise<Result | Answer> {
  const first = await inTransaction(context.database, async (tx) => {
    const record = await openRun(tx, context.sagas, ask.run);
    refuseOlder(record, calling, ask);
    if (!isOwner(record, calling, ask)) return { foreign: record.execution };
    const { execution } = calling;
    if (record.execution === null) await claimExecution(tx, ask.run, null, execution);
    return { result: await work(tx, { ...record, execution }) };
  });
  if ('result' in first) return first.result;
  return takeOver(context, calling, ask, first.foreign);
}

async function takeOver(
  context: EngineContext,
  calling: Calling,
  ask: RunAsk,
  foreign: string | null,
): Promise<Answer> {
  const current = await context.currentExecution(ask.run);
  if (current !== calling.execution) {
    throw new StrayExecution('another execution works on this run');
  }
  const before = foreign === null ? [] : [foreign];
  const learned = await context.learned(ask.run, [current, ...before]);
  return inTransaction(context.database, async (tx) => {
    const lacks = await lackedBy(tx, ask.run, learned);
    if (lacks !== null) throw new RecordIsOlder(lacks.evidence, lacks.known);
    const record = await openRun(tx, context.sagas, ask.run);
    await claimExecution(tx, ask.run, foreign, calling.execution);
    return { ...news(record, ask), taken: true };
  });
}

/** What the driver does not know yet. */
export function news(record: RunRecord, ask: RunAsk): Answer {
  return { lines: linesAfter(record, ask.knows) };
}
