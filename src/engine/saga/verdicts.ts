import type { Place } from './definition.js';
import type { Problem, Verdict } from './journal.js';
import type { Direction } from './step-key.js';

export interface AllowedVerdict {
  readonly verdict: Verdict;
  /** Whether the value must be given, as the act's own schema reads it. */
  readonly needsValue: boolean;
  /** What it will do, in a sentence. */
  readonly effect: string;
}

/** What a case is about, as far as verdicts depend on it. */
export interface CaseSubject {
  readonly problem: Problem;
  readonly direction: Direction;
  readonly place: Place;
  /** Whether the step has an undo. */
  readonly undoable: boolean;
  readonly unwinding: boolean;
  readonly ended: boolean;
}

/** The verdicts a person may give, and what each will do: the table of docs/states.md. */
export function allowedVerdicts(subject: CaseSubject): readonly AllowedVerdict[] {
  if (subject.ended || subject.problem === 'contradiction') return onlyNoted();
  if (subject.direction === 'undo') return ofUndo();
  return ofForward(subject);
}

function verdict(name: Verdict, effect: string, needsValue = false): AllowedVerdict {
  return { verdict: name, needsValue, effect };
}

/** The course of the run is settled: a verdict closes the case and is on record, no more. */
function onlyNoted(): readonly AllowedVerdict[] {
  const effect = 'Closes the case with this on record. The run itself does not change.';
  return [
    verdict('happened', effect),
    verdict('did-not-happen', effect),
    verdict('undone-by-hand', effect),
    verdict('left-as-is', effect),
  ];
}

function ofUndo(): readonly AllowedVerdict[] {
  return [
    verdict('happened', 'The undo counts as done. Nothing is sent; the run goes on.'),
    verdict('did-not-happen', 'The undo is sent again under the same key.'),
    verdict('undone-by-hand', 'The undo counts as done by hand. Nothing is sent.'),
    verdict('left-as-is', 'Nothing is sent. It is listed under what remains; ends closed by hand.'),
  ];
}

function ofForward(subject: CaseSubject): readonly AllowedVerdict[] {
  const { place, unwinding, undoable } = subject;
  const back = unwinding ? 'The unwinding goes on.' : 'The run turns back and undoes the rest.';
  const happened = unwinding
    ? `The step counts as done${undoable ? ' and is undone' : ''}. ${back}`
    : 'The step counts as done with the value you give, and the run goes on.';
  const anew = unwinding
    ? `The step counts as not done; its key is closed. ${back}`
    : 'The step is attempted again, if the deadline allows.';
  const left = 'The step is settled without a value and listed under what remains.';
  const past = place === 'after-pivot';
  const all = [
    verdict('happened', happened, true),
    verdict('did-not-happen', anew),
    verdict('left-as-is', `${left} ${past ? 'The run ends closed by hand.' : back}`),
  ];
  const byHand = verdict('undone-by-hand', `Counts as happened and undone by you. ${back}`);
  return past ? all : [...all, byHand];
}
