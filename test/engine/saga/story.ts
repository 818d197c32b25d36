import { answerCancel, type CancelAnswer } from '../../../src/engine/saga/cancel.js';
import { consequencesOf } from '../../../src/engine/saga/consequences.js';
import type { SagaDefinition } from '../../../src/engine/saga/definition.js';
import type {
  AnsweredAs,
  Because,
  EndedAs,
  Ending,
  Fact,
  JournalLine,
  Problem,
  Tick,
  Verdict,
} from '../../../src/engine/saga/journal.js';
import { nextMoves, type Move } from '../../../src/engine/saga/next-moves.js';
import { foldJournal } from '../../../src/engine/saga/run-state.js';
import { viewRun, type RunView } from '../../../src/engine/saga/run-view.js';
import type { Direction } from '../../../src/engine/saga/step-key.js';
import { moveInWords } from './moves-in-words.js';

interface Times {
  readonly retryMs?: number;
  readonly tryingMs?: number;
}

interface OfCall {
  readonly step: string;
  readonly direction: Direction;
}

/** `hotel` is the step forward, `hotel:undo` its way back, as in a key. */
export function callNamed(name: string): OfCall {
  const [step = name, undo] = name.split(':');
  return { step, direction: undo === undefined ? 'do' : 'undo' };
}

/**
 * A journal, told fact by fact. Each telling answers a new story; what follows from a fact is added
 * at once, as the record does it.
 */
export class Story {
  constructor(
    readonly saga: SagaDefinition,
    readonly lines: readonly JournalLine[] = [],
    readonly ticks: readonly Tick[] = [],
  ) {}

  add(fact: Fact): Story {
    const told = this.#with(fact);
    const more = consequencesOf(foldJournal(told.saga, told.lines), () => told.#newCase());
    return more.reduce<Story>((story, consequence) => story.add(consequence), told);
  }

  #with(fact: Fact): Story {
    return new Story(this.saga, [...this.lines, { ...fact, seq: this.#seq }], this.ticks);
  }

  get #seq(): number {
    return this.lines.length + 1;
  }

  #newCase(): string {
    return `case-${this.#seq}`;
  }

  begun(...calls: readonly string[]): Story {
    return calls.reduce<Story>((story, call) => {
      const attempt = story.#lastBegun(call) + 1;
      return story.add({ kind: 'begun', ...callNamed(call), attempt });
    }, this);
  }

  /** Ends the attempt in flight, or one that it begins. */
  ended(call: string, as: EndedAs): Story {
    const last = this.#lastBegun(call);
    const isInFlight = last > 0 && !this.#hasEnded(call, last);
    const story = isInFlight ? this : this.begun(call);
    const attempt = isInFlight ? last : last + 1;
    return story.late(call, attempt, as);
  }

  /** A fact about an attempt, whenever it comes. */
  late(call: string, attempt: number, as: EndedAs): Story {
    return this.add({ kind: 'ended', ...callNamed(call), attempt, ...as });
  }

  done(...calls: readonly string[]): Story {
    return calls.reduce<Story>((story, call) => story.ended(call, doneAs(`${call}-1`)), this);
  }

  refused(call: string, code = 'sold-out'): Story {
    return this.ended(call, { outcome: 'refused', code });
  }

  again(call: string, times: Times & { readonly counts?: boolean } = {}): Story {
    return this.ended(call, againAs(times));
  }

  unknown(call: string, times: Times = {}): Story {
    return this.ended(call, unknownAs(times));
  }

  /** The same attempt after attempt, `times` times. */
  many(times: number, tell: (story: Story) => Story): Story {
    return Array.from({ length: times }).reduce<Story>((story) => tell(story), this);
  }

  asked(call: string, as: AnsweredAs): Story {
    return this.add({ kind: 'asked', ...callNamed(call), ...as });
  }

  found(call: string, id = `${call}-1`): Story {
    return this.asked(call, { finding: 'found', provider_id: id });
  }

  notThere(call: string, { retryMs = 0, tryingMs = 0 }: Times = {}): Story {
    return this.asked(call, { finding: 'not-there', retry_ms: retryMs, trying_ms: tryingMs });
  }

  cannotTell(call: string, askingMs = 0, askAgainMs = 0): Story {
    return this.asked(call, {
      finding: 'cannot-tell',
      cause: 'timed-out',
      ask_again_ms: askAgainMs,
      asking_ms: askingMs,
    });
  }

  differs(call: string): Story {
    return this.asked(call, { finding: 'differs', cause: 'another-amount' });
  }

  keyExpired(call: string): Story {
    return this.add({ kind: 'key-expired', ...callNamed(call) });
  }

  cancelled(): Story {
    return this.add({ kind: 'cancel-accepted', by: 'customer' });
  }

  turned(because: Because): Story {
    return this.add({ kind: 'unwinding', because });
  }

  onDesk(call: string, problem: Problem): Story {
    return this.add({ kind: 'case-opened', case: this.#newCase(), problem, ...callNamed(call) });
  }

  /** Puts on the desk what belongs there now. */
  cased(): Story {
    return this.#moves().reduce<Story>((story, move) => {
      return move.kind === 'open-case' ? story.onDesk(nameOf(move), move.problem) : story;
    }, this);
  }

  /** Decides the oldest open case of the call. */
  verdict(call: string, verdict: Verdict, providerId: string | null = null): Story {
    const { step, direction } = callNamed(call);
    const open = [...foldJournal(this.saga, this.lines).openCases].find(
      ([, { of }]) => of.step === step && of.direction === direction,
    );
    if (open === undefined) throw new Error(`there is no open case of ${call}`);
    const given = { verdict, provider_id: providerId };
    return this.add({ kind: 'verdict', case: open[0], step, direction, ...given });
  }

  finished(as: Ending): Story {
    return this.add({ kind: 'finished', as });
  }

  ticked(...ticks: readonly Tick[]): Story {
    return new Story(this.saga, this.lines, [...this.ticks, ...ticks]);
  }

  slow(step: string): Story {
    return this.ticked({ kind: 'undo-slow', step });
  }

  deadlinePassed(): Story {
    return this.ticked({ kind: 'deadline-passed' });
  }

  /** What is done next, in words. */
  moves(): readonly string[] {
    return this.#moves().map(moveInWords);
  }

  view(): RunView {
    return viewRun(foldJournal(this.saga, this.lines));
  }

  /** The problems that lie open on the desk, with their calls. */
  desk(): readonly string[] {
    const { openCases } = foldJournal(this.saga, this.lines);
    return [...openCases.values()].map(({ problem, of }) => `${nameOf(of)}: ${problem}`);
  }

  /** What a cancel that comes now would be answered. */
  cancelAnswer(): CancelAnswer {
    return answerCancel(foldJournal(this.saga, this.lines));
  }

  #moves(): readonly Move[] {
    return nextMoves(this.saga, this.lines, this.ticks);
  }

  #lastBegun(call: string): number {
    const of = callNamed(call);
    return this.lines.reduce((last, line) => {
      const isOfCall = line.kind === 'begun' && isSame(line, of);
      return isOfCall ? Math.max(last, line.attempt) : last;
    }, 0);
  }

  #hasEnded(call: string, attempt: number): boolean {
    const of = callNamed(call);
    return this.lines.some(
      (line) => line.kind === 'ended' && isSame(line, of) && line.attempt === attempt,
    );
  }
}

function isSame(one: OfCall, other: OfCall): boolean {
  return one.step === other.step && one.direction === other.direction;
}

function nameOf({ step, direction }: OfCall): string {
  return direction === 'do' ? step : `${step}:undo`;
}

export function doneAs(id: string | null): EndedAs {
  return { outcome: 'done', provider_id: id };
}

export function againAs({
  retryMs = 0,
  tryingMs = 0,
  counts = true,
}: Times & { readonly counts?: boolean }): EndedAs {
  return { outcome: 'again', reason: 'busy', counts, retry_ms: retryMs, trying_ms: tryingMs };
}

export function unknownAs({ retryMs = 0, tryingMs = 0 }: Times = {}): EndedAs {
  return { outcome: 'unknown', cause: 'timed-out', retry_ms: retryMs, trying_ms: tryingMs };
}
