import type { CaseView } from '../engine/cases/case-schema.js';
import type { LiveRun } from '../engine/runs/run-schema.js';
import { undoInWords } from '../engine/saga/reason-words.js';
import { showAttempts } from './show-attempts.js';
import { table } from './table.js';
import { resolveCommand, sayCall, sayClosed, sayProblem, sayRemainder, sayTime } from './words.js';

/**
 * A run from top to bottom: where it stands, its steps, what happened, and what a person can do.
 */
export function showRun(run: LiveRun): string {
  const open = run.cases.filter(({ state }) => state === 'open');
  const closed = run.cases.filter(({ state }) => state !== 'open');
  const sections = [
    head(run),
    steps(run),
    section('Attempts', run.attempts, () => showAttempts(run.attempts)),
    section('What happened (UTC)', run.timeline, () => timeline(run)),
    section('Decisions', run.interventions, () => interventions(run)),
    section('Closed cases', closed, () => closedCases(closed)),
    open.map(openCase).join('\n\n'),
    temporal(run),
  ];
  return sections.filter((text) => text !== '').join('\n\n');
}

function section(title: string, facts: readonly unknown[], show: () => string): string {
  return facts.length === 0 ? '' : `${title}\n${show()}`;
}

function head(run: LiveRun): string {
  const reference = run.reference === null ? '' : `, reference ${run.reference}`;
  const lines = [
    `${run.id}  ${run.saga} v${run.version}, account ${run.account}${reference}`,
    `${run.state}, direction ${run.direction}; the customer sees ${run.status}`,
    `accepted ${sayTime(run.created_at)}, last news ${sayTime(run.updated_at)}`,
  ];
  if (run.ended_at !== null) lines.push(`ended ${sayTime(run.ended_at)}`);
  else if (run.deadline_at !== null) lines.push(`deadline ${sayTime(run.deadline_at)}`);
  if (run.cancel_requested_at !== null) {
    lines.push(`cancel accepted ${sayTime(run.cancel_requested_at)}`);
  }
  if (run.failure !== null) {
    const at = run.failure.step === null ? '' : ` at ${run.failure.step}`;
    lines.push(`failed: ${run.failure.code}${at}`);
  }
  if (run.remains.length > 0) lines.push(`remains: ${run.remains.map(sayRemainder).join(', ')}`);
  return lines.join('\n');
}

function steps(run: LiveRun): string {
  const { steps, keys } = run;
  const idOf = (step: string, direction: string): string | null =>
    keys.find((key) => key.step === step && key.direction === direction)?.provider_id ?? null;
  return table(
    ['step', 'state', 'provider id', 'undo', 'provider id of the undo'],
    steps.map(({ name, state, undo }) => [
      name,
      state,
      idOf(name, 'do'),
      undoInWords(undo, run),
      idOf(name, 'undo'),
    ]),
  );
}

function timeline(run: LiveRun): string {
  return run.timeline.map(({ at, text }) => `${sayTime(at)}  ${text}`).join('\n');
}

function interventions(run: LiveRun): string {
  return table(
    ['when', 'who', 'what', 'case', 'reason', 'evidence'],
    run.interventions.map((one) => [
      sayTime(one.at),
      one.who,
      one.action,
      one.case,
      one.reason,
      one.evidence,
    ]),
  );
}

function closedCases(cases: readonly CaseView[]): string {
  return table(
    ['case', 'call', 'why it was opened', 'how it was closed'],
    cases.map((one) => [one.id, sayCall(one), sayProblem(one.problem), sayClosed(one)]),
  );
}

function openCase(one: CaseView): string {
  return [
    `Open case of ${sayCall(one)} since ${sayTime(one.opened_at)}: ${sayProblem(one.problem)}`,
    `  look    npx recourse cases show ${one.id}`,
    `  decide  ${resolveCommand(one.id)}`,
  ].join('\n');
}

function temporal(run: LiveRun): string {
  const { url, workflow_id: id } = run.temporal;
  const place = url ?? `workflow ${id} (TEMPORAL_UI_URL is not set where the API runs)`;
  const silent = run.live_error === null ? '' : `\nIts workflow says nothing: ${run.live_error}`;
  return `Temporal: ${place}${silent}`;
}
