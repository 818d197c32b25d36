import { answerCancel } from '../../../../src/engine/saga/cancel.js';
import type { SagaDefinition } from '../../../../src/engine/saga/definition.js';
import type { Ending, JournalLine } from '../../../../src/engine/saga/journal.js';
import { foldJournal, pivotBegun, pivotDone } from '../../../../src/engine/saga/run-state.js';
import { Activities } from './activities.js';
import { Agenda } from './agenda.js';
import { Chance } from './chance.js';
import { Driver } from './driver.js';
import { Person } from './person.js';
import { checkTheEnd } from './promises-at-the-end.js';
import { BrokenPromise, Promises } from './promises.js';
import { Providers } from './providers.js';
import { RunRecord } from './record.js';

/** Far more than any walk needs that gets somewhere. */
const MOST_MOVES = 600;
const MOST_ROUNDS = 5_000;
/** A cancel comes, or the driver loses its memory, about once in so many rounds. */
const SELDOM = 40;

/** How a walk went. */
export interface Walked {
  readonly ending: Ending;
  /** Everything of note that came up in it, each in a few words. */
  readonly met: readonly string[];
}

/**
 * One run of a saga from acceptance to its end, and on until nothing more can come, with the luck
 * that the numbers say. Throws BrokenPromise, with the whole story, when a promise is broken.
 */
export function walk(saga: SagaDefinition, numbers: readonly number[]): Walked {
  const world = new Walk(saga, new Chance(numbers));
  try {
    return world.go();
  } catch (error) {
    const story = ['', ...world.agenda.log].join('\n');
    throw new BrokenPromise(`${String(error)}${story}`, { cause: error });
  }
}

class Walk {
  readonly agenda = new Agenda();
  readonly providers = new Providers();
  readonly record: RunRecord;
  readonly promises: Promises;
  readonly driver: Driver;
  readonly person: Person;
  #cancelAccepted = false;
  #seenLines = 0;
  readonly #answers: string[] = [];

  constructor(
    readonly saga: SagaDefinition,
    readonly chance: Chance,
  ) {
    this.record = new RunRecord(saga);
    this.promises = new Promises(this.record, this.providers, this.agenda);
    const { record, providers, agenda, promises } = this;
    const activities = new Activities(record, providers, agenda, chance, promises);
    this.driver = new Driver(saga, activities, agenda);
    this.promises.known = () => this.driver.known;
    this.person = new Person(record, providers, agenda, chance, promises);
  }

  go(): Walked {
    this.driver.look();
    for (let round = 0; ; round += 1) {
      if (round > MOST_ROUNDS) throw new BrokenPromise('it goes on for ever');
      this.#interfere();
      this.driver.advance();
      this.person.watch(() => this.driver.look());
      if (this.driver.moves > MOST_MOVES) throw new BrokenPromise('moves without progress');
      if (!this.agenda.next()) break;
      this.#tellOfNews();
    }
    return this.#end();
  }

  #interfere(): void {
    const luck = this.chance.seldom(SELDOM, 'cancel', 'restart');
    if (luck === 'cancel') this.#cancel();
    if (luck === 'restart') {
      this.agenda.note('the driver loses its memory');
      this.driver.restart();
    }
  }

  #cancel(): void {
    const { state } = this.record;
    const answer = answerCancel({
      endedAs: state.finishedAs,
      unwinding: state.unwindingBecause !== null,
      cancelRequested: state.cancelAccepted,
      pivotBegun: pivotBegun(state),
      pivotDone: pivotDone(state),
    });
    this.agenda.note(`a cancel is answered: ${answer}`);
    this.#answers.push(`cancel ${answer}`);
    if (answer !== 'accepted') return;
    this.#cancelAccepted = true;
    this.record.append({ kind: 'cancel-accepted', by: 'customer' });
  }

  /** What came from elsewhere reaches the driver a while later. */
  #tellOfNews(): void {
    if (this.record.lines.length === this.#seenLines) return;
    this.#seenLines = this.record.lines.length;
    this.agenda.after(this.chance.pick(5, 1_000, 60_000), () => this.driver.look());
  }

  /** Nothing can come any more: the run has ended, or it was forgotten. */
  #end(): Walked {
    const { state, lines } = this.record;
    if (state.finishedAs === null) throw new BrokenPromise('it neither ended nor lies on the desk');
    if (state.openCases.size > 0) throw new BrokenPromise('a case stays open');
    checkTheEnd(this.record, this.providers, this.#cancelAccepted);
    if (JSON.stringify(foldJournal(this.saga, lines)) !== JSON.stringify(state)) {
      throw new BrokenPromise('the same lines give another state');
    }
    const met = [...this.#answers, ...lines.flatMap(noteworthy)];
    return { ending: state.finishedAs, met };
  }
}

function noteworthy(line: JournalLine): readonly string[] {
  switch (line.kind) {
    case 'case-opened':
      return [`case ${line.problem}`];
    case 'verdict':
      return [`verdict ${line.verdict}`];
    case 'unwinding':
      return [`turned ${line.because}`];
    case 'ended':
      return [`${line.direction} ${line.outcome}`];
    case 'asked':
      return [`${line.direction} ${line.finding}`];
    case 'key-expired':
    case 'case-settled':
      return [line.kind];
    case 'finished':
      return [`ended ${line.as}`];
    case 'accepted':
    case 'begun':
    case 'cancel-accepted':
    case 'cancel-refused':
      return [];
  }
}
