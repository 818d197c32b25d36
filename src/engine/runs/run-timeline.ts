import type {
  AnsweredAs,
  Because,
  CancelRefusal,
  EndedAs,
  Ending,
  Fact,
  Problem,
  Verdict,
} from '../saga/journal.js';
import type { Direction } from '../saga/step-key.js';

const CANCELLED_BY = {
  customer: 'by the customer',
  operator: 'by an operator',
  temporal: 'from Temporal',
} as const;

const BECAUSE: Readonly<Record<Because, string>> = {
  cancel: 'it was cancelled',
  refused: 'a step was refused',
  deadline: 'its deadline has passed',
  person: 'a person decided so',
};

const CANCEL_REFUSED: Readonly<Record<CancelRefusal, string>> = {
  'pivot-in-progress': 'the step that cannot be undone is in progress',
  'past-pivot': 'the step that cannot be undone took effect',
  'already-ended': 'the run has ended',
};

/** Why a case was opened, as the end of a sentence that begins with "because". */
export const PROBLEM_WORDS: Readonly<Record<Problem, string>> = {
  'unknown-outcome': 'nobody can say whether it took effect',
  'undo-stuck': 'the undo does not get done',
  'forward-stuck': 'it must be done, and does not get done',
  'found-differs': 'the provider holds something else than was asked for',
  'nothing-to-undo': 'the provider knows nothing of what is to be undone',
  'key-window-passed': 'the provider no longer honours the key',
  contradiction: 'a fact contradicts what was decided',
};

const VERDICT: Readonly<Record<Verdict, string>> = {
  happened: 'it happened',
  'did-not-happen': 'it did not happen',
  'undone-by-hand': 'it was undone by hand',
  'left-as-is': 'it is left as it is',
};

const ENDED: Readonly<Record<Ending, string>> = {
  completed: 'Completed.',
  undone: 'Undone: everything that took effect was undone.',
  cancelled: 'Cancelled: everything that took effect was undone.',
  closed_by_hand: 'Closed by hand: something remains.',
};

/** Says one line of a journal in plain words, for a person who reads a run from top to bottom. */
export function sayFact(fact: Fact): string {
  switch (fact.kind) {
    case 'accepted':
      return 'Accepted.';
    case 'begun':
      return `${name(fact)}: attempt ${fact.attempt} was begun.`;
    case 'ended':
      return `${name(fact)}: attempt ${fact.attempt} ${sayEnd(fact)}.`;
    case 'asked':
      return `${name(fact)}: the provider was asked; ${sayAnswer(fact)}.`;
    case 'key-expired':
      return `${name(fact)}: the provider no longer honours the key, so it is not sent again.`;
    case 'cancel-accepted':
      return `A cancel ${CANCELLED_BY[fact.by]} was accepted.`;
    case 'cancel-refused':
      return `A cancel was refused: ${CANCEL_REFUSED[fact.why]}.`;
    case 'unwinding':
      return `Turned back, because ${BECAUSE[fact.because]}.`;
    case 'case-opened':
      return `${name(fact)}: a case was opened, because ${PROBLEM_WORDS[fact.problem]}.`;
    case 'case-settled':
      return `${name(fact)}: the case was settled by a fact.`;
    case 'verdict':
      return `${name(fact)}: a person decided that ${VERDICT[fact.verdict]}.`;
    case 'finished':
      return ENDED[fact.as];
  }
}

function name(call: { readonly step: string; readonly direction: Direction }): string {
  return call.direction === 'do' ? call.step : `undo of ${call.step}`;
}

function sayEnd(end: EndedAs): string {
  switch (end.outcome) {
    case 'done':
      return end.provider_id === null ? 'is done' : `is done as ${end.provider_id}`;
    case 'refused':
      return `was refused (${end.code})`;
    case 'again':
      return `did nothing (${end.reason}); the next is due in ${sayMs(end.retry_ms)}`;
    case 'unknown':
      return `may or may not have taken effect (${end.cause})`;
  }
}

function sayAnswer(answer: AnsweredAs): string {
  switch (answer.finding) {
    case 'found':
      return answer.provider_id === null ? 'it has it' : `it has it as ${answer.provider_id}`;
    case 'not-there':
      return 'it does not have it';
    case 'cannot-tell':
      return `it cannot tell (${answer.cause}) and is asked again in ${sayMs(answer.ask_again_ms)}`;
    case 'differs':
      return `it has something else (${answer.cause})`;
  }
}

function sayMs(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${Math.round(ms / 100) / 10} s`;
}
