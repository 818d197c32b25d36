import { inTransaction, type Database } from '../database/database.js';
import { openRun } from '../journal/run-record.store.js';
import { keepClaimDays } from '../idempotency/claim-days.process.js';
import { releaseLease, tryLease } from '../locks/lease.store.js';
import { startLoop, type Loop, type Turn } from '../outbox/loop.process.js';
import { deleteSentMessages } from '../outbox/sent-messages.store.js';
import { deleteOverQuotes } from '../quotes/quotes.store.js';
import { UnknownSaga, type Definitions } from '../sagas.js';
import { logChanges } from '../telemetry/change-log.js';
import { countTurns } from '../telemetry/count-turns.js';
import type { Logger } from '../telemetry/logger.js';
import { UNWATCHED, type RelayMeters } from '../telemetry/meters.js';
import { deleteGoneWorkers } from '../worker/gone-workers.store.js';
import { createCensus } from './census.process.js';
import { holdOlder, lackedBy, type Lack } from './older-record.store.js';
import {
  lookAgainIn,
  recordStartAgain,
  silentRuns,
  type LostExecution,
  SWEEP_LEASE,
  type SilentRun,
} from './sweep.store.js';
import {
  DRIVER,
  isStalled,
  TemporalFault,
  type ClosedAs,
  type Execution,
  type TemporalRuns,
} from './temporal-runs.js';

export interface SweepSettings {
  readonly database: Database;
  readonly temporal: TemporalRuns;
  readonly sagas: Definitions;
  readonly log: Logger;
  /** @default nobody watches */
  readonly meters?: RelayMeters;
  /** Names this process among all that ever sweep. */
  readonly holder: string;
}

/** A run is looked at at most this late; the question costs one look into an index. */
const SWEEP_EVERY_MS = 1_000;
const CLEAN_EVERY_MS = 60_000;
/** Described side by side. */
const BATCH = 20;
/** A batch may last 3 s of Temporal, twice, and 8 s of Postgres: the lease outlives it. */
const LEASE_MS = 20_000;
/** A run that waits for a person for days is asked after four times an hour. */
const LONGEST_WAIT_MS = 15 * 60_000;
/** Long after any time-out by which a worker counts as gone, so that people can still see it. */
const WORKER_KEPT_MS = 3_600_000;
/** A message that was sent stays for a day, for whoever asks why a run was told something. */
const SENT_KEPT_MS = 24 * 3_600_000;
/** As long as the answer that told of it is replayed, what became of a quote can be read. */
const QUOTE_KEPT_MS = 7 * 24 * 3_600_000;
const CLEANED_BATCH = 500;

/**
 * Looks after runs that had no news for a while, and clears away what is over. It runs outside of
 * Temporal, which it watches: a run whose execution was terminated, deleted or lost with its server
 * is started again, from its journal, and so is one that cannot go on, because another driver has
 * begun it. Once a minute it counts who is in Temporal and not in the record. Any number may run: a
 * lease lets one at a time.
 */
export function startSweep(settings: SweepSettings): Loop {
  let cleanAt = 0;
  const claimDays = keepClaimDays(settings.database, settings.log);
  const census = createCensus(settings);
  return startLoop({
    everyMs: SWEEP_EVERY_MS,
    changes: countTurns(settings.meters ?? UNWATCHED, 'sweep', logChanges(settings.log, 'sweep')),
    turn: () =>
      underLease(settings, async (fence) => {
        if (performance.now() >= cleanAt && (await clean(settings.database)) === 'clean') {
          cleanAt = performance.now() + CLEAN_EVERY_MS;
          await claimDays();
          // That Temporal is away is said by those who need it; nobody waits for a census.
          await census().catch(unlessTemporalIs);
        }
        return sweepBatch(settings, fence);
      }),
  });
}

async function underLease(
  { database, holder }: SweepSettings,
  work: (fence: number) => Promise<Turn>,
): Promise<Turn> {
  const fence = await tryLease(database, SWEEP_LEASE, holder, LEASE_MS);
  if (fence === null) return 'idle';
  try {
    return await work(fence);
  } finally {
    await releaseLease(database, SWEEP_LEASE, holder, fence);
  }
}

/**
 * Looks at one batch of silent runs. Rejects with `TemporalFault` when Temporal could not be asked
 * about one: that one stays due. Safe under a lease that is lost on the way: every write compares
 * the fencing number.
 */
export async function sweepBatch(settings: SweepSettings, fence: number): Promise<Turn> {
  const silent = await silentRuns(settings.database, BATCH);
  const inTurn = oneByOne();
  const looks = await Promise.allSettled(silent.map((run) => look(settings, fence, run, inTurn)));
  const failure = looks.find((result) => result.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
  return silent.length === BATCH ? 'go-on' : 'idle';
}

function unlessTemporalIs(error: unknown): void {
  if (!(error instanceof TemporalFault)) throw error;
}

type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Histories can be long: twenty at once would keep each other from coming within their limit. */
function oneByOne(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next;
    return next;
  };
}

async function look(
  settings: SweepSettings,
  fence: number,
  silent: SilentRun,
  inTurn: InTurn,
): Promise<void> {
  const { database, temporal, log, meters = UNWATCHED } = settings;
  if (silent.unsent || silent.held) {
    meters.looked(silent.held ? 'held' : 'unsent');
    const waitMs = silent.held ? LONGEST_WAIT_MS : silent.firstWaitMs;
    await lookAgainIn(database, fence, silent, waitMs);
    return;
  }
  const execution = await temporal.describe(silent.run);
  const reason = startsAgainBecause(execution, silent);
  if (reason === null) {
    meters.looked('running');
    const waitMs = Math.min(silent.waitMs * 2, LONGEST_WAIT_MS);
    const isOurs = await lookAgainIn(database, fence, silent, waitMs);
    // Perhaps it slept through news: told twice it reads the journal twice, and no more.
    if (isOurs) await temporal.look(silent.run);
    return;
  }
  const lost = lostOf(execution, reason);
  const lacks = await inTurn(() => whatItLacks(settings, silent, execution)).catch(
    (error: unknown) => laterWith(settings, fence, silent, error),
  );
  if (lacks === 'later') return;
  if (lacks !== null) {
    meters.looked(lacks.found);
    if (await hold(settings, fence, silent, lacks)) {
      const { run, saga } = silent;
      log.error(lacks.text, { run, saga, state: lost.as ?? 'MISSING', reason: lost.reason });
    }
    return;
  }
  if (!(await recordStartAgain(database, fence, silent, lost))) return;
  const isReplaced = execution.status === 'running';
  const outcome = await temporal.startRun(silent, isReplaced ? 'instead' : 'again');
  meters.looked(isReplaced ? 'replaced' : execution.status);
  const text = isReplaced
    ? 'a run that could not go on was started again in its place'
    : 'a run without an execution was started again';
  log.warn(text, {
    run: silent.run,
    saga: silent.saga,
    state: lost.as ?? 'MISSING',
    reason: lost.reason,
    outcome,
  });
}

/** Whose histories cannot be read must not keep the others from being looked after. */
async function laterWith(
  { database, log }: SweepSettings,
  fence: number,
  silent: SilentRun,
  error: unknown,
): Promise<'later'> {
  if (!(error instanceof TemporalFault)) throw error;
  const { run, saga, waitMs } = silent;
  log.warn('the histories of a run cannot be read, so it is not started again yet', {
    run,
    saga,
    error,
  });
  await lookAgainIn(database, fence, silent, Math.min(waitMs * 2, LONGEST_WAIT_MS));
  return 'later';
}

interface Lacks extends Lack {
  readonly found: 'ended' | 'older';
  /** For the log. */
  readonly text: string;
}

/**
 * What Temporal knows of a run that its record lacks, before it is started again by that; null:
 * nothing. A record that lacks something was restored from an older copy.
 */
async function whatItLacks(
  { database, temporal }: SweepSettings,
  { run }: SilentRun,
  execution: Execution,
): Promise<Lacks | null> {
  if (execution.status === 'closed' && PROVES_AN_END.has(execution.as)) {
    const evidence = `its execution ${execution.runId} has ended in Temporal as ${execution.as}`;
    const text = 'a run has ended that the record says is alive: the record is an older one';
    const learned = await temporal.learned(run, [execution.runId]);
    const own = learned.find(({ runId }) => runId === execution.runId);
    return { found: 'ended', evidence, known: own?.lines ?? [], text };
  }
  const known = execution.status === 'missing' ? [] : [execution.runId];
  const lack = await lackedBy(database, run, await temporal.learned(run, known));
  const text = 'Temporal knows more of a run than the record: the record is an older one';
  return lack === null ? null : { found: 'older', ...lack, text };
}

/** Puts a run on the desk whose record is an older one. False in the cases of `lookAgainIn`. */
async function hold(
  { database, sagas }: SweepSettings,
  fence: number,
  silent: SilentRun,
  { evidence, known }: Lack,
): Promise<boolean> {
  if (!(await lookAgainIn(database, fence, silent, LONGEST_WAIT_MS))) return false;
  try {
    await inTransaction(database, async (tx) => {
      const record = await openRun(tx, sagas, silent.run);
      await holdOlder(tx, record, { who: 'sweep', evidence, known, of: null });
    });
  } catch (error) {
    // A process that lacks its version leaves it to one that has it, and says so.
    if (!(error instanceof UnknownSaga)) throw error;
  }
  return true;
}

/**
 * An execution closes like this only after its end was committed to the record. Where the record
 * does not have it, it was restored from an older copy, and to go on from it would do a second time
 * what it has forgotten. A person must decide: docs/production.md says how.
 */
const PROVES_AN_END: ReadonlySet<ClosedAs> = new Set(['COMPLETED', 'CANCELLED']);

/**
 * Why a run is started again, or null: it goes on. An execution of an older driver is known by its
 * number. Any other whose workflow task fails again and again, though a worker has its version, was
 * begun by another driver than its number says, or stalls over a bug: from the journal it may go
 * on. With an activity on its way it is left alone, because that one's outcome would be unknown.
 */
function startsAgainBecause(
  execution: Execution,
  { hasWorker, released }: SilentRun,
): LostExecution['reason'] | null {
  switch (execution.status) {
    case 'missing':
      return 'execution-missing';
    case 'closed':
      return 'execution-closed';
    case 'running': {
      if (execution.driver < DRIVER) return 'older-driver';
      if (released) return 'released';
      return isStalled(execution) && hasWorker ? 'stalled' : null;
    }
  }
}

function lostOf(execution: Execution, reason: LostExecution['reason']): LostExecution {
  if (execution.status === 'missing') return { as: null, runId: null, reason };
  const as = execution.status === 'closed' ? execution.as : 'RUNNING';
  return { as, runId: execution.runId, reason };
}

/** One batch a turn, so that clearing away never holds up the looking after. */
async function clean(database: Database): Promise<'clean' | 'more'> {
  await deleteGoneWorkers(database, WORKER_KEPT_MS);
  const messages = await deleteSentMessages(database, SENT_KEPT_MS, CLEANED_BATCH);
  const quotes = await deleteOverQuotes(database, QUOTE_KEPT_MS, CLEANED_BATCH);
  return Math.max(messages, quotes) < CLEANED_BATCH ? 'clean' : 'more';
}
