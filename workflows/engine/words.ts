import type { SagaDefinition } from '../../src/engine/saga/definition.js';
import type { Move } from '../../src/engine/saga/next-moves.js';
import type { RunState } from '../../src/engine/saga/run-state.js';
import { viewRun } from '../../src/engine/saga/run-view.js';

/** A move in words, for activity and timer summaries: names and numbers, nothing personal. */
export function inWords(definition: SagaDefinition, move: Move): string {
  switch (move.kind) {
    case 'call':
      return `${place(definition, move)}, attempt ${move.attempt}`;
    case 'ask':
      return `ask the provider what ${subject(move)} did`;
    case 'read':
      return `read what became of ${subject(move)}, attempt ${move.attempt}`;
    case 'open-case':
      return `put ${subject(move)} on the desk: ${move.problem}`;
    case 'wait':
      return waiting(move);
    case 'unwind':
      return `turn back because of ${move.because}`;
    case 'finish':
      return `finish as ${move.as}`;
  }
}

function place(definition: SagaDefinition, move: Move & { readonly kind: 'call' }): string {
  const names = definition.steps.map((step) => step.name);
  const number = names.indexOf(move.step) + 1;
  const step = definition.steps[number - 1];
  if (move.direction === 'do') {
    return `step ${number} of ${names.length}: ${move.step} (${step?.forward.run})`;
  }
  return `undo of step ${number} of ${names.length}: ${move.step} (${step?.undo?.run})`;
}

function subject(move: { readonly step: string; readonly direction: 'do' | 'undo' }): string {
  return move.direction === 'do' ? move.step : `the undo of ${move.step}`;
}

function waiting({ then }: Move & { readonly kind: 'wait' }): string {
  switch (then.kind) {
    case 'due':
      return 'wait before the next try';
    case 'undo-slow':
      return `let earlier undos pass once ${then.step} is slow`;
    case 'deadline-passed':
      return 'deadline of the saga';
  }
}

/** The step table in Markdown, as Temporal's own page of the run shows it. */
export function stepTable(run: RunState): string {
  const view = viewRun(run);
  const rows = view.steps.map(({ name, state, undo }) => `| ${name} | ${state} | ${undo} |`);
  const head = [`**${view.state}**, ${view.direction}`];
  if (view.problem !== null) head.push(`on the desk: ${view.problem} (${view.step})`);
  return [head.join(' · '), '', '| step | state | undo |', '|---|---|---|', ...rows].join('\n');
}
