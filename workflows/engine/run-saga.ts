import {
  ActivityFailure,
  ApplicationFailure,
  CancelledFailure,
  CancellationScope,
  continueAsNew,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { Answer, RunAsk, RunStart } from '../../src/engine/saga/activity-messages.js';
import { answerRetry, type RetryAnswer } from '../../src/engine/saga/actions.js';
import type { SagaDefinition } from '../../src/engine/saga/definition.js';
import type { Ending, JournalLine, Tick } from '../../src/engine/saga/journal.js';
import { markAfter, NO_LINES } from '../../src/engine/saga/journal-mark.js';
import { nameOfMove } from '../../src/engine/saga/move-name.js';
import { movesOf, type Move } from '../../src/engine/saga/next-moves.js';
import { addLine, foldJournal, type RunState } from '../../src/engine/saga/run-state.js';
import { viewRun } from '../../src/engine/saga/run-view.js';
import * as messages from './messages.js';
import { engineActivities, performMove, saysNothing, type ActivityMove } from './perform-move.js';
import { createShowcase } from './showcase.js';
import { inWords } from './words.js';

/** The result that Temporal shows; a run that was cancelled has none. */
export interface RunResult {
  readonly outcome: Ending;
}

/**
 * Drives one run on Temporal: ask the kernel what is next, have it done, add what was learned to
 * the copy of the journal, and ask again, until the run has ended. Everything decided here follows
 * from the journal and from timers, so a replay, a reset or a restart decides the same or is put
 * right by the record. Nothing is interrupted: a cancel is an event like any other.
 *
 * Throws an Error, which stalls the workflow until a worker is deployed that has the version.
 */
export async function runSaga(
  versions: readonly SagaDefinition[],
  start: RunStart,
): Promise<RunResult> {
  const definition = versions.find(
    ({ name, version }) => name === start.saga && version === start.version,
  );
  if (definition === undefined) {
    throw new Error(`this worker lacks ${start.saga} version ${start.version}`);
  }
  const driver = new Driver(definition, start);
  const root = CancellationScope.current();
  root.cancelRequested.catch(() => driver.cancelIsRequested());
  const outcome = await CancellationScope.nonCancellable(() => driver.drive());
  if (outcome === 'cancelled' && root.consideredCancelled) {
    throw new CancelledFailure('the booking was cancelled and undone');
  }
  return { outcome };
}

/** What the driver does beside moves; no move has these names. */
const LOOK = 'look';
const CANCEL = 'cancel';
const RETRY = 'retry-now';

class Driver {
  #run: RunState;
  readonly #lines: JournalLine[] = [];
  #mark = NO_LINES;
  readonly #ticks: Tick[] = [];
  readonly #busy = new Map<string, string>();
  readonly #timers = new Map<string, CancellationScope>();
  readonly #unsent = new Map<string, string>();
  readonly #showcase = createShowcase();
  #hasNews = false;
  #wake: (() => void) | undefined;
  #looks = 0;
  #cancelled = false;
  #retrying: Promise<messages.RetriedNow> | undefined;
  readonly #failures: unknown[] = [];

  constructor(
    readonly definition: SagaDefinition,
    readonly start: RunStart,
  ) {
    this.#run = foldJournal(definition, []);
    const description = 'The journal of this run has news; read it.';
    setHandler(messages.look, () => this.#note(() => (this.#looks += 1)), { description });
    setHandler(messages.timeline, () => this.#lines, {
      description: 'What has happened so far, line by line.',
    });
    setHandler(
      messages.state,
      () => ({
        ...viewRun(this.#run),
        doing: [...this.#busy.values()],
        last_seq: this.#run.lastSeq,
      }),
      { description: 'Where this run stands and what it is doing.' },
    );
    setHandler(messages.retryNow, () => (this.#retrying ??= this.#retryNow()), {
      description: 'What waits for its next try goes on at once. It takes no argument.',
      validator: () => refuseRetry(answerRetry(this.#run, this.#ticks)),
    });
  }

  /** Temporal was asked to cancel the run. */
  cancelIsRequested(): void {
    this.#note(() => (this.#cancelled = true));
  }

  async drive(): Promise<Ending> {
    while (this.#run.finishedAs === null) {
      this.#hasNews = false;
      const moves = this.#hasToYield() ? [] : movesOf(this.#run, this.#ticks);
      this.#showcase.show(this.#run, moves);
      this.#startMoves(moves);
      this.#startMessages();
      if (!this.#hasNews) await this.#news();
      if (this.#failures.length > 0) throw stall(this.#failures[0]);
      const isOver = this.#run.finishedAs !== null;
      if (!isOver && this.#hasToYield() && this.#busy.size === 0) {
        await continueAsNew<(start: RunStart) => Promise<RunResult>>(this.start);
      }
    }
    this.#showcase.show(this.#run, []);
    await this.#letCome();
    return this.#run.finishedAs;
  }

  /**
   * A run can be abandoned while an outcome is still to be written, which would be lost with its
   * execution, and while somebody who said "now" waits for the answer.
   */
  async #letCome(): Promise<void> {
    while (this.#busy.size > 0 && (this.#run.abandoned || this.#retrying !== undefined)) {
      await this.#news();
    }
  }

  /** The SDK's `condition` makes three promises more a turn, and enters the sandbox once more. */
  #news(): Promise<void> {
    return new Promise((resolve) => (this.#wake = resolve));
  }

  /** "Now" is written into the record first, and learned from there like everything else. */
  async #retryNow(): Promise<messages.RetriedNow> {
    const summary = 'let what waits go on now';
    this.#busy.set(RETRY, summary);
    try {
      const answer = await CancellationScope.nonCancellable(() =>
        engineActivities(summary)['retry-now'](this.#ask()),
      );
      this.#add(answer.lines);
      // Whoever takes the run over has done nothing else yet.
      if (answer.taken === true) return await this.#retryNow();
      if (!answer.lines.some((line) => line.kind === 'retried')) refuseRetry('nothing-to-retry');
      return { last_seq: this.#run.lastSeq };
    } finally {
      this.#retrying = undefined;
      this.#note(() => this.#busy.delete(RETRY));
    }
  }

  /**
   * The history grows long: begin nothing more, and go on in a new one once nothing is on its way.
   */
  #hasToYield(): boolean {
    return workflowInfo().continueAsNewSuggested;
  }

  #note(change: () => unknown): void {
    change();
    this.#hasNews = true;
    this.#wake?.();
  }

  #startMoves(moves: readonly Move[]): void {
    for (const move of moves) if (move.kind !== 'wait') this.#perform(move);
    for (const move of moves) if (move.kind === 'wait') this.#arm(move);
    const wanted = new Set(
      moves.flatMap((move) => (move.kind === 'wait' ? [nameOfMove(move)] : [])),
    );
    for (const [name, scope] of this.#timers) {
      if (!wanted.has(name)) {
        this.#timers.delete(name);
        scope.cancel();
      }
    }
  }

  #arm(move: Move & { readonly kind: 'wait' }): void {
    const name = nameOfMove(move);
    if (this.#timers.has(name)) return;
    const isDeadline = move.then.kind === 'deadline-passed';
    // What is on its way ends by itself, and what comes after it is begun by the database's clock.
    if (isDeadline && this.#busy.size > 0) return;
    const ms = isDeadline ? this.#deadlineInMs(move.ms) : move.ms;
    const scope = new CancellationScope();
    this.#timers.set(name, scope);
    const summary = inWords(this.definition, move);
    scope
      .run(() => sleep(ms, { summary }))
      .then(
        () => {
          this.#timers.delete(name);
          this.#note(() => this.#ticks.push(move.then));
        },
        () => undefined,
      );
  }

  /** By the clock of Temporal: early or late it only asks, and the database's clock answers. */
  #deadlineInMs(wholeMs: number): number {
    const { deadline_at } = this.start;
    return deadline_at == null ? wholeMs : Math.max(1, Date.parse(deadline_at) - Date.now());
  }

  #perform(move: ActivityMove): void {
    const name = nameOfMove(move);
    const unsent = this.#unsent.get(name);
    this.#once(name, inWords(this.definition, move), (ask) =>
      performMove(this.definition, ask, move, unsent),
    );
  }

  #startMessages(): void {
    // The execution that comes after this one reads the journal anyway.
    if (this.#looks > 0 && !this.#hasToYield()) {
      const summary = 'read the news of the journal';
      const looks = this.#looks;
      this.#once(LOOK, summary, (ask) => {
        this.#looks -= looks;
        return engineActivities(summary)['read-journal'](ask);
      });
    }
    if (this.#cancelled) {
      const summary = 'note that Temporal was asked to cancel';
      this.#once(CANCEL, summary, (ask) => {
        this.#cancelled = false;
        return engineActivities(summary)['note-cancel'](ask);
      });
    }
  }

  /**
   * One thing at a time of each name; what comes up meanwhile is asked for again afterwards. Few
   * promises, because the SDK keeps a stack for each that is made in a workflow.
   */
  #once(name: string, doing: string, work: (ask: RunAsk) => Promise<Answer>): void {
    if (this.#busy.has(name)) return;
    this.#busy.set(name, doing);
    const end = (): void => this.#note(() => this.#busy.delete(name));
    work(this.#ask()).then(
      (answer) => this.#learn(name, answer, end),
      (failure: unknown) => {
        this.#failures.push(failure);
        end();
      },
    );
  }

  #ask(): RunAsk {
    const { run, saga, version } = this.start;
    const { runId, firstExecutionRunId: first } = workflowInfo();
    const [knows, mark] = [this.#run.lastSeq, this.#mark];
    return { run, saga, version, knows, mark, succeeds: runId !== first };
  }

  #add(lines: readonly JournalLine[]): void {
    for (const line of lines.filter(({ seq }) => seq > this.#run.lastSeq)) {
      this.#lines.push(line);
      this.#mark = markAfter(this.#mark, line);
      this.#run = addLine(this.#run, line);
    }
  }

  #learn(name: string, answer: Answer, end: () => void): void {
    // A move of which nothing comes would be made again, for ever, and nobody would see it.
    if (saysNothing(answer) && name !== LOOK && name !== CANCEL) {
      this.#failures.push(new Error(`nothing came of ${name}`));
    }
    this.#add(answer.lines);
    if (answer.stopped === 'deadline') this.#ticks.push({ kind: 'deadline-passed' });
    if (answer.unsent !== undefined) this.#unsent.set(name, answer.unsent);
    if (answer.hold_ms === undefined) return end();
    this.#note(() => undefined);
    void sleep(answer.hold_ms, { summary: 'wait until it can be known' }).then(end);
  }
}

/** Refuses "now" where nothing waits for its time: whoever asked hears why, the run goes on. */
function refuseRetry(answer: RetryAnswer): void {
  if (answer === 'accepted') return;
  throw ApplicationFailure.nonRetryable('no attempt or question waits for its time', answer);
}

/** A plain Error stalls the workflow; a failure of Temporal's own kind would end it half-way. */
function stall(failure: unknown): Error {
  const cause = failure instanceof ActivityFailure ? failure.cause : failure;
  return new Error(`the run cannot go on: ${cause instanceof Error ? cause.message : 'thrown'}`);
}
