import type {
  AskedLine,
  BegunLine,
  CancelRefusal,
  EndedLine,
  Ending,
  Fact,
  Verdict,
} from '../saga/journal.js';
import { BECAUSE_WORDS, PROBLEM_WORDS } from '../saga/reason-words.js';
import type { Direction } from '../saga/step-key.js';

const CANCELLED_BY = {
  customer: 'The customer cancelled, and was promised it.',
  operator: 'An operator cancelled, and was promised it.',
  temporal: 'A cancel came from Temporal, and was accepted.',
} as const;

const RETRIED_BY = {
  operator: 'An operator said "now": what waits for its time goes on at once.',
  temporal: '"Now" came from Temporal: what waits for its time goes on at once.',
} as const;

const CANCEL_REFUSED: Readonly<Record<CancelRefusal, string>> = {
  'pivot-in-progress': 'the step that cannot be undone is in progress',
  'past-pivot': 'the step that cannot be undone took effect',
  'already-ended': 'the run has ended',
};

const VERDICT: Readonly<Record<Verdict, string>> = {
  happened: 'it happened',
  'did-not-happen': 'it did not happen',
  'undone-by-hand': 'it was undone by hand',
  'left-as-is': 'it is left as it is',
};

const ENDED: Readonly<Record<Ending, string>> = {
  completed: 'Completed: every step is done.',
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
      return fact.attempt === 1
        ? `${subject(fact)} is begun.`
        : `${subject(fact)} is tried again: attempt ${fact.attempt}.`;
    case 'ended':
      return sayEnd(fact);
    case 'asked':
      return `The provider was asked about ${name(fact)}${sayAnswer(fact)}.`;
    case 'key-expired':
      return `${subject(fact)} is not sent again: the provider no longer honours its key.`;
    case 'cancel-accepted':
      return CANCELLED_BY[fact.by];
    case 'cancel-refused':
      return `A cancel was refused: ${CANCEL_REFUSED[fact.why]}.`;
    case 'unwinding':
      return `Turned back, because ${BECAUSE_WORDS[fact.because]}.`;
    case 'case-opened':
      return `${subject(fact)} waits for a person: ${PROBLEM_WORDS[fact.problem]} (${fact.case}).`;
    case 'case-settled': {
      const why = fact.because === undefined ? 'a fact settled' : 'abandoning the run closed';
      return `${subject(fact)} no longer waits for a person: ${why} ${fact.case}.`;
    }
    case 'verdict':
      return `A person decided about ${name(fact)}: ${VERDICT[fact.verdict]} (${fact.case}).`;
    case 'retried':
      return RETRIED_BY[fact.by];
    case 'abandoned':
      return 'An operator abandoned the run: nothing more is sent.';
    case 'finished':
      return ENDED[fact.as];
  }
}

interface OfCall {
  readonly step: string;
  readonly direction: Direction;
}

function name(call: OfCall): string {
  return call.direction === 'do' ? call.step : `the undo of ${call.step}`;
}

/** The name at the head of a sentence; a step's own name is written as its author wrote it. */
function subject(call: OfCall): string {
  return call.direction === 'do' ? call.step : `The undo of ${call.step}`;
}

function sayEnd(end: EndedLine): string {
  const who = `${subject(end)}${nth(end)}`;
  switch (end.outcome) {
    case 'done':
      return `${who} is done${sayId(end.provider_id)}.`;
    case 'refused':
      return `${who} was refused: ${end.code}.`;
    case 'again':
      return `${who} did nothing: ${end.reason}. The next try is due in ${sayMs(end.retry_ms)}.`;
    case 'unknown':
      return `${who} may or may not have taken effect: ${end.cause}.`;
  }
}

/** The first attempt is what everybody takes for granted. */
function nth({ attempt }: Pick<BegunLine, 'attempt'>): string {
  return attempt === 1 ? '' : `, attempt ${attempt},`;
}

function sayAnswer(answer: AskedLine): string {
  switch (answer.finding) {
    case 'found':
      return `: it happened${sayId(answer.provider_id)}`;
    case 'not-there':
      return ': it did not happen';
    case 'cannot-tell': {
      const later = sayMs(answer.ask_again_ms);
      return ` and cannot tell: ${answer.cause}. It is asked again in ${later}`;
    }
    case 'differs':
      return `: it holds something else, ${answer.cause}`;
  }
}

function sayId(id: string | null): string {
  return id === null ? '' : `, as ${id}`;
}

function sayMs(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${Math.round(ms / 100) / 10} s`;
}
