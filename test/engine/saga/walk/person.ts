import { stepNamed } from '../../../../src/engine/saga/definition.js';
import type { Verdict } from '../../../../src/engine/saga/journal.js';
import { callState, type Contradiction } from '../../../../src/engine/saga/run-state.js';
import { allowedVerdicts } from '../../../../src/engine/saga/verdicts.js';
import { keyOf } from './activities.js';
import type { Agenda } from './agenda.js';
import type { Chance } from './chance.js';
import type { Promises } from './promises.js';
import type { Providers } from './providers.js';
import type { RunRecord } from './record.js';

const LOOKS_AGAIN_MS = 20_000;

/** Somebody at the desk: looks at the provider, and says what is there. */
export class Person {
  readonly #seen = new Set<string>();

  constructor(
    readonly record: RunRecord,
    readonly providers: Providers,
    readonly agenda: Agenda,
    readonly chance: Chance,
    readonly promises: Promises,
  ) {}

  /** Takes up what is new on the desk; `decided` is told after each verdict. */
  watch(decided: () => void): void {
    for (const [id, { problem, of }] of this.record.state.openCases) {
      if (this.#seen.has(id)) continue;
      this.#seen.add(id);
      const ms = this.chance.pick(60_000, 1_000, 7_200_000);
      const isNoted = problem === 'contradiction';
      this.agenda.after(ms, () => this.#decide(id, of, isNoted, decided));
    }
  }

  #decide(id: string, of: Contradiction, isNoted: boolean, decided: () => void): void {
    const opened = this.record.state.openCases.get(id);
    if (opened === undefined) return;
    const verdict = isNoted ? 'left-as-is' : this.#choose(of);
    if (verdict === null) {
      this.agenda.after(LOOKS_AGAIN_MS, () => this.#decide(id, of, isNoted, decided));
      return;
    }
    if (!this.#isAllowed(verdict, of, opened.problem)) throw new Error(`${verdict} is not offered`);
    const { step, direction } = of;
    this.agenda.note(`a person says of ${keyOf(of)}: ${verdict}`);
    if (verdict === 'undone-by-hand') {
      this.providers.performByHand(keyOf({ step, direction: 'undo' }), this.agenda.now);
    }
    this.record.append({ kind: 'verdict', case: id, step, direction, verdict });
    decided();
  }

  /** Null while what is there may still change by itself. */
  #choose(of: Contradiction): Verdict | null {
    const key = keyOf(of);
    const { inFlight } = callState(this.record.state, of.step, of.direction);
    const onTheWay = this.promises.isOnTheWay(key);
    // What lands late is not there yet; but an attempt in flight is known to be in flight.
    if (onTheWay > (inFlight === null ? 0 : 1)) return null;
    const isThere = this.providers.under(key).length > 0;
    if (isThere) return this.#ofWhatIsThere(of);
    if (of.direction === 'undo' && inFlight === null) {
      return this.chance.pick('did-not-happen', 'undone-by-hand', 'left-as-is');
    }
    return this.chance.pick('did-not-happen', inFlight === null ? 'left-as-is' : 'did-not-happen');
  }

  #ofWhatIsThere(of: Contradiction): Verdict {
    const { place, undo } = stepNamed(this.record.saga, of.step);
    const byHand = of.direction === 'do' && place !== 'after-pivot' && undo !== null;
    return byHand
      ? this.chance.pick('happened', 'undone-by-hand', 'left-as-is')
      : this.chance.pick('happened', 'left-as-is');
  }

  #isAllowed(
    verdict: Verdict,
    of: Contradiction,
    problem: Parameters<typeof allowedVerdicts>[0]['problem'],
  ): boolean {
    const run = this.record.state;
    const { place, undo } = stepNamed(this.record.saga, of.step);
    const allowed = allowedVerdicts({
      problem,
      direction: of.direction,
      place,
      undoable: undo !== null,
      unwinding: run.unwindingBecause !== null || run.cancelAccepted,
      ended: run.finishedAs !== null,
    });
    return allowed.some((one) => one.verdict === verdict);
  }
}
