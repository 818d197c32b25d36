import { setTimeout as pause } from 'node:timers/promises';
import type { JournalLine } from '../../../src/engine/saga/journal.js';
import type { Waiting } from '../../support/gate.js';
import type { GateAnswer } from '../../support/worker-gate.js';
import type { AskCue, Cue, Cues, Times } from './cues.js';
import type { Deeds } from './deeds.js';
import { callOf, isCall, isQuestion, nameOf, why } from './naming.js';
import type { Foretold } from './schedules.js';
import { gist, isSoft, scriptOf, type Deed, type Entry } from './script.js';

const ON: GateAnswer = { go: 'on' };
const DROP: GateAnswer = { go: 'drop' };
/** Activities that only read, and write nothing of their own accord. */
const READERS = ['read-journal', 'note-cancel', 'record'];
/** How it begins to be said that nothing came for long. */
export const IN_VAIN = 'waits in vain';
const TURNS_LATE = 'unwinding deadline';
/** So long after all stood still every other move of a driver has come to the gate. */
const QUIET_MS = 4_000;
/** Until a late effect has landed its key is at work, and the provider would say so. */
const LANDED_MS = 500;

/** The rest of an ending: how far the run came, and why no further. */
export type Course = { readonly is: 'on-its-way' | 'over' } | { readonly lost: string };

/**
 * One run on the real servers, brought along the way that was foretold: its activities wait at the
 * gate until it is their turn, and between two lines of its journal is done what has to be done.
 */
export class TripPlay {
  readonly heard: JournalLine[] = [];
  course: Course = { is: 'on-its-way' };
  /** When it last got further. */
  movedAt = performance.now();
  readonly #script: readonly Entry[];
  readonly #cases = new Map<string, string>();
  readonly #asked = new Map<string, number>();
  readonly #landsUntil = new Map<string, number>();
  readonly #gone = new Set<string>();
  /** The attempts whose process was killed. */
  readonly #killed = new Set<string>();
  readonly #prepared = new Map<Waiting, 'on-its-way' | 'done'>();
  #waiting: Waiting[] = [];
  /** Up to when it has heard everything. */
  #heardUntil = 0;
  #place = 0;
  #acts = false;
  #decided = -1;
  /** What an earlier driver began ends once the next one has come. */
  #orphansWait = false;
  /** It was asked after an effect landed, killed after it was given up, or went past a deed. */
  #wasLate = false;
  /** Something that comes in between was not taken, or not in time. */
  #couldNotAct = false;
  /** All stood still until its deadline, which its driver has a timer for. */
  #isLate = false;

  constructor(
    readonly run: string,
    readonly foretold: Foretold,
    readonly cues: Cues,
    private readonly deeds: Deeds,
    private readonly times: Times,
  ) {
    this.#script = scriptOf(foretold.played);
  }

  /** What comes next, in words. */
  get next(): string {
    const entry = this.#script[this.#place];
    if (entry === undefined) return 'nothing more';
    return entry.kind === 'line' ? gist(entry.line) : JSON.stringify(entry.deed);
  }

  /** What waits at the gate, in words. */
  get held(): string {
    const names = this.#waiting.map((one) => `${one.stage} of ${one.activity} ${nameOf(one.ask)}`);
    return `holds ${names.join(', ') || 'nothing'}`;
  }

  get lastSeq(): number {
    return this.heard.at(-1)?.seq ?? 0;
  }

  get isLost(): boolean {
    return 'lost' in this.course;
  }

  /**
   * Whether it was lost over something that nobody had foretold and that a slow machine does by
   * itself: nothing came for long, or what had to be done came too late to be taken, or an attempt
   * came to nothing, or timed out, though the provider was not told to fail.
   */
  get isDisturbed(): boolean {
    if (!('lost' in this.course)) return false;
    const isOdd = (line: JournalLine): boolean => {
      if (line.kind !== 'ended') return false;
      if (line.outcome === 'again' && line.reason === 'never-begun') return true;
      const isOpen = line.outcome === 'again' || line.outcome === 'unknown';
      return isOpen && (this.#cueOf(line)?.words ?? 'done') === 'done';
    };
    return (
      this.#wasLate ||
      this.#couldNotAct ||
      this.course.lost.startsWith(IN_VAIN) ||
      this.heard.some(isOdd)
    );
  }

  /** An activity of the run waits at the gate. */
  arrives(waiting: Waiting): void {
    this.#waiting.push(waiting);
    if (waiting.stage === 'end') this.#noteEnd(waiting);
  }

  /** The journal has a line more. */
  hears(line: JournalLine): void {
    this.heard.push(line);
    const place = this.#placeOf((entry) => gist(entry) === gist(line));
    if (place === null) {
      if (isSoft(line)) return;
      const next = this.#script[this.#place];
      this.#wasLate = this.#acts || (next?.kind === 'line' && isSoft(next.line));
      return this.#lose(`wrote "${gist(line)}"${why(line)}, and not "${this.next}"`);
    }
    if (line.kind === 'ended' && this.#cueOf(line)?.dies && !this.#killed.has(nameOf(line))) {
      this.#wasLate = true;
      return this.#lose(`was given up before its process died: ${nameOf(line)}`);
    }
    const entry = this.#script[place];
    if (entry?.kind === 'line' && entry.line.kind === 'case-opened') {
      if (line.kind === 'case-opened') this.#cases.set(entry.line.case, line.case);
    }
    this.#goTo(place + 1);
  }

  /**
   * Does what is due, and lets go on whoever's turn it is, of those that waited already when the
   * journal was read last: what they wrote before is known.
   */
  turn(heardUntil = this.#heardUntil): void {
    this.#heardUntil = heardUntil;
    this.#waiting = this.#waiting.filter((one) => !one.isOver());
    const entry = this.#script[this.#place];
    if (entry === undefined && !this.isLost && !this.#acts) this.course = { is: 'over' };
    if (!this.#acts && !this.isLost) {
      if (entry?.kind === 'deed') return this.#act(() => this.#do(entry.deed), this.#place + 1);
      if (entry?.kind === 'line' && entry.line.kind === 'verdict') this.#decide(entry.line);
      if (this.#isTimerDue(entry)) return this.#act(() => this.#startAnew(), this.#place);
    }
    for (const waiting of this.#waiting) {
      if (waiting.since >= heardUntil && !this.isLost) continue;
      const answer = this.#answerTo(waiting);
      if (answer !== null) waiting.answer(answer);
    }
    this.#waiting = this.#waiting.filter((one) => !one.isOver());
  }

  /**
   * The process that has to be killed now: of the run nothing else is on its way there. Null: none
   * has to be.
   */
  dyingIn(): number | null {
    if (this.isLost || this.#acts) return null;
    const entry = this.#script[this.#place];
    if (entry?.kind !== 'line' || entry.line.kind !== 'ended') return null;
    if (this.#cueOf(entry.line)?.dies !== true) return null;
    const dying = this.#waiting.filter((one) => this.#isDying(one));
    const inFlight = this.#inFlight();
    const all = inFlight.every((name) => dying.some((one) => nameOf(one.ask) === name));
    return all && dying.length > 0 ? (dying[0]?.pid ?? null) : null;
  }

  /** Its process is about to be killed. */
  dies(): void {
    for (const name of this.#inFlight()) this.#killed.add(name);
  }

  #isDying(waiting: Waiting): boolean {
    return waiting.stage === 'end' && this.#cueFor(waiting)?.dies === true;
  }

  /** The attempts that are begun and not ended, by the journal. */
  #inFlight(): readonly string[] {
    const begun = this.heard.flatMap((line) => (line.kind === 'begun' ? [nameOf(line)] : []));
    const ended = this.heard.flatMap((line) => (line.kind === 'ended' ? [nameOf(line)] : []));
    return begun.filter((name) => !ended.includes(name));
  }

  #noteEnd(waiting: Waiting): void {
    if (this.#cueFor(waiting)?.landsLate !== true) return;
    const lateMs = this.times.settlesMs / 2 + LANDED_MS;
    this.#landsUntil.set(callOf(waiting.ask), performance.now() + lateMs);
  }

  #goTo(place: number): void {
    this.#place = place;
    this.movedAt = performance.now();
  }

  #lose(why: string): void {
    if (!this.isLost) this.course = { lost: why };
  }

  #act(work: () => Promise<void>, then: number): void {
    this.#acts = true;
    this.#goTo(then);
    work().then(
      () => {
        this.#acts = false;
        this.movedAt = performance.now();
        this.turn();
      },
      (error: unknown) => {
        this.#acts = false;
        this.#couldNotAct = true;
        this.#lose(error instanceof Error ? error.message : String(error));
        this.turn();
      },
    );
  }

  /**
   * The clock of Temporal cannot be moved: a driver that has nothing to wait for but its timer is
   * started anew, and finds that the deadline has passed.
   */
  #isTimerDue(entry: Entry | undefined): boolean {
    const isTurn = entry?.kind === 'line' && this.next === TURNS_LATE;
    if (!this.#isLate || !isTurn || performance.now() - this.movedAt < QUIET_MS) return false;
    this.#isLate = false;
    return !this.#waiting.some(({ activity }) => activity === 'unwind');
  }

  async #startAnew(): Promise<void> {
    const before = await this.deeds.startAnew(this.run);
    this.#gone.add(before);
    this.#orphansWait = true;
    void this.deeds.takenOver(this.run, before).finally(() => (this.#orphansWait = false));
  }

  #decide(line: JournalLine & { readonly kind: 'verdict' }): void {
    if (this.#decided === this.#place) return;
    this.#decided = this.#place;
    const id = this.#cases.get(line.case);
    if (id === undefined) return this.#lose(`there is no ${line.case} to decide`);
    this.#act(() => this.deeds.decide(this.run, id, line), this.#place);
  }

  async #do(deed: Deed): Promise<void> {
    switch (deed.kind) {
      case 'cancel':
        return this.deeds.cancel(this.run, deed.answer);
      case 'hold-news':
        return this.deeds.holdNews(this.run);
      case 'free-news':
        return this.deeds.freeNews(this.run);
      case 'comes-between':
        return this.#comeBetween(deed.what);
    }
  }

  async #comeBetween(what: (Deed & { readonly kind: 'comes-between' })['what']): Promise<void> {
    switch (what) {
      case 'an operator says retry now':
        return this.deeds.act(this.run, 'retry-now');
      case 'an operator abandons it':
        return this.deeds.act(this.run, 'abandon');
      case 'the driver starts anew':
        return this.#startAnew();
      case 'all stands still until the deadline':
      case 'all stands still for a day': {
        this.#isLate = true;
        // The providers do not stand still: what is on its way to them lands meanwhile.
        await pause(Math.max(0, ...this.#landsUntil.values()) - performance.now());
        const at = this.#script[this.#place - 1]?.at ?? 0;
        const leftMs = (this.foretold.played.saga.deadlineMs ?? 0) - at;
        return this.deeds.standStill(this.run, what, leftMs);
      }
      case 'nothing comes in between':
        return;
    }
  }

  /** What a waiting activity is answered; null: it is not its turn. */
  #answerTo(waiting: Waiting): GateAnswer | null {
    if (this.#gone.has(waiting.execution) && waiting.stage === 'start') return DROP;
    if (this.isLost) return ON;
    const cue = this.#cueFor(waiting);
    if (waiting.stage === 'end' && cue?.dies) return null;
    if (this.#orphansWait && this.#gone.has(waiting.execution)) return null;
    if (READERS.includes(waiting.activity)) return ON;
    if (this.#acts || this.#script[this.#place]?.kind === 'deed') return null;
    const place = this.#placeOfWork(waiting, cue);
    if (place === 'later') return null;
    if (isQuestion(waiting) && !this.#isPrepared(waiting)) return null;
    if (waiting.stage === 'end') return ON;
    const landsMs = this.#landsUntil.get(callOf(waiting.ask)) ?? 0;
    if (isCall(waiting) && performance.now() < landsMs) return null;
    return { ...ON, ...cue?.treatment };
  }

  /** Whether everything has been done that makes a question go as it should; else it is done. */
  #isPrepared(waiting: Waiting): boolean {
    const state = this.#prepared.get(waiting);
    if (state !== undefined) return state === 'done';
    const call = callOf(waiting.ask);
    const asked = (this.#asked.get(call) ?? 0) + (waiting.stage === 'start' ? 1 : 0);
    this.#asked.set(call, asked);
    const cue = this.cues.questions.get(`${call}:${asked}`);
    const work = cue && this.#workFor(cue, waiting);
    this.#prepared.set(waiting, work === undefined ? 'done' : 'on-its-way');
    work?.then(
      () => this.#prepared.set(waiting, 'done'),
      (error: unknown) => this.#lose(String(error)),
    );
    return work === undefined;
  }

  #workFor(cue: AskCue, { stage, ask }: Waiting): Promise<void> | undefined {
    const { step, direction } = ask as { readonly step: string; readonly direction: string };
    if (cue === 'is silent for long' && stage === 'end') {
      const { stuckAfterMs } = this.foretold.played.saga;
      return this.deeds.haveAskedFor(this.run, step, direction, stuckAfterMs);
    }
    const finds = this.#script.slice(this.#place).find((entry) => {
      return entry.kind === 'line' && entry.line.kind === 'asked' && !isSoft(entry.line);
    });
    const differs = finds?.kind === 'line' && gist(finds.line) === `asked ${step} do differs`;
    const isSeat = cue === 'holds something else' && step === 'flight' && stage === 'start';
    return isSeat && differs ? this.deeds.putAnotherSeat(this.run) : undefined;
  }

  /** Whether what an activity would write comes next. */
  #placeOfWork(waiting: Waiting, cue: Cue | undefined): 'next' | 'later' {
    const wanted = this.#wantedBy(waiting, cue);
    if (wanted === null) return 'next';
    if (this.#placeOf(wanted) !== null) return 'next';
    const comes = this.#script.slice(this.#place).some((entry) => {
      return entry.kind === 'line' && wanted(entry.line);
    });
    // What never comes is let go, and is heard of if it writes anything.
    const holds =
      this.#wouldForestall(waiting) || (cue?.comesLater === true && waiting.stage === 'end');
    return comes || (holds && this.#place < this.#script.length) ? 'later' : 'next';
  }

  /**
   * Whether it would say that its key is too old before the timer of the deadline fires, which it
   * would not have got to: that timer cannot be moved, and would have fired at once.
   */
  #wouldForestall({ stage, ask }: Waiting): boolean {
    const isAgain = stage === 'start' && Number(ask['attempt']) > 1;
    return this.#isLate && isAgain && this.next === TURNS_LATE;
  }

  /** The lines that an activity may write; null: any. */
  #wantedBy(waiting: Waiting, cue: Cue | undefined): ((line: JournalLine) => boolean) | null {
    const { stage, activity, ask } = waiting;
    const isOf = (line: JournalLine): boolean => 'step' in line && callOf(line) === callOf(ask);
    const isAttempt = (line: JournalLine): boolean =>
      isOf(line) && 'attempt' in line && line.attempt === ask['attempt'];
    switch (activity) {
      case 'unwind':
        return ({ kind }) => kind === 'unwinding';
      case 'finish':
        return ({ kind }) => kind === 'finished';
      case 'open-case':
        return (line) =>
          line.kind === 'case-opened' && isOf(line) && line.problem === ask['problem'];
      case 'read-attempt':
        return (line) => line.kind === 'ended' && isAttempt(line) && line.outcome === 'unknown';
    }
    if (!isCall(waiting)) {
      return stage === 'start' ? null : (line) => line.kind === 'asked' && isOf(line);
    }
    if (stage === 'start') return (line) => line.kind === 'begun' && isAttempt(line);
    const isLate = cue?.comesLater === true;
    return (line) =>
      line.kind === 'ended' && isAttempt(line) && !(isLate && line.outcome === 'unknown');
  }

  /** The place of a line that may come now: nothing but soft lines are before it. */
  #placeOf(isWanted: (line: JournalLine) => boolean): number | null {
    for (let place = this.#place; place < this.#script.length; place += 1) {
      const entry = this.#script[place];
      if (entry?.kind !== 'line') return null;
      if (isWanted(entry.line)) return place;
      if (!isSoft(entry.line)) return null;
    }
    return null;
  }

  #cueFor(waiting: Waiting): Cue | undefined {
    return isCall(waiting) ? this.cues.attempts.get(nameOf(waiting.ask)) : undefined;
  }

  #cueOf(line: JournalLine & { readonly kind: 'ended' }): Cue | undefined {
    return this.cues.attempts.get(nameOf(line));
  }
}
