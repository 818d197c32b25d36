import { checkSaga } from './check-definition.js';
import type { SagaDefinition, StepDefinition } from './definition.js';
import { groupsOf } from './say-call.js';

/**
 * A definition as a Mermaid flowchart. Solid arrows go forward, from acceptance to the end; what is
 * side by side stands in one frame; the pivot is a thick hexagon. Dotted arrows go back: from a
 * step to its undo, from each undo to that of the step started before it, and from the pivot to the
 * first of them. A label names act and provider. The same definition gives the same text, whatever
 * an author wrote in a name or a reason.
 *
 * Throws `SagaDefinitionError` when the saga has no step.
 * Source: https://mermaid.js.org/syntax/flowchart.html
 */
export function drawSaga(saga: SagaDefinition): string {
  checkSaga(saga);
  const ids = new Map(saga.steps.map((step, index) => [step.name, String(index + 1)]));
  const idOf = (step: StepDefinition) => ids.get(step.name) ?? '';
  const pivot = saga.steps.find((step) => step.place === 'pivot');
  return [
    'flowchart TD',
    ...inside([
      `accepted([${label(`${saga.name}, version ${saga.version}`)}])`,
      ...groupsOf(saga).flatMap((group) => drawGroup(group, idOf)),
      `completed([${label('completed')}])`,
      ...forwardArrows(saga, idOf),
      ...drawWayBack(saga, pivot, idOf),
      ...(pivot === undefined
        ? []
        : ['classDef pivot stroke-width:4px', `class do${idOf(pivot)} pivot`]),
    ]),
  ].join('\n');
}

type IdOf = (step: StepDefinition) => string;

function drawGroup(group: readonly StepDefinition[], idOf: IdOf): string[] {
  const nodes = group.map((step) => drawStep(step, idOf(step)));
  const [first] = group;
  if (first === undefined || group.length === 1) return nodes;
  return [`subgraph beside${idOf(first)} [${label('side by side')}]`, ...inside(nodes), 'end'];
}

function drawStep({ name, place, at, forward, nothingToUndo }: StepDefinition, id: string): string {
  const act = `${forward.run} at ${at}`;
  if (place === 'pivot') return `do${id}{{${label(`${name}, the pivot`, act)}}}`;
  const reason = nothingToUndo === null ? [] : [`nothing to undo: ${nothingToUndo}`];
  return `do${id}[${label(name, act, ...reason)}]`;
}

function forwardArrows(saga: SagaDefinition, idOf: IdOf): string[] {
  const stations = [
    ['accepted'],
    ...groupsOf(saga).map((group) => group.map((step) => `do${idOf(step)}`)),
    ['completed'],
  ];
  return stations
    .slice(1)
    .flatMap((to, index) =>
      (stations[index] ?? []).flatMap((one) => to.map((other) => `${one} --> ${other}`)),
    );
}

/** The undos, and the order in which they run: the step that was started last comes first. */
function drawWayBack(
  saga: SagaDefinition,
  pivot: StepDefinition | undefined,
  idOf: IdOf,
): string[] {
  const undone = saga.steps.filter((step) => step.undo !== null).toReversed();
  if (undone.length === 0) return [];
  const nodes = undone.map(
    (step) =>
      `undo${idOf(step)}(${label(`undo of ${step.name}`, `${step.undo?.run} at ${step.at}`)})`,
  );
  const stations = [...undone.map((step) => `undo${idOf(step)}`), 'undone'];
  return [
    ...nodes,
    `undone([${label('undone, or cancelled')}])`,
    ...undone.map((step) => `do${idOf(step)} -.->|${label('undo')}| undo${idOf(step)}`),
    ...(pivot === undefined
      ? []
      : [`do${idOf(pivot)} -.->|${label('if it does not happen')}| ${stations[0]}`]),
    ...stations.slice(1).map((to, index) => `${stations[index]} -.-> ${to}`),
  ];
}

function inside(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

function label(...lines: readonly string[]): string {
  return `"${lines.map(escaped).join('<br/>')}"`;
}

/** Mermaid reads Markdown, HTML and `#…;` in a label: all but letters and a few signs is coded. */
function escaped(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[^\p{L}\p{N} .,:()'-]/gu, (character) => `#${character.codePointAt(0)};`);
}
