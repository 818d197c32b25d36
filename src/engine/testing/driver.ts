import type { SagaDefinition } from '../saga/definition.js';
import type { Tick } from '../saga/journal.js';
import { nameOfMove } from '../saga/move-name.js';
import { movesOf, type Move } from '../saga/next-moves.js';
import { foldJournal, type RunState } from '../saga/run-state.js';
import type { Agenda } from './agenda.js';
import type { Begun, Told, WorkMove } from './happening.js';

/**
 * A driver as the workflow is one: it asks the kernel, has moves done, learns, and asks again, by a
 * copy of the record that is old between two answers.
 */
export class Driver {
  run: RunState;
  ticks: readonly Tick[] = [];
  /** How many moves it has begun: what never ends is seen here. */
  moves = 0;
  #busy: readonly string[] = [];
  #timers: readonly string[] = [];
  #life = 0;
  #hasNews = true;

  constructor(start: SagaDefinition | RunState) {
    this.run = 'definition' in start ? start : foldJournal(start, []);
  }

  copy(): Driver {
    const other = new Driver(this.run);
    other.ticks = this.ticks;
    other.moves = this.moves;
    other.#busy = this.#busy;
    other.#timers = this.#timers;
    other.#life = this.#life;
    other.#hasNews = this.#hasNews;
    return other;
  }

  /** Arms its timers and answers what else is due by what it knows, if it knows anything new. */
  due(agenda: Agenda): readonly WorkMove[] {
    if (!this.#hasNews) return NOTHING;
    this.#hasNews = false;
    const moves = movesOf(this.run, this.ticks);
    const due = moves.filter(
      (move): move is WorkMove => move.kind !== 'wait' && !this.#busy.includes(nameOfMove(move)),
    );
    const isBusy = due.length > 0 || this.#busy.length > 0;
    this.#armOnly(
      moves.filter(isWait).filter((wait) => !isBusy || this.#isArmedWhileBusy(wait)),
      agenda,
    );
    return due;
  }

  /** What is on its way ends by itself: only then the deadline needs a timer. */
  #isArmedWhileBusy(wait: Wait): boolean {
    return wait.then.kind !== 'deadline-passed' || this.#timers.includes(nameOfMove(wait));
  }

  /** Begins a move; null when one of its name is begun already. */
  begin(move: WorkMove): Begun | null {
    const name = nameOfMove(move);
    if (this.#busy.includes(name)) return null;
    this.#busy = [...this.#busy, name];
    this.moves += 1;
    return { name, life: this.#life };
  }

  /** A move is over; false when it was begun before the memory was lost. */
  learn(begun: Begun, { holdMs = 0, stopped }: Told, record: RunState, agenda: Agenda): boolean {
    if (begun.life !== this.#life) return false;
    this.look(record);
    if (stopped === 'deadline') this.tick({ kind: 'deadline-passed' });
    if (holdMs === 0) this.#free(begun.name);
    else agenda.after(holdMs, { kind: 'held', begun });
    return true;
  }

  /** What was held may be begun again. */
  release(begun: Begun): void {
    if (begun.life !== this.#life) return;
    this.#free(begun.name);
    this.#hasNews = true;
  }

  /** A timer of its own has fired. */
  fire(name: string, tick: Tick): void {
    this.#timers = this.#timers.filter((one) => one !== name);
    this.tick(tick);
  }

  tick(tick: Tick): void {
    this.ticks = [...this.ticks, tick];
    this.#hasNews = true;
  }

  /** Reads what is new in the record. */
  look(record: RunState): void {
    this.run = record;
    this.#hasNews = true;
  }

  /** Loses its memory: knows nothing, waits for nothing, while what was begun goes on. */
  restart(record: RunState, agenda: Agenda): void {
    this.#life += 1;
    this.ticks = [];
    this.#busy = [];
    this.#armOnly([], agenda);
    this.look(record);
  }

  #free(name: string): void {
    this.#busy = this.#busy.filter((one) => one !== name);
  }

  #armOnly(waits: readonly Wait[], agenda: Agenda): void {
    const wanted = waits.map(nameOfMove);
    if (this.#timers.some((name) => !wanted.includes(name))) {
      agenda.strike((what) => what.kind === 'fires' && !wanted.includes(what.name));
    }
    for (const [index, { ms, then }] of waits.entries()) {
      const name = wanted[index] ?? '';
      if (this.#timers.includes(name)) continue;
      // The deadline counts from the acceptance, all else from now.
      const inMs = then.kind === 'deadline-passed' ? Math.max(1, ms - agenda.now) : ms;
      agenda.after(inMs, { kind: 'fires', name, then });
    }
    this.#timers = wanted;
  }
}

type Wait = Move & { readonly kind: 'wait' };

function isWait(move: Move): move is Wait {
  return move.kind === 'wait';
}

const NOTHING: readonly WorkMove[] = [];
