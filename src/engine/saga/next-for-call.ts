import { isUsedUp, type CallState, type Standing } from './call-state.js';
import type { Problem } from './journal.js';
import { NO_SUCH_THING } from './no-such-thing.js';

/** What is due for one call, whatever else the run is doing. */
export type Next =
  | { readonly kind: 'nothing' | 'read' | 'ask' | 'attempt' }
  | { readonly kind: 'person'; readonly problem: Problem };

const ATTEMPT: Next = { kind: 'attempt' };
const ASK: Next = { kind: 'ask' };

/** What is done about a call as it stands: the first two tables of docs/states.md. */
export function nextForCall(call: CallState, at: Standing): Next {
  switch (call.phase) {
    case 'not-begun':
      return ATTEMPT;
    case 'sending':
      return { kind: 'read' };
    case 'waiting':
      return at.direction === 'do' && isUsedUp(call, at.call) ? person('forward-stuck') : ATTEMPT;
    case 'unknown':
      return afterUnknown(call, at);
    case 'refused':
      return afterRefusal(call, at);
    case 'done':
    case 'not-happened':
    case 'missed':
    case 'by-hand':
    case 'left':
      return { kind: 'nothing' };
  }
}

/** A refusal turns the run back up to the pivot; past it, and of an undo, a person must look. */
function afterRefusal(call: CallState, at: Standing): Next {
  if (at.direction === 'undo') {
    return person(call.refusedAs === NO_SUCH_THING ? 'nothing-to-undo' : 'undo-stuck');
  }
  return at.place === 'after-pivot' ? person('forward-stuck') : { kind: 'nothing' };
}

function afterUnknown(call: CallState, at: Standing): Next {
  if (call.foundDiffers) return person('found-differs');
  const canAsk = at.call.find !== null;
  // A refusal that follows an unknown attempt says nothing about that attempt.
  if (call.refusedAs !== null) return canAsk ? ASK : person('unknown-outcome');
  switch (at.call.whenUnknown) {
    case 'ask-provider':
      return ASK;
    case 'retry-with-key': {
      const learns = at.unwinding && at.direction === 'do' && canAsk;
      if (!learns && !call.keyExpired && !isUsedUp(call, at.call)) return ATTEMPT;
      if (canAsk) return ASK;
      return person(call.keyExpired ? 'key-window-passed' : 'unknown-outcome');
    }
    case 'repeat':
    case 'prefer-duplicate':
      return isUsedUp(call, at.call) ? person('unknown-outcome') : ATTEMPT;
    case 'ask-person':
    case 'prefer-miss':
      return person('unknown-outcome');
  }
}

function person(problem: Problem): Next {
  return { kind: 'person', problem };
}
