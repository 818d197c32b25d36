import { isSettled } from '../../../../src/engine/saga/call-state.js';
import { stepNamed } from '../../../../src/engine/saga/definition.js';
import type { Tick } from '../../../../src/engine/saga/journal.js';
import {
  callState,
  hasTicked,
  pivotDone,
  type RunState,
  type StepState,
} from '../../../../src/engine/saga/run-state.js';
import { stepKey, type Direction } from '../../../../src/engine/saga/step-key.js';
import type { Agenda } from './agenda.js';
import type { Providers } from './providers.js';
import type { RunRecord } from './record.js';

interface OfCall {
  readonly step: string;
  readonly direction: Direction;
}

/** Thrown when the kernel did what it promises never to do. */
export class BrokenPromise extends Error {
  override readonly name = 'BrokenPromise';
}

/** What must hold at the moment something is sent or takes effect. */
export class Promises {
  readonly #onTheWay = new Map<string, number>();
  readonly #undoBegunAt = new Map<string, number>();
  #turnedAt = 0;
  #openWhenTurned: ReadonlySet<string> = new Set();
  /** What the driver knows when it decides: its copy of the run, and the timers that have fired. */
  known: () => { readonly run: RunState; readonly ticks: readonly Tick[] };

  constructor(
    readonly record: RunRecord,
    readonly providers: Providers,
    readonly agenda: Agenda,
  ) {
    this.known = () => ({ run: record.state, ticks: [] });
  }

  whenTurning(now: number): void {
    const open = this.record.state.steps.filter(({ forward }) => !isSettled(forward));
    this.#turnedAt = now;
    this.#openWhenTurned = new Set(open.map(({ step }) => step.name));
  }

  willLand(key: string): void {
    this.#onTheWay.set(key, this.isOnTheWay(key) + 1);
  }

  /** How many requests under this key may still take effect. */
  isOnTheWay(key: string): number {
    return this.#onTheWay.get(key) ?? 0;
  }

  whenLanded({ step, direction }: OfCall, isEffect: boolean): void {
    const key = stepKey('run', step, direction);
    this.#onTheWay.set(key, this.isOnTheWay(key) - 1);
    if (isEffect && direction === 'do' && this.#undoBegunAt.has(step)) {
      throw new BrokenPromise(`${step} takes effect after its undo was sent`);
    }
  }

  beforeSending(of: OfCall, isInFlight: boolean): void {
    if (isInFlight) throw new BrokenPromise(`two attempts of ${of.step} at once`);
    if (of.direction === 'do') this.#beforeForward(of.step);
    else this.#beforeUndo(of.step);
  }

  #beforeForward(name: string): void {
    const run = this.record.state;
    const step = stepNamed(run.definition, name);
    const { unknowns, attempt } = callState(run, name, 'do');
    const learns = unknowns.length > 0 && step.forward.whenUnknown === 'retry-with-key';
    const turned = run.unwindingBecause !== null || run.cancelAccepted;
    if (turned && step.place !== 'after-pivot' && !learns) {
      throw new BrokenPromise(`${name} is new forward work after the run has turned`);
    }
    const { deadlineMs } = run.definition;
    const late = deadlineMs !== null && this.agenda.now >= deadlineMs;
    if (late && attempt === 0 && step.place !== 'after-pivot') {
      throw new BrokenPromise(`${name} is begun after the deadline`);
    }
    if (this.#undoBegunAt.has(name)) throw new BrokenPromise(`${name} is sent after its undo`);
  }

  #beforeUndo(name: string): void {
    const run = this.record.state;
    if (run.unwindingBecause === null) throw new BrokenPromise(`${name} is undone going forward`);
    if (pivotDone(run)) throw new BrokenPromise(`${name} is undone past the pivot`);
    const key = stepKey('run', name, 'do');
    const forward = callState(run, name, 'do');
    if (forward.phase !== 'done' || forward.inFlight !== null) {
      throw new BrokenPromise(`${name} is undone before its outcome is known`);
    }
    if (this.providers.under(key).length === 0) {
      throw new BrokenPromise(`${name} is undone and never happened`);
    }
    if (this.#undoBegunAt.has(name)) return;
    const { steps } = this.known().run;
    const later = steps.filter((state) => (state.forward.order ?? 0) > (forward.order ?? 0));
    for (const state of later) this.#mayPass(state, name);
    this.#undoBegunAt.set(name, this.agenda.now);
  }

  /**
   * An undo goes before that of a step that was started later: only if that one is slow or stuck.
   */
  #mayPass({ step, forward, undo }: StepState, passing: string): void {
    const isOwed = !isSettled(forward) || (forward.phase === 'done' && step.undo !== null);
    if (!isOwed || ['done', 'by-hand', 'left'].includes(undo.phase)) return;
    const broken = `the undo of ${passing} passes that of ${step.name}`;
    if (step.onStuckUndo === 'stop') throw new BrokenPromise(`${broken}, which stops it`);
    const call = isSettled(forward) ? undo : forward;
    if (call.openCase !== null) return;
    const isSlow = hasTicked(this.known().ticks, { kind: 'undo-slow', step: step.name });
    const since = this.#openWhenTurned.has(step.name)
      ? this.#turnedAt
      : this.#undoBegunAt.get(step.name);
    if (!isSlow || since === undefined) throw new BrokenPromise(`${broken} too soon`);
    if (this.agenda.now - since < this.record.saga.slowUndoMs) {
      throw new BrokenPromise(`${broken} after ${this.agenda.now - since} ms`);
    }
  }
}
