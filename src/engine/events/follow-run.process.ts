import type { Queryable } from '../database/database.js';
import { isDatabaseUnavailable } from '../database/unavailable.js';
import type { StreamEvent } from '../http/event-stream.js';
import { readTimeline, type TimedLine } from '../runs/run-facts.store.js';
import type { RunNews } from '../runs/run-news.process.js';
import type { JournalLine } from '../saga/journal.js';
import { eventsOfLine, type RunEvent } from '../saga/run-events.js';
import { emptyRun, type RunState } from '../saga/run-state.js';
import type { SagaDefinition } from '../saga/definition.js';
import { eventId, type ToldEvent } from './event.js';

/** A run that was tried for days has thousands; a client is handed them as it takes them. */
const AT_A_TIME = 50;

/** Makes of an event what is sent; its type is its name. */
export type Present = (event: ToldEvent) => { readonly type: string };

export interface FollowedRun {
  readonly id: string;
  readonly reference: string | null;
  readonly definition: SagaDefinition;
}

/** An event, and the id that a stream gives it: it names the line of the journal. */
export interface RunTold {
  readonly streamId: string;
  readonly event: ToldEvent;
}

/** Where a follower is: what it knows of the run, and what it has to tell of it. */
export interface Followed {
  readonly state: RunState;
  readonly told: readonly RunTold[];
}

/** All that has happened in a run so far. */
export async function readFollowed(database: Queryable, run: FollowedRun): Promise<Followed> {
  const lines = await readTimeline(database, run.id);
  return grow(run, emptyRun(run.definition), lines);
}

/**
 * What a run has to tell and what comes, some at a time, until it has ended, `signal` is aborted or
 * the process ends. Each event comes once, in the order of the journal. While the database is away
 * it waits.
 */
export async function* followRun(
  { database, news }: { readonly database: Queryable; readonly news: RunNews },
  run: FollowedRun,
  from: Followed,
  present: Present,
  signal: AbortSignal,
): AsyncGenerator<readonly StreamEvent[]> {
  const ended = AbortSignal.any([signal, news.closing]);
  let { state, told } = from;
  for (;;) {
    for (let sent = 0; sent < told.length; sent += AT_A_TIME) {
      yield told.slice(sent, sent + AT_A_TIME).map((one) => streamEvent(one, present));
    }
    if (state.finishedAs !== null || ended.aborted) return;
    await news.untilLonger(run.id, state.lastSeq, ended);
    const lines = await readMore(database, run.id, state.lastSeq);
    ({ state, told } = grow(run, state, lines));
  }
}

async function readMore(
  database: Queryable,
  run: string,
  after: number,
): Promise<readonly TimedLine[]> {
  try {
    return await readTimeline(database, run, after);
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    return [];
  }
}

function grow(run: FollowedRun, from: RunState, lines: readonly TimedLine[]): Followed {
  const told: RunTold[] = [];
  let state = from;
  for (const { seq, at, line } of lines) {
    const after = eventsOfLine(state, { ...line, seq } as JournalLine);
    told.push(...after.events.map((event) => tell(run, event, at)));
    state = after.run;
  }
  return { state, told };
}

function tell({ id, reference }: FollowedRun, event: RunEvent, at: Date): RunTold {
  const { seq, nth, step, status, failure } = event;
  const kind = step !== null ? 'step' : seq === 1 ? 'accepted' : 'status';
  return {
    streamId: nth === 1 ? String(seq) : `${seq}.${nth}`,
    event: {
      ...{ id: eventId(id, seq, step?.name ?? null), run: id, reference },
      ...{ kind, status, failure, step, at },
    },
  };
}

function streamEvent({ streamId, event }: RunTold, present: Present): StreamEvent {
  const data = present(event);
  return { id: streamId, name: data.type, data };
}
