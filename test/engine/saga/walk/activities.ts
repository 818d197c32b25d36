import { isSettled } from '../../../../src/engine/saga/call-state.js';
import { callOf, stepNamed, type CallDefinition } from '../../../../src/engine/saga/definition.js';
import { hindranceTo } from '../../../../src/engine/saga/hindrance.js';
import type { EndedAs, Tick } from '../../../../src/engine/saga/journal.js';
import { movesOf, turnsBackBecause, type Move } from '../../../../src/engine/saga/next-moves.js';
import { callState } from '../../../../src/engine/saga/run-state.js';
import { stepKey, type Direction } from '../../../../src/engine/saga/step-key.js';
import { moveInWords } from '../moves-in-words.js';
import type { Agenda } from './agenda.js';
import type { Chance } from './chance.js';
import { goodFate, fates, type Fate } from './fates.js';
import type { Promises } from './promises.js';
import { KEY_WINDOW_MS, SETTLES_MS, type Providers } from './providers.js';
import type { RunRecord } from './record.js';

/** What a driver is told when an activity is over, beside the news of the record. */
export interface Told {
  readonly holdMs?: number;
  readonly stopped?: 'deadline';
}

export type ActivityMove = Exclude<Move, { readonly kind: 'wait' }>;

interface OfCall {
  readonly step: string;
  readonly direction: Direction;
}

interface AttemptRow extends OfCall {
  readonly attempt: number;
  readonly sendBy: number;
  state: 'sending' | 'unknown' | 'settled';
}

const QUICK_MS = 50;

/**
 * The activities of the engine, in memory: begin, call and end with a provider between them, each
 * as the real ones do it, and with all the luck that a call can have.
 */
export class Activities {
  readonly rows: AttemptRow[] = [];
  readonly #firstBegun = new Map<string, number>();
  readonly #firstAsked = new Map<string, number>();

  constructor(
    readonly record: RunRecord,
    readonly providers: Providers,
    readonly agenda: Agenda,
    readonly chance: Chance,
    readonly promises: Promises,
  ) {}

  /** Has a move done; `over` is told when it is. */
  perform(move: ActivityMove, over: (told: Told) => void): void {
    switch (move.kind) {
      case 'call':
        return this.#call(move, over);
      case 'ask':
        return this.#ask(move, over);
      case 'read':
        return this.#soon(over, () => this.#read(move, move.attempt));
      case 'open-case':
        return this.#soon(over, () => this.#openCase(move));
      case 'unwind':
        return this.#soon(over, () => this.#unwind(move.because === 'deadline'));
      case 'finish':
        return this.#soon(over, () => this.#finish(move));
    }
  }

  #soon(over: (told: Told) => void, work: () => Told): void {
    this.agenda.after(1, () => over(work()));
  }

  #call(of: OfCall & { readonly attempt: number }, over: (told: Told) => void): void {
    const row = this.#row(of, of.attempt);
    if (row?.state === 'sending') return this.#soon(over, () => this.#read(of, of.attempt));
    const hindrance = hindranceTo(this.record.state, of, {
      deadlineHasPassed: this.#deadlineHasPassed(),
      keyIsTooOld: this.#keyIsTooOld(of),
    });
    if (hindrance === 'deadline') return this.#soon(over, () => ({ stopped: 'deadline' }));
    if (hindrance === 'key-too-old') {
      this.record.append({ kind: 'key-expired', step: of.step, direction: of.direction });
    }
    if (hindrance !== null) return this.#soon(over, () => ({}));
    this.#send(of, over);
  }

  #send(of: OfCall & { readonly attempt: number }, over: (told: Told) => void): void {
    const { timeoutMs } = this.#definition(of);
    const sendBy = this.agenda.now + timeoutMs;
    const { step, direction, attempt } = of;
    const row: AttemptRow = { step, direction, attempt, sendBy, state: 'sending' };
    this.promises.beforeSending(of, this.#isInFlight(of));
    this.rows.push(row);
    const key = keyOf(of);
    if (!this.#firstBegun.has(key)) this.#firstBegun.set(key, this.agenda.now);
    this.record.append({ kind: 'begun', step, direction, attempt });
    const fate = this.chance.pick(goodFate, ...fates(direction));
    this.agenda.note(`${moveInWords({ kind: 'call', ...of })}: ${fate.words}`);
    this.#meet(fate, row, over);
  }

  #meet(fate: Fate, row: AttemptRow, over: (told: Told) => void): void {
    const { timeoutMs } = this.#definition(row);
    if (fate.landsMs !== null) {
      const landsMs = fate.landsMs === 'late' ? timeoutMs + this.#lateness() : fate.landsMs;
      this.promises.willLand(keyOf(row));
      this.agenda.after(landsMs, () => this.#land(row));
    }
    const endsMs = fate.seen === 'unknown' ? timeoutMs : QUICK_MS * 2;
    if (fate.seen === null) {
      this.agenda.after(timeoutMs, () => over({}));
    } else {
      const { seen } = fate;
      this.agenda.after(endsMs, () => {
        this.#end(row, seen);
        over({});
      });
    }
    if (fate.later !== null) {
      const { later } = fate;
      const laterMs = this.chance.pick(20_000, 300_000, 3_600_000);
      this.agenda.after(laterMs, () => this.#end(row, later));
    }
  }

  #lateness(): number {
    return this.chance.pick(1, SETTLES_MS - 1);
  }

  #land(row: AttemptRow): void {
    const key = keyOf(row);
    const before = this.providers.effects.length;
    const id = this.providers.perform(key, this.#definition(row).whenUnknown, this.agenda.now);
    const isEffect = this.providers.effects.length > before;
    this.agenda.note(`${key} ${isEffect ? 'takes effect' : 'is known already'}: ${id}`);
    this.promises.whenLanded(row, isEffect);
  }

  /** A fact is a fact: it is written from `sending` or `unknown`, after the end too. */
  #end(row: AttemptRow, seen: Exclude<Fate['seen'], null>): void {
    if (row.state === 'settled' || (row.state === 'unknown' && seen === 'unknown')) return;
    row.state = seen === 'unknown' ? 'unknown' : 'settled';
    const { step, direction, attempt } = row;
    this.agenda.note(`${keyOf(row)}, attempt ${attempt}, is told to be ${seen}`);
    this.record.append({ kind: 'ended', step, direction, attempt, ...this.#endedAs(row, seen) });
    this.#closeWithIt();
  }

  /** The end of the last attempt is the end of the run; a cancelled one ends by a move. */
  #closeWithIt(): void {
    const [move, ...others] = movesOf(this.record.state, []);
    if (move?.kind === 'finish' && move.as !== 'cancelled' && others.length === 0) {
      this.#finish(move);
    }
  }

  #endedAs(row: AttemptRow, seen: Exclude<Fate['seen'], null>): EndedAs {
    const trying = this.agenda.now - (this.#firstBegun.get(keyOf(row)) ?? 0);
    const times = { retry_ms: this.chance.pick(100, 0, 20_000, 400_000), trying_ms: trying };
    switch (seen) {
      case 'done': {
        const made = this.providers.under(keyOf(row)).at(-1);
        return { outcome: 'done', provider_id: made?.id ?? null };
      }
      case 'unknown':
        return { outcome: 'unknown', cause: 'timed-out', ...times };
      case 'again':
      case 'not-sent':
        return { outcome: 'again', reason: seen, counts: seen === 'again', ...times };
      case 'sold-out':
      case 'no-such-thing':
        return { outcome: 'refused', code: seen };
    }
  }

  #ask(of: OfCall, over: (told: Told) => void): void {
    const key = keyOf(of);
    const { attempt } = callState(this.record.state, of.step, of.direction);
    const asked = this.agenda.now;
    if (!this.#firstAsked.has(key)) this.#firstAsked.set(key, asked);
    const luck = this.chance.pick('answers', 'is silent', 'holds something else');
    const settlesInMs =
      Math.max(...this.rowsOf(of).map(({ sendBy }) => sendBy)) + SETTLES_MS - asked;
    this.agenda.after(luck === 'is silent' ? 10_000 : QUICK_MS, () => {
      const call = callState(this.record.state, of.step, of.direction);
      const isOver = this.record.state.finishedAs !== null || isSettled(call);
      if (!isOver && call.attempt === attempt) this.#answer(of, luck, settlesInMs);
      over({});
    });
  }

  #answer(of: OfCall, luck: string, settlesInMs: number): void {
    const { step, direction } = of;
    const asked = { kind: 'asked', step, direction } as const;
    const [effect] = this.providers.under(keyOf(of));
    const times = {
      retry_ms: 100,
      trying_ms: this.agenda.now - (this.#firstBegun.get(keyOf(of)) ?? 0),
    };
    const asking_ms = this.agenda.now - (this.#firstAsked.get(keyOf(of)) ?? 0);
    const tellNothing = (cause: string, ask_again_ms: number): void =>
      this.record.append({ ...asked, finding: 'cannot-tell', cause, ask_again_ms, asking_ms });
    this.agenda.note(`asked about ${keyOf(of)}: ${luck}, ${effect?.id ?? 'nothing there'}`);
    if (luck === 'is silent') return tellNothing('timed-out', this.chance.pick(1_000, 600_000));
    if (effect !== undefined && luck === 'answers') {
      return this.record.append({ ...asked, finding: 'found', provider_id: effect.id });
    }
    if (effect !== undefined) {
      return this.record.append({ ...asked, finding: 'differs', cause: 'another-amount' });
    }
    if (settlesInMs > 0) return tellNothing('not-settled', settlesInMs);
    return this.record.append({ ...asked, finding: 'not-there', ...times });
  }

  #read(of: OfCall, attempt: number): Told {
    const row = this.#row(of, attempt);
    if (row?.state !== 'sending') return {};
    const waitMs = row.sendBy + SETTLES_MS - this.agenda.now;
    if (waitMs > 0) return { holdMs: waitMs };
    this.#end(row, 'unknown');
    return {};
  }

  #openCase(move: Move & { readonly kind: 'open-case' }): Told {
    const { step, direction, problem } = move;
    const words = moveInWords(move);
    if (!movesOf(this.record.state, []).some((one) => moveInWords(one) === words)) return {};
    this.agenda.note(words);
    const id = `case-${this.record.lines.length + 1}`;
    this.record.append({ kind: 'case-opened', case: id, step, direction, problem });
    return {};
  }

  #unwind(isOfDeadline: boolean): Told {
    const because = turnsBackBecause(this.record.state, this.#deadlineTick());
    if (because === null) {
      const { deadlineMs } = this.record.saga;
      const earlyMs = (deadlineMs ?? 0) - this.agenda.now;
      return isOfDeadline && earlyMs > 0 ? { holdMs: earlyMs } : {};
    }
    this.agenda.note(`turns back: ${because}`);
    this.promises.whenTurning(this.agenda.now);
    this.record.append({ kind: 'unwinding', because });
    return {};
  }

  #finish({ as }: Move & { readonly kind: 'finish' }): Told {
    const isDue = movesOf(this.record.state, this.#deadlineTick()).some(
      (move) => move.kind === 'finish' && move.as === as,
    );
    if (!isDue) return {};
    this.agenda.note(`ends as ${as}`);
    this.record.append({ kind: 'finished', as });
    return {};
  }

  #deadlineHasPassed(): boolean {
    const { deadlineMs } = this.record.saga;
    return deadlineMs !== null && this.agenda.now >= deadlineMs;
  }

  #deadlineTick(): readonly Tick[] {
    return this.#deadlineHasPassed() ? [{ kind: 'deadline-passed' }] : [];
  }

  /** The last moment at which it could arrive must lie within what the provider promises. */
  #keyIsTooOld(of: OfCall): boolean {
    const first = this.#firstBegun.get(keyOf(of));
    const arrives = this.agenda.now + this.#definition(of).timeoutMs + SETTLES_MS;
    return first !== undefined && arrives >= first + KEY_WINDOW_MS;
  }

  #isInFlight(of: OfCall): boolean {
    return this.rowsOf(of).some(({ state }) => state === 'sending');
  }

  rowsOf(of: OfCall): readonly AttemptRow[] {
    return this.rows.filter((row) => keyOf(row) === keyOf(of));
  }

  #row(of: OfCall, attempt: number): AttemptRow | undefined {
    return this.rowsOf(of).find((row) => row.attempt === attempt);
  }

  #definition(of: OfCall): CallDefinition {
    const call = callOf(stepNamed(this.record.saga, of.step), of.direction);
    if (call === null) throw new Error(`${of.step} has no undo`);
    return call;
  }
}

export function keyOf(of: OfCall): string {
  return stepKey('run', of.step, of.direction);
}
