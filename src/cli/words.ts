import type { CaseView } from '../engine/cases/case-schema.js';
import { sayMoney } from '../engine/http/say-money.js';
import type { RunHead } from '../engine/runs/run-schema.js';
import { PROBLEM_WORDS } from '../engine/saga/reason-words.js';
import { remainsAs } from '../engine/saga/remains.js';

/** An instant as RFC 3339 has it, easier to read; always UTC. */
export function sayTime(at: string | null): string {
  return at === null ? '-' : at.replace('T', ' ');
}

/** How long something took; `-` while it has not ended. */
export function sayDuration(from: string, to: string | null): string {
  if (to === null) return '-';
  const ms = Date.parse(to) - Date.parse(from);
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

/** The call of a step that something is about. */
export function sayCall(of: { readonly step: string; readonly direction: string }): string {
  return of.direction === 'undo' ? `undo of ${of.step}` : of.step;
}

/** Why a case was opened; a newer API may know more reasons than this CLI. */
export function sayProblem(problem: string): string {
  const words: Readonly<Record<string, string>> = PROBLEM_WORDS;
  const said = words[problem];
  return said === undefined ? problem : `${said} (${problem})`;
}

/** How a case was closed, and by whom. */
export function sayClosed(one: CaseView): string {
  if (one.state === 'settled') {
    return one.resolved_by === null ? 'settled by a fact' : `abandoned by ${one.resolved_by}`;
  }
  const amount = one.amount === null ? '' : `, ${sayMoney(one.amount)}`;
  return `${one.verdict ?? one.state}${amount}, by ${one.resolved_by ?? 'nobody'}`;
}

/** The command that decides a case, to be completed. */
export function resolveCommand(id: string): string {
  return `npx recourse cases resolve ${id} --verdict … --evidence … --reason …`;
}

/** How a value may look, as one types it; nothing where that is not known. */
export function valueExample(value: unknown): readonly string[] {
  return value === null || value === undefined ? [] : [`'${JSON.stringify(value)}'`];
}

/** What remains of a run; an older API does not say what it is. */
export function sayRemainder(one: RunHead['remains'][number]): string {
  switch (remainsAs(one)) {
    case 'unknown':
      return `${sayCall(one)} may have taken effect`;
    case 'not-undone':
      return `${one.step} was not undone`;
    case 'not-done':
      return `${one.step} was not done`;
  }
}
