import {
  callOf,
  stepNamed,
  type SagaDefinition,
  type StepDefinition,
} from '../../src/engine/saga/definition.js';
import type { Problem } from '../../src/engine/saga/journal.js';
import type { Move } from '../../src/engine/saga/next-moves.js';
import { BECAUSE_WORDS, PROBLEM_WORDS, undoInWords } from '../../src/engine/saga/reason-words.js';
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
      return waitsForPerson(definition, move);
    case 'wait':
      return waiting(move);
    case 'unwind':
      return `turn back, because ${BECAUSE_WORDS[move.because]}`;
    case 'finish':
      return `finish as ${move.as}`;
  }
}

function place(definition: SagaDefinition, move: Move & { readonly kind: 'call' }): string {
  const { steps } = definition;
  const step = stepNamed(definition, move.step);
  const number = `step ${steps.indexOf(step) + 1} of ${steps.length}`;
  if (move.direction === 'undo') return `undo of ${number}: ${step.name} (${step.undo?.run})`;
  const beside = siblingsOf(definition, step).map(({ name }) => name);
  const where = beside.length === 0 ? number : `${number}, beside ${beside.join(' and ')}`;
  return `${where}: ${step.name} (${step.forward.run})`;
}

/** The other steps of its group; none for a step that comes by itself. */
function siblingsOf({ steps }: SagaDefinition, { group, name }: StepDefinition): StepDefinition[] {
  return steps.filter((one) => one.group === group && one.name !== name);
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

interface OnTheDesk {
  readonly step: string;
  readonly direction: 'do' | 'undo';
  readonly problem: Problem;
}

/** Which step is stuck, and why: what somebody reads who was woken for it. */
function waitsForPerson(definition: SagaDefinition, on: OnTheDesk): string {
  const step = stepNamed(definition, on.step);
  const cannotAsk = on.problem === 'unknown-outcome' && !callOf(step, on.direction)?.find;
  const why = `${PROBLEM_WORDS[on.problem]}${cannotAsk ? `, and ${step.at} cannot be asked` : ''}`;
  return `${subject(on)} waits for a person: ${why}`;
}

/**
 * The step table in Markdown, as Temporal's own page of the run shows it: `∥` before a step that is
 * done beside the one above it. Above the table, what waits for a person and how to look at it.
 */
export function stepTable(run: RunState): string {
  const view = viewRun(run);
  const stuck = [...run.openCases].flatMap(([id, { problem, of }]) => [
    `**${waitsForPerson(run.definition, { ...of, problem })}**`,
    `Look at it: ${word(`npx recourse cases show ${id}`)}`,
  ]);
  const { steps } = run.definition;
  const rows = view.steps.map(({ name, state, undo }, index) => {
    const isBeside = index > 0 && steps[index]?.group === steps[index - 1]?.group;
    const who = isBeside ? `∥ ${word(name)}` : word(name);
    return `| ${who} | ${word(state)} | ${word(undoInWords(undo, view))} |`;
  });
  const table = ['| step | state | undo |', '|---|---|---|', ...rows].join('\n');
  return [`${word(view.state)} ${word(view.direction)}`, ...stuck, table].join('\n\n');
}

/** As code, which the page sets apart: it draws tables without any space between cells. */
function word(text: string): string {
  return `\`${text}\``;
}
