import {
  type Path,
  type Written,
  LONGEST_MS,
  checkNumber,
  checkObject,
  checkText,
  checkThere,
  refuse,
  shown,
  suggestion,
} from './check-values.js';
import type { RetryPolicy, WhenUnknown } from './definition.js';
import type { Retry } from './saga-types.js';

/** What a call says of itself, forward or undo, once it has been checked. */
export interface CallSpec {
  readonly run: string;
  readonly whenUnknown: WhenUnknown;
  readonly find?: string;
  readonly why?: string;
  readonly retry?: Retry;
  readonly timeoutMs?: number;
}

export const CALL_OPTIONS = ['run', 'whenUnknown', 'find', 'why', 'retry', 'timeoutMs'];
const RETRY_OPTIONS = ['attempts', 'firstDelayMs', 'capMs', 'withinMs'];

const SAFE: readonly WhenUnknown[] = ['retry-with-key', 'ask-provider', 'ask-person'];
const PREFER: readonly WhenUnknown[] = ['prefer-duplicate', 'prefer-miss'];
/** Those that only a reason makes right. */
const REASONED: readonly WhenUnknown[] = [...PREFER, 'repeat'];

/** By the kind of call: the answers it may give, and why it may not give the others. */
const ANSWERS = {
  undoable: {
    allowed: SAFE,
    because: 'its undo has to know what happened',
  },
  'nothing-to-undo': {
    allowed: [...SAFE, ...PREFER],
    because: 'only an undo may be repeated blindly',
  },
  pivot: {
    allowed: SAFE,
    because: 'of the pivot it must become known what happened',
  },
  'after-pivot': {
    allowed: [...SAFE, ...PREFER],
    because: 'only an undo may be repeated blindly',
  },
  undo: {
    allowed: [...SAFE, 'repeat'],
    because: 'an undo is owed, so it may be neither missed nor doubled',
  },
} satisfies Record<string, { allowed: readonly WhenUnknown[]; because: string }>;

/** What kind of call it is, as far as the unknown outcome is concerned. */
export type CallKind = keyof typeof ANSWERS;

/** Checks one call, forward or undo. `defaults` is the retry policy that fills its gaps. */
export function checkCall(path: Path, spec: Written, kind: CallKind, defaults: RetryPolicy): void {
  checkThere(path, spec, 'run', 'the name of the act that is called');
  checkText(path, 'run', spec['run']);
  checkAnswer(path, spec, kind);
  checkNumber(path, 'timeoutMs', spec['timeoutMs'], LONGEST_MS);
  if (spec['retry'] !== undefined) {
    checkRetry([...path, 'retry'], spec['retry'], defaults);
  }
}

function checkAnswer(path: Path, spec: Written, kind: CallKind): void {
  const { find, why } = spec;
  const { allowed, because } = ANSWERS[kind];
  const choice = `say ${allowed.join(', ')}`;
  const question = 'what if nobody knows whether it took effect?';
  checkThere(path, spec, 'whenUnknown', `${question} ${choice}`);
  checkText(path, 'whenUnknown', spec['whenUnknown']);
  const written = String(spec['whenUnknown']);
  const answer = [...SAFE, ...REASONED].find((known) => known === written);
  if (answer === undefined) {
    refuse(path, `unknown whenUnknown ${shown(written)}${suggestion(written, allowed)}`);
  }
  if (!allowed.includes(answer)) {
    const isForOthers = kind === 'undoable' && PREFER.includes(answer);
    const or = isForOthers ? ', or "nothingToUndo" with the reason instead of "undo"' : '';
    refuse(path, `whenUnknown "${answer}" has no place here, because ${because}; ${choice}${or}`);
  }
  if (answer === 'ask-provider' && find === undefined) {
    refuse(path, 'whenUnknown "ask-provider" needs "find": the name of what asks the provider');
  }
  if (find !== undefined && answer !== 'ask-provider' && answer !== 'retry-with-key') {
    const instead = 'leave it out, or say ask-provider';
    refuse(path, `"find" is never asked with whenUnknown "${answer}": ${instead}`);
  }
  if (why === undefined && REASONED.includes(answer)) {
    refuse(path, `whenUnknown "${answer}" needs "why": the reason that makes it right here`);
  }
  checkText(path, 'find', find);
  checkText(path, 'why', why);
}

function checkRetry(path: Path, retry: unknown, defaults: RetryPolicy): void {
  checkObject(path, retry, RETRY_OPTIONS);
  checkNumber(path, 'attempts', retry['attempts'], Number.MAX_SAFE_INTEGER);
  const first = checkNumber(path, 'firstDelayMs', retry['firstDelayMs'], LONGEST_MS);
  const cap = checkNumber(path, 'capMs', retry['capMs'], LONGEST_MS);
  const within = checkNumber(path, 'withinMs', retry['withinMs'], LONGEST_MS);
  const least = first ?? defaults.firstDelayMs;
  const firstShown = `firstDelayMs ${least}${first === undefined ? ' (the default)' : ''}`;
  if ((cap ?? defaults.capMs) < least) {
    const capShown = cap === undefined ? `${defaults.capMs} (the default)` : cap;
    refuse(path, `capMs ${capShown} is below ${firstShown}`);
  }
  if (within !== undefined && within < least) {
    refuse(path, `withinMs ${within} is below ${firstShown}: nothing would be tried again`);
  }
}
