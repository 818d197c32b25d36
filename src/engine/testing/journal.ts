import { consequencesOf } from '../saga/consequences.js';
import type { SagaDefinition } from '../saga/definition.js';
import type { Fact, JournalLine } from '../saga/journal.js';
import { addLine, foldJournal, type RunState } from '../saga/run-state.js';

/** A line of a journal, with the moment at which it was written, in ms from the acceptance. */
export interface Written {
  readonly at: number;
  readonly line: JournalLine;
}

/** The record of one run, as a database keeps it: facts, and at once what follows from them. */
export class Journal {
  written: Written[] = [];
  /** How it stood after each thing that was written together. */
  states: RunState[] = [];
  state: RunState;

  constructor(start: SagaDefinition | RunState) {
    this.state = 'definition' in start ? start : foldJournal(start, []);
  }

  copy(): Journal {
    const other = new Journal(this.state);
    other.written = [...this.written];
    other.states = [...this.states];
    return other;
  }

  append(at: number, facts: readonly Fact[]): void {
    for (const fact of facts) this.#write(at, fact);
    let more = this.#consequences();
    while (more.length > 0) {
      for (const consequence of more) this.#write(at, consequence);
      more = this.#consequences();
    }
    this.states.push(this.state);
  }

  #write(at: number, fact: Fact): void {
    const line = { ...fact, seq: this.state.lastSeq + 1 };
    this.written.push({ at, line });
    this.state = addLine(this.state, line);
  }

  #consequences(): readonly Fact[] {
    return consequencesOf(this.state, () => `case-${this.state.lastSeq + 1}`);
  }
}
