import type { SagaDefinition } from '../../../../src/engine/saga/definition.js';
import type { Tick } from '../../../../src/engine/saga/journal.js';
import { nameOfMove } from '../../../../src/engine/saga/move-name.js';
import { movesOf, type Move } from '../../../../src/engine/saga/next-moves.js';
import { foldJournal, type RunState } from '../../../../src/engine/saga/run-state.js';
import type { Activities, Told } from './activities.js';
import type { Agenda } from './agenda.js';

/**
 * A driver: asks the kernel, has moves done, learns, and asks again; as the workflow does it, with
 * a copy of the journal that is old between two answers.
 */
export class Driver {
  #run: RunState;
  #ticks: Tick[] = [];
  #busy = new Set<string>();
  #timers = new Map<string, () => void>();
  #life = 0;
  #changed = true;
  /** How many moves it has begun: what never ends is seen here. */
  moves = 0;

  constructor(
    readonly saga: SagaDefinition,
    readonly activities: Activities,
    readonly agenda: Agenda,
  ) {
    this.#run = foldJournal(saga, []);
  }

  get known(): { readonly run: RunState; readonly ticks: readonly Tick[] } {
    return { run: this.#run, ticks: this.#ticks };
  }

  /** Begins whatever is due by what it knows, if it knows anything new. */
  advance(): void {
    if (!this.#changed) return;
    this.#changed = false;
    const moves = movesOf(this.#run, this.#ticks);
    for (const move of moves) {
      if (move.kind === 'wait') this.#arm(move);
      else this.#perform(move);
    }
    const wanted = new Set(moves.map(nameOfMove));
    for (const [name, callOff] of this.#timers) {
      if (!wanted.has(name)) {
        this.#timers.delete(name);
        callOff();
      }
    }
  }

  /** Reads what is new in the record. */
  look(): void {
    this.#run = this.activities.record.state;
    this.#changed = true;
  }

  /** Loses its memory: knows nothing, waits for nothing, while what was begun goes on. */
  restart(): void {
    this.#life += 1;
    this.#run = foldJournal(this.saga, []);
    this.#ticks = [];
    this.#busy = new Set();
    this.#timers.forEach((callOff) => callOff());
    this.#timers = new Map();
    this.look();
  }

  #arm(move: Move & { readonly kind: 'wait' }): void {
    const name = nameOfMove(move);
    if (this.#timers.has(name)) return;
    const fire = (): void => {
      this.#timers.delete(name);
      this.#ticks.push(move.then);
      this.#changed = true;
    };
    this.#timers.set(name, this.agenda.after(move.ms, fire));
  }

  #perform(move: Exclude<Move, { readonly kind: 'wait' }>): void {
    const name = nameOfMove(move);
    if (this.#busy.has(name)) return;
    this.#busy.add(name);
    this.moves += 1;
    const life = this.#life;
    this.activities.perform(move, (told) => {
      if (life === this.#life) this.#learn(name, told);
    });
  }

  #learn(name: string, { holdMs = 0, stopped }: Told): void {
    this.look();
    if (stopped === 'deadline') this.#ticks.push({ kind: 'deadline-passed' });
    const life = this.#life;
    this.agenda.after(holdMs, () => {
      if (life !== this.#life) return;
      this.#busy.delete(name);
      this.#changed = true;
    });
  }
}
