import type { JournalLine } from '../../../src/engine/saga/journal.js';
import type { Waiting } from '../../support/gate.js';

/** A call of a provider has a key and an attempt; a question to it has only a key. */
export function isCall({ ask, activity }: Waiting): boolean {
  return ask['key'] !== undefined && ask['attempt'] !== undefined && activity !== 'record';
}

export function isQuestion({ ask }: Waiting): boolean {
  return ask['key'] !== undefined && ask['attempt'] === undefined;
}

/** Why an attempt came to nothing, or nobody knows to what; for whoever reads what was lost. */
export function why(line: JournalLine): string {
  if (line.kind !== 'ended') return '';
  if (line.outcome === 'again') return ` (${line.reason})`;
  return line.outcome === 'unknown' ? ` (${line.cause})` : '';
}

type Named = Readonly<Record<string, unknown>> | JournalLine;

/** The call of a line, or of what a driver asks for: `step:direction`. */
export function callOf(of: Named): string {
  const { step, direction } = of as { readonly step?: string; readonly direction?: string };
  return `${step}:${direction}`;
}

/** The attempt of a line, or of what a driver asks for: `step:direction:attempt`. */
export function nameOf(of: Named): string {
  return `${callOf(of)}:${(of as { readonly attempt?: number }).attempt}`;
}
