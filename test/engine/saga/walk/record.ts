import { consequencesOf } from '../../../../src/engine/saga/consequences.js';
import type { SagaDefinition } from '../../../../src/engine/saga/definition.js';
import type { Fact, JournalLine } from '../../../../src/engine/saga/journal.js';
import { addLine, foldJournal, type RunState } from '../../../../src/engine/saga/run-state.js';
import { viewRun, type RunView } from '../../../../src/engine/saga/run-view.js';

/** The record of one run, as a database keeps it: facts, and at once what follows from them. */
export class RunRecord {
  readonly lines: JournalLine[] = [];
  readonly views: RunView[] = [];
  state: RunState;

  constructor(readonly saga: SagaDefinition) {
    this.state = foldJournal(saga, []);
    this.append({ kind: 'accepted' });
  }

  append(fact: Fact): void {
    this.#write(fact);
    let more = this.#consequences();
    while (more.length > 0) {
      more.forEach((consequence) => this.#write(consequence));
      more = this.#consequences();
    }
    this.views.push(viewRun(this.state));
  }

  #write(fact: Fact): void {
    const line = { ...fact, seq: this.lines.length + 1 };
    this.lines.push(line);
    this.state = addLine(this.state, line);
  }

  #consequences(): readonly Fact[] {
    return consequencesOf(this.state, () => `case-${this.lines.length + 1}`);
  }
}
