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
    // A process is killed once all that is on its way is to die with it: those come last, together.
    const queue = [...all.entries()].toSorted(([, one], [, other]) => deaths(one) - deaths(other));
    const playNext = async (): Promise<void> => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const [index, foretold] = next;
        for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
          const play = await this.#begin(foretold, index);
          plays[index] = play;
          await this.#untilOver(play);
          if (!play.isDisturbed) break;
          this.disturbed += 1;
        }
      }
    };
    const players = Array.from({ length: AT_ONCE }, playNext);
    let isOver = false;
    const over = Promise.all(players).finally(() => (isOver = true));
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
        play.course = { lost: `${IN_VAIN} for "${play.next}"` };
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
    for (const { run, seq, line } of rows) {
      this.#plays.get(run)?.hears({ ...line, seq } as JournalLine);
    }
    for (const play of plays) play.turn(heardUntil);
  }

  /** Kills the worker once all that is on its way is to die with it. */
  async #kill(): Promise<void> {
    const alive = this.#alive();
    const worker = this.house.part('worker');
    if (alive.length === 0 || alive.some((play) => play.dyingIn() !== worker.pid)) return;
    this.kills += 1;
    await worker.kill9();
    await this.house.start('worker');
    for (const play of alive) play.movedAt = performance.now();
  }
}

function deaths({ played }: Foretold): number {
  return played.choices.filter(({ options, taken }) => options[taken]?.startsWith('process dies'))
    .length;
}
