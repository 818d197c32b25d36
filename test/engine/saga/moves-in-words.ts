import type { Move } from '../../../src/engine/saga/next-moves.js';

/** A move as a reader says it, so that a table of moves is a table of sentences. */
export function moveInWords(move: Move): string {
  switch (move.kind) {
    case 'call':
      return `send ${subject(move)}, attempt ${move.attempt}`;
    case 'ask':
      return `ask about ${subject(move)}`;
    case 'read':
      return `read ${subject(move)}, attempt ${move.attempt}`;
    case 'open-case':
      return `desk ${subject(move)}: ${move.problem}`;
    case 'wait':
      return waiting(move);
    case 'unwind':
      return `turn back: ${move.because}`;
    case 'finish':
      return `finish: ${move.as}`;
  }
}

function subject(move: { readonly step: string; readonly direction: 'do' | 'undo' }): string {
  return move.direction === 'do' ? move.step : `${move.step}:undo`;
}

function waiting({ ms, then }: Move & { readonly kind: 'wait' }): string {
  switch (then.kind) {
    case 'due':
      return `wait ${ms} ms after line ${then.of}`;
    case 'undo-slow':
      return `pass ${then.step} after ${ms} ms`;
    case 'deadline-passed':
      return `turn back after ${ms} ms`;
  }
}
