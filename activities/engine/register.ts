import { ApplicationFailure, Context } from '@temporalio/activity';
import { sqlState } from '../../src/engine/database/database.js';
import type { AnyAct } from '../../src/engine/saga/act.js';
import type {
  Answer,
  CallAsk,
  EngineActivities,
  FindAsk,
  RunAsk,
} from '../../src/engine/saga/activity-messages.js';
import type { Sagas } from '../../src/engine/sagas.js';
import { recordSealed } from './end-attempt.js';
import type { Calling, EngineContext } from './engine-context.js';
import { findActivity } from './find-activity.js';
import { holdForDesk, RecordIsOlder } from './own-run.js';
import { readAttemptOf } from './read-attempt.js';
import { stepActivity } from './step-activity.js';
import { finishRun, noteCancel, openCase, readJournalOf, retryNow, unwindRun } from './turn-run.js';

/** The engine's own activities: Postgres only, safe to retry without limit. */
export function createEngineActivities(context: EngineContext): EngineActivities {
  return {
    record: reporting(context, (calling, ask) => recordSealed(context, calling, ask)),
    'read-attempt': reporting(context, (calling, ask) => readAttemptOf(context, calling, ask)),
    'read-journal': reporting(context, (calling, ask) => readJournalOf(context, calling, ask)),
    unwind: reporting(context, (calling, ask) => unwindRun(context, calling, ask)),
    finish: reporting(context, (calling, ask) => finishRun(context, calling, ask)),
    'open-case': reporting(context, (calling, ask) => openCase(context, calling, ask)),
    'note-cancel': reporting(context, (calling, ask) => noteCancel(context, calling, ask)),
    'retry-now': reporting(context, (calling, ask) => retryNow(context, calling, ask)),
  };
}

type ProviderActivity = (ask: CallAsk & FindAsk) => Promise<Answer>;

/**
 * The activities of one provider's task queue: every act, undo and find at it, under its name. The
 * server may make one attempt of each and no more, because its retries would hide what an earlier
 * attempt did.
 */
export function createProviderActivities(
  context: EngineContext,
  provider: string,
): Readonly<Record<string, ProviderActivity>> {
  const acts = Object.entries(context.sagas.set.acts);
  const here = acts.filter(([name]) => providerOf(context.sagas, name) === provider);
  return Object.fromEntries(here.map(([name, act]) => [name, providerActivity(context, act)]));
}

function providerActivity(context: EngineContext, act: AnyAct): ProviderActivity {
  return act.kind === 'find'
    ? reporting(context, (calling, ask) => findActivity(context, calling, act, ask))
    : reporting(context, (calling, ask) => stepActivity(context, calling, act, ask));
}

/** An undo and a find go where the act goes that they are of. */
function providerOf(sagas: Sagas, name: string): string {
  const act = sagas.act(name);
  return act.kind === 'act' ? act.provider : providerOf(sagas, act.of);
}

/** Ten times in the heartbeat's time-out: a busy machine may miss several. */
const HEARTBEAT_EVERY_MS = 1_000;

/**
 * Gives signs of life while `work` is at it, puts a run on the desk whose record turns out to be an
 * older one, and turns whatever it throws into a code: messages of
 * errors reach Temporal's history, and nobody has read them for names and addresses.
 */
function reporting<Ask extends RunAsk>(
  context: EngineContext,
  work: (calling: Calling, ask: Ask) => Promise<Answer>,
): (ask: Ask) => Promise<Answer> {
  return async (ask) => {
    const activity = Context.current();
    const beat = setInterval(() => activity.heartbeat(), HEARTBEAT_EVERY_MS);
    const execution = activity.info.workflowExecution?.runId ?? '';
    try {
      return await work({ execution }, ask);
    } catch (error) {
      if (error instanceof RecordIsOlder) await holdForDesk(context, { execution }, ask, error);
      throw failureOf(error);
    } finally {
      clearInterval(beat);
    }
  };
}

const FOR_GOOD = new Set(['StrayExecution']);

function failureOf(error: unknown): ApplicationFailure {
  const state = sqlState(error);
  const name = error instanceof Error ? error.name : 'Thrown';
  const code = state === undefined ? name : `postgres-${state}`;
  const failure = ApplicationFailure.create({
    message: code,
    type: code,
    nonRetryable: FOR_GOOD.has(name),
  });
  // The stack begins with the message of the error that it was made from.
  delete failure.stack;
  return failure;
}
