import type { Direction } from './step-key.js';

/** Why the unwinding began. `cancel` ends as cancelled, the others as undone. */
export type Because = 'cancel' | 'refused' | 'deadline' | 'person';

/** What a person must decide about. */
export type Problem =
  | 'unknown-outcome'
  | 'undo-stuck'
  | 'forward-stuck'
  | 'found-differs'
  | 'nothing-to-undo'
  | 'key-window-passed'
  | 'contradiction';

export type Verdict = 'happened' | 'did-not-happen' | 'undone-by-hand' | 'left-as-is';

/** How a run ends: exactly one of these. */
export type Ending = 'completed' | 'undone' | 'cancelled' | 'closed_by_hand';

interface OfCall {
  readonly step: string;
  readonly direction: Direction;
}

/** How one attempt ended, as names and numbers only: no value, no prose, no personal data. */
export type EndedAs =
  | { readonly outcome: 'done'; readonly provider_id: string | null }
  | { readonly outcome: 'refused'; readonly code: string }
  | {
      readonly outcome: 'again';
      readonly reason: string;
      readonly retry_ms: number;
      /** False for what is of our own making: it waits, but uses up no attempt. */
      readonly counts: boolean;
      /** Milliseconds since the first attempt of this call was begun. */
      readonly trying_ms: number;
    }
  | {
      readonly outcome: 'unknown';
      readonly cause: string;
      readonly retry_ms: number;
      readonly trying_ms: number;
    };

/** How one question to the provider was answered. */
export type AnsweredAs =
  | { readonly finding: 'found'; readonly provider_id: string | null }
  | { readonly finding: 'not-there'; readonly retry_ms: number; readonly trying_ms: number }
  | {
      readonly finding: 'cannot-tell';
      readonly cause: string;
      readonly ask_again_ms: number;
      /** Milliseconds since the provider was first asked. */
      readonly asking_ms: number;
    }
  | { readonly finding: 'differs'; readonly cause: string };

export type BegunLine = OfCall & { readonly kind: 'begun'; readonly attempt: number };
export type EndedLine = OfCall & { readonly kind: 'ended'; readonly attempt: number } & EndedAs;
export type AskedLine = OfCall & { readonly kind: 'asked' } & AnsweredAs;
/** The provider's promise for this key is over; it may not be sent again blindly. */
export type KeyExpiredLine = OfCall & { readonly kind: 'key-expired' };
export type CaseOpenedLine = OfCall & {
  readonly kind: 'case-opened';
  readonly case: string;
  readonly problem: Problem;
};
/** A fact made the case needless, or the run was abandoned with it. */
export type CaseSettledLine = OfCall & {
  readonly kind: 'case-settled';
  readonly case: string;
  readonly because?: 'abandoned';
};
export type VerdictLine = OfCall & {
  readonly kind: 'verdict';
  readonly case: string;
  readonly verdict: Verdict;
  /** The id in the value that was given with it; lines of old have none. */
  readonly provider_id?: string | null;
};

/** One fact of a run, without its number. */
export type Fact =
  | { readonly kind: 'accepted' }
  | BegunLine
  | EndedLine
  | AskedLine
  | KeyExpiredLine
  | { readonly kind: 'cancel-accepted'; readonly by: 'customer' | 'operator' | 'temporal' }
  | { readonly kind: 'cancel-refused'; readonly why: CancelRefusal }
  | { readonly kind: 'unwinding'; readonly because: Because }
  | CaseOpenedLine
  | CaseSettledLine
  | VerdictLine
  /** Somebody said "now": what waits for its time goes on at once. */
  | { readonly kind: 'retried'; readonly by: 'operator' | 'temporal' }
  /** An operator closed the run as it is: nothing more is sent, and what is left remains. */
  | { readonly kind: 'abandoned' }
  | { readonly kind: 'finished'; readonly as: Ending };

/** Why a cancel is not accepted. */
export type CancelRefusal = 'pivot-in-progress' | 'past-pivot' | 'already-ended';

/** A fact as the record keeps it: numbered from 1 in each run, never changed, never removed. */
export type JournalLine = Fact & { readonly seq: number };

/**
 * What only a driver knows, because its timer fired: it is never stored. A driver that starts anew
 * arms its timers again.
 */
export type Tick =
  | { readonly kind: 'due'; readonly of: number }
  | { readonly kind: 'undo-slow'; readonly step: string }
  | { readonly kind: 'deadline-passed' };
