import { escapeHtml } from '../http/escape-html.js';
import { htmlPage } from '../http/html-page.js';
import type { SagaDefinition } from '../saga/definition.js';
import type { Explored } from './explore.js';
import { fateWords } from './fates.js';
import { INTERFERENCES } from './interferences.js';
import { PROMISES } from './invariants.js';
import type { Failure } from './judge.js';
import { LUCK } from './questions.js';
import { ENDINGS, type Tried } from './tally.js';
import { NEWS } from './world.js';

/** What was explored of one saga, and how. */
export interface Exploration extends Explored {
  /** At most so many faults in one run. */
  readonly faults: number;
  readonly threads: number;
  readonly tookMs: number;
  /** Random runs beyond that, and the seed of the first. */
  readonly walks: number;
  readonly seed: number;
}

/** What was tried, and how fast, in a sentence or two. */
export function sayExploration(saga: SagaDefinition, one: Exploration): string {
  const seconds = one.tookMs / 1_000;
  const rate = Math.round(one.schedules / Math.max(seconds, 0.001));
  const counts = one.byFaults.map((number, faults) => `${faults}: ${number.toLocaleString('en')}`);
  return (
    `${saga.name} version ${saga.version}: ${some(one.schedules, 'schedule')} of up ` +
    `to ${some(one.faults, 'fault')} (${counts.join(', ')}) in ${seconds.toFixed(1)} s, ` +
    `${rate.toLocaleString('en')} a second on ${some(one.threads, 'thread')}.`
  );
}

/** A number with what it counts. */
export function some(number: number, what: string): string {
  return `${number.toLocaleString('en')} ${what}${number === 1 ? '' : 's'}`;
}

/** What came of it, in a sentence. */
export function sayResult({ failure, walks, seed }: Exploration): string {
  if (failure !== null) return `Broken: ${failure.invariant}: ${failure.broken}.`;
  const random = `${walks.toLocaleString('en')} random runs from seed ${seed}`;
  return `Every promise was kept; ${walks === 0 ? 'no random runs' : `in ${random} too`}.`;
}

/** Rows in the order of the steps: what is of the run, the way forward, the way back. */
export function inOrder(saga: SagaDefinition, tried: readonly Tried[]): readonly Tried[] {
  const forward = saga.steps.map(({ name }) => name);
  const subjects = ['the run', ...forward, ...forward.map((name) => `${name}:undo`)];
  const place = ({ subject }: Tried): number => subjects.indexOf(subject);
  return tried.toSorted((one, other) => place(one) - place(other));
}

/**
 * The page of an exploration, for people: what was tried, how each fault of each call ended, what
 * was promised, and the story of what broke it. One file that needs nothing else.
 */
export function explorationPage(saga: SagaDefinition, one: Exploration): string {
  const title = `${saga.name} version ${saga.version}, explored`;
  const body = `<h1>${escapeHtml(title)}</h1>
<p class="${one.failure === null ? 'kept' : 'broken'}">${escapeHtml(sayResult(one))}</p>
<p>${escapeHtml(sayExploration(saga, one))}</p>
${one.failure === null ? '' : failure(one.failure)}
<h2>What went wrong, and how the runs ended</h2>
<p class="quiet">Each row is a fault: all runs in which it came up, alone or with others.</p>
${legend()}
<table>
<thead><tr><th>Of</th><th>Fault</th><th class="bar">Ended</th>${heads()}</tr></thead>
<tbody>
${inOrder(saga, one.tried).map(row).join('\n')}
</tbody>
</table>
<h2>What counts as a fault</h2>
<p>Each of these is one, wherever it comes up. A person at the desk who says any one of the things
that are true, and the order of steps side by side, are no faults: all of them are tried.</p>
<dl>
${faults('An attempt', fateWords('undo').slice(1))}
${faults('A question to a provider', LUCK.slice(1))}
${faults('Between two lines of the journal', INTERFERENCES)}
${faults('What somebody wrote for the driver', NEWS.slice(1))}
</dl>
<h2>What was promised</h2>
<ul>
${PROMISES.map(({ name }) => `<li>${escapeHtml(name)}</li>`).join('\n')}
</ul>`;
  return htmlPage(title, STYLE, body);
}

function faults(of: string, words: readonly string[]): string {
  return `<dt>${escapeHtml(of)}</dt><dd>${words.map(escapeHtml).join(' · ')}</dd>`;
}

function heads(): string {
  return ENDINGS.map((ending) => `<th class="number">${said(ending)}</th>`).join('');
}

function legend(): string {
  const items = ENDINGS.map((ending) => `<li><span class="${ending}"></span>${said(ending)}</li>`);
  return `<ul class="legend">${items.join('')}</ul>`;
}

function row({ subject, fault, endings }: Tried): string {
  const sum = ENDINGS.reduce((all, ending) => all + (endings[ending] ?? 0), 0);
  const cells = ENDINGS.map((ending) => {
    return `<td class="number">${(endings[ending] ?? 0).toLocaleString('en')}</td>`;
  });
  const bars = ENDINGS.map((ending) => {
    const percent = (100 * (endings[ending] ?? 0)) / Math.max(sum, 1);
    return `<span class="${ending}" style="width:${percent.toFixed(2)}%"></span>`;
  });
  const bar = `<td class="bar"><div>${bars.join('')}</div></td>`;
  const words = `<td>${escapeHtml(subject)}</td><td>${escapeHtml(fault)}</td>`;
  return `<tr>${words}${bar}${cells.join('')}</tr>`;
}

function failure({ story, test }: Failure): string {
  return `<h2>What broke it</h2>
<pre>${escapeHtml(story)}</pre>
<h2>The same as a test</h2>
<pre>${escapeHtml(test)}</pre>`;
}

function said(ending: string): string {
  return ending.replaceAll('_', ' ');
}

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --quiet: #666; --ground: #8881; }
@media (prefers-color-scheme: dark) { :root { --quiet: #aaa; } }
* { box-sizing: border-box; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 72rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.5rem; margin: 1rem 0 .25rem; }
h2 { font-size: 1.1rem; margin: 1.5rem 0 .25rem; }
p { margin: .25rem 0 .75rem; }
.quiet { color: var(--quiet); }
.kept, .broken { border-left: .375rem solid #2a9d4a; background: var(--ground); padding: .5rem; }
.broken { border-color: #d33; }
table { border-collapse: collapse; width: 100%; font-size: .875rem; }
th, td { text-align: left; padding: .25rem .5rem; border-top: 1px solid var(--line); }
th { position: sticky; top: 0; background: Canvas; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
.bar { width: 14rem; }
.bar div { display: flex; height: .75rem; border-radius: .25rem; overflow: hidden; }
.bar span { display: block; }
.legend { display: flex; flex-wrap: wrap; gap: 1rem; list-style: none; padding: 0; }
.legend span { display: inline-block; width: .75rem; height: .75rem; margin-right: .375rem; }
.completed { background: #2a9d4a; }
.undone { background: #3b7dd8; }
.cancelled { background: #8a63d2; }
.closed_by_hand { background: #e0912b; }
pre { background: var(--ground); border-radius: .5rem; padding: .75rem 1rem; overflow-x: auto; }
`;
