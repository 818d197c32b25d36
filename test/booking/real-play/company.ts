import { setTimeout as pause } from 'node:timers/promises';
import type { JournalLine } from '../../../src/engine/saga/journal.js';
import { Visitor } from '../../support/customer.js';
import { openGate, type Gate, type Waiting } from '../../support/gate.js';
import { startHouse, type House } from '../../support/house.js';
import { cuesOf, faultsOf, type Times } from './cues.js';
import { Deeds } from './deeds.js';
import type { Foretold } from './schedules.js';
import { IN_VAIN, TripPlay } from './trip-play.js';

const TIMES: Times = { callTimeoutMs: 3_000, settlesMs: 3_000 };
/** As many runs are on their way at once. */
const AT_ONCE = 30;
/** A machine that takes longer to tell what is new is given nothing more to do than so many. */
const SLOW_MS = 150;
const AT_ONCE_WHEN_SLOW = 6;
const MOST_TRIES = 3;
const EVERY_MS = 50;
/** Nothing that is waited for takes so long: heartbeats count in tens of seconds. */
const PATIENCE_MS = 75_000;

/** A house whose worker asks at a gate, with whatever is needed to play schedules in it. */
export class Company {
  readonly #plays = new Map<string, TripPlay>();
  /** Activities of runs that are not known yet. */
  #strangers: Waiting[] = [];
  #deeds!: Deeds;
  #gate!: Gate;
  /** How long it takes to hear what is new, in the middle of the last times. */
  #hearingMs = 0;
  house!: House;
  kills = 0;
  /** How often the machine was too slow, and a schedule was played again. */
  disturbed = 0;

  /** Opens it: a house with its own database, namespace and sandbox. */
  static async open(): Promise<Company> {
    const company = new Company();
    company.#gate = await openGate((waiting) => company.#arrives(waiting));
    company.house = await startHouse({
      env: {
        ...company.#gate.env,
        RECOURSE_CALL_TIMEOUT_MS: String(TIMES.callTimeoutMs),
        RECOURSE_SETTLES_MS: String(TIMES.settlesMs),
        // The sweep comes when it is called.
        RECOURSE_LOOK_AFTER_MS: '3600000',
      },
    });
    company.#deeds = new Deeds(company.house);
    await company.#deeds.prepare();
    return company;
  }

  all(): readonly TripPlay[] {
    return [...this.#plays.values()];
  }

  async close(): Promise<void> {
    await this.house.close();
    await this.#gate.close();
  }

  /** Plays all of them, so many at once, each to its end or until it has lost its way. */
  async play(all: readonly Foretold[]): Promise<readonly TripPlay[]> {
    const plays: TripPlay[] = [];
    let isOver = false;
    const over = this.#playAll([...all.entries()], plays).finally(() => (isOver = true));
    while (!isOver) {
      await this.#hear();
      await this.#kill();
      await Promise.race([over, pause(EVERY_MS)]);
    }
    await over;
    // Whatever would still come has come by now.
    await pause(2_000);
    await this.#hear(true);
    return plays;
  }

  /**
   * A process is killed once all that is on its way is to die with it: so those that need that come
   * last, so many together as come to that point at about the same time.
   */
  async #playAll(all: readonly Numbered[], plays: TripPlay[]): Promise<void> {
    const safe = all.filter(([, { played }]) => diesAt(played) === null);
    const deadly = all
      .filter((one) => !safe.includes(one))
      .toSorted(([, one], [, other]) => (diesAt(one.played) ?? 0) - (diesAt(other.played) ?? 0));
    const queue = safe.toSorted(([, one], [, other]) => waits(other.played) - waits(one.played));
    const playNext = async (): Promise<void> => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        await this.#playOne(next, plays);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, playNext));
    while (deadly.length > 0) {
      const together = deadly.splice(0, AT_ONCE);
      await Promise.all(together.map((one) => this.#playOne(one, plays)));
    }
  }

  async #playOne([index, foretold]: Numbered, plays: TripPlay[]): Promise<void> {
    for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
      await this.#untilThereIsRoom();
      const play = await this.#begin(foretold, index);
      plays[index] = play;
      await this.#untilOver(play);
      if (!play.isDisturbed) return;
      this.disturbed += 1;
    }
  }

  /** Other programs need the machine, too: what is on its way is not to be starved by more. */
  async #untilThereIsRoom(): Promise<void> {
    while (this.#hearingMs > SLOW_MS && this.#alive().length >= AT_ONCE_WHEN_SLOW) {
      await pause(EVERY_MS);
    }
  }

  async #begin(foretold: Foretold, index: number): Promise<TripPlay> {
    const { id } = await new Visitor(this.house).book();
    const cues = cuesOf(foretold.played, TIMES, index);
    for (const fault of faultsOf(cues, id)) await this.house.sandbox.fault(fault);
    const play = new TripPlay(id, foretold, cues, this.#deeds, TIMES);
    this.#plays.set(id, play);
    const ours = this.#strangers.filter(({ run }) => run === id);
    this.#strangers = this.#strangers.filter(({ run }) => run !== id);
    for (const waiting of ours) play.arrives(waiting);
    return play;
  }

  async #untilOver(play: TripPlay): Promise<void> {
    while ('is' in play.course && play.course.is === 'on-its-way') {
      if (play.dyingIn() !== null) play.movedAt = performance.now();
      if (performance.now() - play.movedAt > PATIENCE_MS) {
        play.course = { lost: `${IN_VAIN} for "${play.next}", and ${play.held}` };
        play.turn();
      }
      await pause(EVERY_MS);
    }
  }

  #alive(): readonly TripPlay[] {
    return [...this.#plays.values()].filter(
      ({ course }) => 'is' in course && course.is === 'on-its-way',
    );
  }

  #arrives(waiting: Waiting): void {
    const play = this.#plays.get(waiting.run);
    if (play === undefined) this.#strangers.push(waiting);
    else play.arrives(waiting);
  }

  /** Tells every run what its journal has in addition. */
  async #hear(all = false): Promise<void> {
    const plays = all ? [...this.#plays.values()] : this.#alive();
    const heardUntil = performance.now();
    const { rows } = await this.house.db.query<{ run: string; seq: number; line: object }>(
      `select journal.run, seq, line
       from journal join unnest($1::text[], $2::integer[]) as known (run, last)
         on journal.run = known.run and journal.seq > known.last
       order by journal.run, seq`,
      [plays.map(({ run }) => run), plays.map(({ lastSeq }) => lastSeq)],
    );
    this.#hearingMs = 0.9 * this.#hearingMs + 0.1 * (performance.now() - heardUntil);
    for (const { run, seq, line } of rows) {
      this.#plays.get(run)?.hears({ ...line, seq } as JournalLine);
    }
    // What a run begins after its end, or after it has lost its way, is to hold up nothing either.
    for (const play of this.#plays.values()) play.turn(heardUntil);
  }

  /** Kills the worker once all that is on its way is to die with it. */
  async #kill(): Promise<void> {
    const alive = this.#alive();
    const worker = this.house.part('worker');
    if (alive.length === 0 || alive.some((play) => play.dyingIn() !== worker.pid)) return;
    this.kills += 1;
    for (const play of alive) play.dies();
    await worker.kill9();
    await this.house.start('worker');
    for (const play of alive) play.movedAt = performance.now();
  }
}

type Numbered = readonly [index: number, foretold: Foretold];

/** When the first attempt begins whose process dies; null: none does. */
function diesAt({ choices }: Foretold['played']): number | null {
  const dying = choices.filter(({ options, taken }) => options[taken]?.startsWith('process dies'));
  return dying.length === 0 ? null : Math.min(...dying.map(({ at }) => at));
}

/** How much of a run is waited for on real clocks: those that take long begin first. */
function waits({ choices, sent }: Foretold['played']): number {
  const still = choices.filter(({ options, taken }) => {
    return /much later|stands still, then/.test(options[taken] ?? '');
  });
  const isSlow = sent.some(({ driver }) => driver.ticks.some(({ kind }) => kind === 'undo-slow'));
  return still.length + (isSlow ? 3 : 0);
}
