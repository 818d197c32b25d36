import type { Move } from './next-moves.js';

/**
 * Names what a driver must not do twice at once: everything about one call has one name, each timer
 * its own. A move whose name is taken is left until the one before it has ended.
 */
export function nameOfMove(move: Move): string {
  switch (move.kind) {
    case 'call':
    case 'ask':
    case 'read':
    case 'open-case':
      return `${move.step}/${move.direction}`;
    case 'wait':
      return JSON.stringify(move.then);
    case 'unwind':
    case 'finish':
      return move.kind;
  }
}
