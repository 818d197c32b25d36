import type { Database } from '../database/database.js';
import { listenTo, type Listener } from '../database/listen.store.js';
import { TemporalFault, type TemporalRuns } from '../runs/temporal-runs.js';
import { backoffMs } from '../saga/retry-policy.js';
import { logChanges } from '../telemetry/change-log.js';
import { countTurns } from '../telemetry/count-turns.js';
import type { Logger } from '../telemetry/logger.js';
import { UNWATCHED, type RelayMeters } from '../telemetry/meters.js';
import { startLoop, type Loop, type Turn } from './loop.process.js';
import {
  leaveToSweep,
  markFailed,
  markSent,
  OUTBOX_CHANNEL,
  takeMessages,
  type Message,
  type TakeSettings,
} from './outbox.store.js';

export interface RelaySettings {
  readonly database: Database;
  readonly temporal: TemporalRuns;
  readonly log: Logger;
  /** @default nobody watches */
  readonly meters?: RelayMeters;
  /** How old a `start` must be before it is taken, in milliseconds. */
  readonly startGraceMs: number;
  /** Answers a number in [0, 1). */
  readonly random: () => number;
  /**
   * How often the outbox is looked into without news, and how long a Temporal that is away is left
   * alone.
   * @default 1000 ms: news come by notification; this is for lost ones, and for what becomes due.
   */
  readonly pollMs?: number;
}

const POLL_MS = 1_000;
/** Sent side by side, all of different runs; twice the connections of the pool keep it busy. */
const BATCH = 20;
/** A call to Temporal may last 3 s and marking 8 s: a message is never due again before both. */
const LEASE_MS = 30_000;
/** Half a second first, for a moment's overload; at most 30 s, so that an outage ends quickly. */
const RETRY = { attempts: null, firstDelayMs: 500, capMs: 30_000, withinMs: null };

/**
 * Sends what the outbox holds to Temporal, each message at least once, those of a run in order.
 * Any number of relays may run. Postgres or Temporal being away is said once in the log and waited
 * for. A message that Temporal refuses is tried again for ever, and shows in the metric
 * `recourse_outbox_lag_seconds`.
 */
export function startRelay(settings: RelaySettings): Loop {
  const { database, log } = settings;
  const take = { batch: BATCH, leaseMs: LEASE_MS, startGraceMs: settings.startGraceMs };
  const sender = createSender(settings);
  let listener: Listener | undefined;

  const loop = startLoop({
    everyMs: settings.pollMs ?? POLL_MS,
    changes: countTurns(settings.meters ?? UNWATCHED, 'outbox', logChanges(log, 'outbox')),
    turn: async () => {
      if (!listener?.alive) listener = await listenTo(database, OUTBOX_CHANNEL, () => loop.wake());
      return sendBatch(database, take, sender);
    },
  });
  const stop = async () => {
    await loop.stop();
    listener?.close();
  };
  return { ...loop, stop };
}

/** Sends one message and marks it. Rejects when Postgres fails, never because of Temporal. */
export type Sender = (message: Message) => Promise<'sent' | 'not-sent'>;

/**
 * Takes one batch and sends it. `hold` when nothing of it could be sent: the messages wait by
 * themselves, and the whole backlog must not be tried against a server that is away.
 */
export async function sendBatch(
  database: Database,
  take: TakeSettings,
  send: Sender,
): Promise<Turn> {
  const messages = await takeMessages(database, take);
  if (messages.length === 0) return 'idle';
  const results = await Promise.allSettled(messages.map(send));
  const failure = results.find((result) => result.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
  const sent = results.some((result) => result.status === 'fulfilled' && result.value === 'sent');
  return sent ? 'go-on' : 'hold';
}

export function createSender(settings: Omit<RelaySettings, 'startGraceMs' | 'pollMs'>): Sender {
  const { database, temporal, log, random, meters = UNWATCHED } = settings;
  const changes = logChanges(log, 'temporal');
  return async (message) => {
    const { run, kind, tries } = message;
    const told = await tell(temporal, message).catch(faultOrThrow);
    if (told instanceof TemporalFault) {
      meters.told(kind, told.kind === 'unavailable' ? 'unavailable' : 'refused');
      if (told.kind === 'unavailable') changes.down(told);
      // What is wrong with one message is said once, when it is first seen.
      else if (tries === 1) log.error('Temporal refuses a message', { run, kind, error: told });
      await markFailed(database, message, told.code, backoffMs(tries, RETRY, random));
      return 'not-sent';
    }
    if (told !== 'ended') changes.up();
    if (told === 'gone') await leaveToSweep(database, message);
    else await markSent(database, message.id);
    meters.told(kind, 'sent');
    log.debug('told', { run, kind, tries, outcome: told });
    return 'sent';
  };
}

function faultOrThrow(error: unknown): TemporalFault {
  if (error instanceof TemporalFault) return error;
  throw error;
}

/**
 * A run that has ended must not be started anew by a message that is late, and needs no cancel. But
 * one that was abandoned has ended behind the back of its workflow, which has to be told.
 */
async function tellEnded(temporal: TemporalRuns, { kind, run }: Message): Promise<string> {
  return kind === 'look' && (await temporal.look(run)) === 'told' ? 'told' : 'ended';
}

async function tell(temporal: TemporalRuns, message: Message): Promise<string> {
  if (message.ended) return tellEnded(temporal, message);
  switch (message.kind) {
    case 'start':
      return temporal.startRun(message, 'first');
    case 'cancel':
      return temporal.cancelRun(message.run);
    case 'look':
      return temporal.look(message.run);
  }
}
