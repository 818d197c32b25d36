import type { Because, Problem } from './journal.js';

/** Why a run turned back, as the end of a sentence that begins with "because". */
export const BECAUSE_WORDS: Readonly<Record<Because, string>> = {
  cancel: 'it was cancelled',
  refused: 'a step was refused',
  deadline: 'its deadline has passed',
  person: 'a person decided so',
};

/** Why something waits for a person, as the end of a sentence that begins with "because". */
export const PROBLEM_WORDS: Readonly<Record<Problem, string>> = {
  'unknown-outcome': 'nobody can say whether it took effect',
  'undo-stuck': 'the undo does not get done',
  'forward-stuck': 'it must be done, and does not get done',
  'found-differs': 'the provider holds something else than was asked for',
  'nothing-to-undo': 'the provider knows nothing of what is to be undone',
  'key-window-passed': 'the provider no longer honours the key',
  contradiction: 'a fact contradicts what was decided',
};

/**
 * The way back of a step as people read it. The record calls whatever took effect and has an undo
 * `owed`; where nothing will be undone any more, since the run is confirmed, it is kept.
 */
export function undoInWords(undo: string, { status }: { readonly status: string }): string {
  return undo === 'owed' && status === 'confirmed' ? 'kept' : undo;
}
