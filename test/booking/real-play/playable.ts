import { movesOf } from '../../../src/engine/saga/next-moves.js';
import type { Tick } from '../../../src/engine/saga/journal.js';
import type { Foretold } from './schedules.js';
import { gist, scriptOf, type Entry } from './script.js';

/** The worker is one process: what is in it when it is killed dies with it. */
const DIES_WITH_IT = 'a process dies while another call of the same process stands still';
/** A driver that is started anew would count from the beginning. */
const TIMER_OF_TEMPORAL =
  'all stands still until a slow undo is not waited for: the clock of Temporal cannot be moved';

/** It would ask first, and the timer that it had armed before is gone with it. */
const ASKS_FIRST =
  'the deadline passes while all stands still, and a question comes first: ' +
  'the clock of Temporal cannot be moved';
/** The explorer has it wait as one does that was never begun; what is unsent goes on at once. */
const NOTHING_TO_HURRY = 'retry now, of what was left unsent and goes on at once';
/** The driver is told, and settles it by its next move, which is the turn. */
const TURNS_FIRST = 'what was left unsent is settled after another has turned the run back';

/** Why a schedule cannot be played on the real servers; null: it can. */
export function unplayableBecause({ played }: Foretold): string | null {
  const script = scriptOf(played);
  if (diesBesideTheStill(played, script)) return DIES_WITH_IT;
  if (isSlowByStandingStill(played, script)) return TIMER_OF_TEMPORAL;
  if (asksFirst(played, script)) return ASKS_FIRST;
  if (hurriesTheUnsent(script)) return NOTHING_TO_HURRY;
  return turnsFirst(played, script) ? TURNS_FIRST : null;
}

type Played = Foretold['played'];

function diesBesideTheStill({ choices }: Played, script: readonly Entry[]): boolean {
  const spans = choices.flatMap(({ place, options, taken }) => {
    const { of = '', n } = place;
    if (place.form !== '{of}, attempt {n}') return [];
    const [step = '', undo] = of.split(':');
    const places = [...script.keys()].filter((index) => {
      const entry = script[index];
      if (entry?.kind !== 'line') return false;
      const { line } = entry;
      const isOf = 'attempt' in line && line.step === step && line.attempt === n;
      return isOf && (line.direction === 'undo') === (undo !== undefined);
    });
    return [{ words: options[taken] ?? '', from: places[0] ?? 0, to: places.at(-1) ?? 0 }];
  });
  const still = spans.filter(({ words }) => /much later|stands still/.test(words));
  const dying = spans.filter(({ words }) => words.startsWith('process dies'));
  return dying.some((one) => still.some(({ from, to }) => one.to > from && one.from < to));
}

/** Whether an undo begins because another is slow, and that one is so only because all stood. */
function isSlowByStandingStill({ saga, sent }: Played, script: readonly Entry[]): boolean {
  const stood = script.flatMap((entry, index) => {
    const isStill = entry.kind === 'deed' && isStandStill(entry.deed);
    return isStill ? [{ from: entry.at, to: script[index + 1]?.at ?? entry.at }] : [];
  });
  return stood.some(({ from, to }) => {
    const known = sent.filter(({ at }) => at <= from).flatMap(({ driver }) => driver.ticks);
    const soon = sent.filter(({ at }) => at >= to && at < to + saga.slowUndoMs);
    const slow = soon.flatMap(({ driver }) => driver.ticks).filter(isSlowUndo);
    return slow.some(({ step }) => !known.filter(isSlowUndo).some((one) => one.step === step));
  });
}

function asksFirst(played: Played, script: readonly Entry[]): boolean {
  return script.some((entry, index) => {
    const [before, after] = [script[index - 1], script[index + 1]];
    if (entry.kind !== 'deed' || !isStandStill(entry.deed) || before?.kind !== 'line') return false;
    const isTurn = after?.kind === 'line' && gist(after.line) === 'unwinding deadline';
    return isTurn && isDue(played, before.line.seq, 'ask');
  });
}

function hurriesTheUnsent(script: readonly Entry[]): boolean {
  return script.some((entry, index) => {
    const { deed } = entry.kind === 'deed' ? entry : { deed: null };
    const isHurry = deed?.kind === 'comes-between' && deed.what === 'an operator says retry now';
    return isHurry && isSpared(script[index - 1]);
  });
}

function turnsFirst(played: Played, script: readonly Entry[]): boolean {
  return script.some((entry) => {
    return entry.kind === 'line' && isSpared(entry) && isDue(played, entry.line.seq - 1, 'unwind');
  });
}

function isSpared(entry: Entry | undefined): boolean {
  if (entry?.kind !== 'line' || entry.line.kind !== 'ended') return false;
  return entry.line.outcome === 'again' && !entry.line.counts;
}

/** Whether a driver that knows the journal up to this line would begin such a move. */
function isDue({ states }: Played, seq: number, kind: 'ask' | 'unwind'): boolean {
  const state = states.find(({ lastSeq }) => lastSeq === seq);
  return state !== undefined && movesOf(state, []).some((move) => move.kind === kind);
}

function isStandStill(deed: (Entry & { readonly kind: 'deed' })['deed']): boolean {
  return deed.kind === 'comes-between' && deed.what.startsWith('all stands still');
}

function isSlowUndo(tick: Tick): tick is Tick & { readonly kind: 'undo-slow' } {
  return tick.kind === 'undo-slow';
}
