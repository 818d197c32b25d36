import { Inject, Injectable } from '@nestjs/common';
import type { Caller } from '../accounts/accounts.store.js';
import type { Queryable } from '../database/database.js';
import { readerOf } from '../database/in-account.store.js';
import { ENGINE, type EngineParts } from '../engine.tokens.js';
import { listEvents } from '../events/events.store.js';
import { followRun, readFollowed, type Present } from '../events/follow-run.process.js';
import { streamPlaces } from '../events/stream-places.js';
import type { Answer } from '../http/answer.js';
import { readEventCursor, writeEventCursor, type Position } from '../http/cursor.js';
import { refuseChanged } from '../http/entity-tag.js';
import { EventStream } from '../http/event-stream.js';
import { Problem } from '../http/problem.js';
import { idempotently, type Claim, type Effect } from '../idempotency/claims.store.js';
import { GroupCommit } from '../idempotency/group-commit.js';
import type { ToldEvent } from '../events/event.js';
import { openRun } from '../journal/run-record.store.js';
import type { CancelAnswer } from '../saga/cancel.js';
import type { Ground, NewRun } from './accept-runs.js';
import { acceptingRuns, type AskedRun } from './accepting-runs.store.js';
import { cancelOpenRun } from './cancel-run.store.js';
import { listRuns, type Page, type RunFilter } from './list-runs.store.js';
import { readRun, type RunSnapshot } from './read-runs.store.js';
import { StartAtOnce } from './start-at-once.process.js';

/** What is asked for when a run is started. Its id is as `claimedId` makes it. */
export interface Order extends NewRun {
  /** Its newest version is what the run gets, and keeps. */
  readonly saga: string;
}

/** What the HTTP face of a domain does with its runs. */
@Injectable()
export class Runs {
  readonly #places = streamPlaces();
  readonly #accepting: GroupCommit<AskedRun, Ground>;
  readonly #starting: StartAtOnce;

  constructor(@Inject(ENGINE) private readonly engine: EngineParts) {
    this.#accepting = new GroupCommit(engine, acceptingRuns(engine));
    const monotonicMs = () => engine.recent.now().monotonicMs;
    this.#starting = new StartAtOnce({ ...engine, monotonicMs });
  }

  /**
   * Accepts a run for a claim, once: however often it is asked, and whatever dies, one run starts.
   * Temporal is told right after the commit, without waiting for it; when it cannot be told, the
   * outbox does it. Throws Problem: in-progress, key-reused, reference-in-use; RangeError when the
   * saga is not installed.
   */
  async start(claim: Claim, order: Order, present: (run: RunSnapshot) => Effect): Promise<Answer> {
    const definition = this.engine.sagas.newest(order.saga);
    let run: RunSnapshot | undefined;
    const { answer, replayed } = await this.#accepting.do(claim, {
      ...{ definition, order },
      present: (accepted) => present((run = accepted)),
    });
    if (!replayed && run !== undefined) {
      const { id, saga, version, account, deadlineAt } = run;
      this.engine.meters.accepted(saga);
      this.#starting.start({ run: id, saga, version, account, deadlineAt });
    }
    return answer;
  }

  /**
   * Cancels a run of the caller's account, for a claim. `present` turns what came of it into the
   * answer; what it throws rolls everything back. With `ifMatch` it is cancelled only as one of the
   * states that the header names, once a cancel is possible at all. Throws Problem: not-found,
   * changed-since-you-looked, in-progress, key-reused.
   */
  async cancel(
    claim: Claim,
    caller: Caller,
    id: string,
    present: (answer: CancelAnswer, run: RunSnapshot) => Effect,
    ifMatch?: string,
  ): Promise<Answer> {
    const { answer } = await idempotently(this.engine, claim, async (tx) => {
      await this.#read(tx, caller.account, id);
      const who = `${caller.account}/${caller.keyId}`;
      const record = await openRun(tx, this.engine.sagas, id);
      const cancelled = await cancelOpenRun(tx, record, { by: caller.role, who });
      const effect = present(cancelled.answer, await this.#read(tx, caller.account, id));
      refuseChanged(ifMatch, record.state.lastSeq);
      return effect;
    });
    return answer;
  }

  /** A run of this account. Throws Problem: not-found. */
  find(account: string, id: string): Promise<RunSnapshot> {
    return this.#read(this.#reader(account), account, id);
  }

  /**
   * A run of this account, as soon as `isSettled` or `limitMs` have passed or `signal` is aborted.
   * Throws Problem: not-found.
   */
  findWhen(
    account: string,
    id: string,
    wait: {
      readonly limitMs: number;
      readonly signal: AbortSignal;
      readonly isSettled: (run: RunSnapshot) => boolean;
    },
  ): Promise<RunSnapshot> {
    return this.engine.news.untilSettled(id, { ...wait, read: () => this.find(account, id) });
  }

  /** A page of an account's runs of one saga, newest first. */
  list(
    filter: RunFilter,
    page: Page,
  ): Promise<{ readonly runs: readonly RunSnapshot[]; readonly next: Position | null }> {
    return listRuns(this.#reader(filter.account), this.engine.sealer, filter, page);
  }

  /**
   * A page of what happened to an account's runs of one saga, the first one first; `next_cursor`
   * goes on after it, now or when more has happened. Throws Problem: query-invalid.
   */
  async listEvents<Shown>(
    filter: { readonly account: string; readonly saga: string },
    page: { readonly cursor: string | undefined; readonly limit: number },
    present: (event: ToldEvent) => Shown,
  ): Promise<{ data: Shown[]; has_more: boolean; next_cursor: string | null }> {
    const list = ['events', filter];
    const after = readEventCursor(page.cursor, list);
    const reader = this.#reader(filter.account);
    const found = await listEvents(reader, filter, { after, limit: page.limit });
    return {
      data: found.events.map(present),
      has_more: found.hasMore,
      next_cursor: found.next === null ? null : writeEventCursor(found.next, list),
    };
  }

  /**
   * What happens in a run, as it happens, after the event that a stream of it named `lastEventId`;
   * null when it has ended and there is nothing after that. Throws Problem: last-event-unknown, and
   * when it is sent rate-limited, overloaded.
   */
  async follow(
    run: Pick<RunSnapshot, 'id' | 'account' | 'reference' | 'saga' | 'version'>,
    lastEventId: string | undefined,
    present: Present,
  ): Promise<EventStream | null> {
    const { id, account, reference, saga, version } = run;
    const followed = { id, reference, definition: this.engine.sagas.definition(saga, version) };
    const { state, told } = await readFollowed(this.#reader(account), followed);
    const last = told.findIndex(({ streamId }) => streamId === lastEventId);
    if (lastEventId !== undefined && last === -1) throw new Problem('last-event-unknown');
    const source = { database: this.#reader(account), news: this.engine.news };
    const from = { state, told: told.slice(last + 1) };
    if (state.finishedAs !== null && from.told.length === 0) return null;
    return new EventStream(
      (signal) => followRun(source, followed, from, present, signal),
      () => this.#places.enter(account),
    );
  }

  /** Reads what is the account's, and nothing else: the second lock. */
  #reader(account: string): Queryable {
    return readerOf(this.engine.database, account);
  }

  async #read(database: Queryable, account: string, id: string): Promise<RunSnapshot> {
    const run = await readRun(database, this.engine.sealer, { id, account });
    if (run === null) throw new Problem('not-found');
    return run;
  }
}
