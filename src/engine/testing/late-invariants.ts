import { stepNamed } from '../saga/definition.js';
import type { AskedLine, JournalLine, VerdictLine } from '../saga/journal.js';
import { addLine, callState, type RunState } from '../saga/run-state.js';
import { callName } from './world.js';
import type { OfAttempt } from './happening.js';
import { ofEach, type Invariant } from './invariant.js';

/**
 * S9: "it took effect" counts, however late it comes. A call that a person has denied, or that its
 * provider did not find, is done from then on: it is not sent again, and is undone with the rest.
 * Where it speaks against a person, or can turn nothing any more, the desk hears of it. Nobody is
 * mistaken in a played run: so it is looked, from each denial on, what the record would say if that
 * word came next.
 */
export const believesLateWords: Invariant = {
  name: 'what took effect counts, however late that is told',
  broken: ({ written, states }) =>
    ofEach(written, ({ line }) => {
      if (!isDenial(line)) return null;
      const first = states.findIndex(({ lastSeq }) => lastSeq >= line.seq);
      const of = deniedBy(line, states[first - 1]);
      return of === null ? null : ofEach(states.slice(first), (state) => hears(state, of, line));
    }),
};

type Denial = (VerdictLine | AskedLine) & { readonly seq: number };

function isDenial(line: JournalLine): line is Denial {
  return (
    (line.kind === 'verdict' && line.verdict === 'did-not-happen') ||
    (line.kind === 'asked' && line.finding === 'not-there')
  );
}

/** The last attempt that might have taken effect by what was known before; null: there was none. */
function deniedBy({ step, direction }: Denial, before: RunState | undefined): OfAttempt | null {
  if (before === undefined) return null;
  const attempt = callState(before, step, direction).unknowns.at(-1);
  return attempt === undefined ? null : { step, direction, attempt };
}

function hears(state: RunState, of: OfAttempt, denial: Denial): string | null {
  const { phase } = callState(state, of.step, of.direction);
  if (phase === 'done') return null;
  const { step, direction, attempt } = of;
  const seq = state.lastSeq + 1;
  const word = { kind: 'ended', step, direction, attempt, outcome: 'done', seq } as const;
  const told = addLine(state, { ...word, provider_id: 'told late' });
  const said = `${callName(of)} was denied at line ${denial.seq}; that it took effect after all`;
  const turnsNothing = phase === 'by-hand' || phase === 'left' || isPastTurning(state, of);
  if (!turnsNothing && callState(told, step, direction).phase !== 'done') {
    return `${said}, told after line ${state.lastSeq}, would be ignored`;
  }
  const isForTheDesk = turnsNothing || denial.kind === 'verdict';
  return isForTheDesk && told.contradictions.length === state.contradictions.length
    ? `${said}, told after line ${state.lastSeq}, would be kept from the desk`
    : null;
}

/** The run has ended, or has turned away from its pivot. */
function isPastTurning(state: RunState, { step, direction }: OfAttempt): boolean {
  if (state.finishedAs !== null) return true;
  const hasTurned = state.cancelAccepted || state.unwindingBecause !== null;
  return hasTurned && direction === 'do' && stepNamed(state.definition, step).place === 'pivot';
}
