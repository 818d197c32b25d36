import type { DecidableCase } from '../../engine/cases/case-schema.js';
import type { LineView, LiveRun } from '../../engine/runs/run-schema.js';
import type { DemoStory, Effect, StepWords } from './demo-story.js';

/** A story that was played, and all that is known of it. */
export interface PlayedStory {
  readonly story: DemoStory;
  readonly run: LiveRun;
  /** What waits for a person. */
  readonly cases: readonly DecidableCase[];
  /** What the providers did, by their own record. */
  readonly effects: readonly Effect[];
}

/** How a person in another terminal reaches the local start. */
export interface WayIn {
  /** What the command line begins with. */
  readonly cli: string;
  readonly sandboxUrl: string;
}

/**
 * Tells a run as a person would: what happened and how long after the order, what the providers'
 * own record says of it, and what waits for whom. Never contains what was sent, but for what the
 * story itself puts into its words.
 */
export function tellStory(played: PlayedStory, way: WayIn): string {
  const { story, run } = played;
  const took = secondsAt(run, run.updated_at);
  return [
    `── ${story.title}: ${endOf(played)}, after ${took} s ──  ${run.id}`,
    ...tellLines(story, run),
    ...tellStanding(played, way),
    ...played.cases.flatMap((one) => tellCase(played, one, way)),
    ...(run.temporal.url === null ? [] : [`   In the Temporal UI: ${run.temporal.url}`]),
  ].join('\n');
}

function endOf({ story, run }: PlayedStory): string {
  return run.state === story.endsAs ? story.end : `${run.state}, and not ${story.endsAs}`;
}

function tellLines(story: DemoStory, run: LiveRun): string[] {
  return run.timeline.flatMap((line, index) => {
    const text = tellLine(story, line, run.timeline.slice(index + 1));
    if (text === undefined) return [];
    return [`   ${secondsAt(run, line.at).padStart(6)} s  ${text}`];
  });
}

/** What a line of the journal may have in it; a newer API may have more. */
interface Seen {
  readonly kind?: string;
  readonly step?: string;
  readonly direction?: string;
  readonly outcome?: string;
  readonly code?: string;
  readonly cause?: string;
  readonly provider_id?: string | null;
}

function tellLine(
  story: DemoStory,
  { line, text }: LineView,
  later: readonly LineView[],
): string | undefined {
  const fact: Seen = line;
  if (fact.kind === 'accepted') return `${story.ordered}.`;
  const words = story.steps[fact.step ?? ''] ?? {};
  if (fact.kind === 'begun') {
    if (endsBeforeNews(fact, later)) return undefined;
    return fact.direction === 'do' && words.begun !== undefined ? `${words.begun}.` : text;
  }
  if (fact.kind !== 'ended') return text;
  const told = tellEnd(words, fact);
  return told === undefined ? text : `${told}${details(fact)}.`;
}

/** Nothing comes between it and its end but what its siblings do. */
function endsBeforeNews(begun: Seen, later: readonly LineView[]): boolean {
  const end = later.findIndex(({ line }) => isEndOf(line, begun));
  const between: readonly Seen[] = later.slice(0, end).map(({ line }) => line);
  return end >= 0 && between.every(({ kind }) => kind === 'begun' || kind === 'ended');
}

function isEndOf(next: Seen, begun: Seen): boolean {
  return next.kind === 'ended' && next.step === begun.step && next.direction === begun.direction;
}

function tellEnd(words: StepWords, { direction, outcome }: Seen): string | undefined {
  const isUndo = direction === 'undo';
  if (outcome === 'done') return isUndo ? words.undone : words.done;
  if (isUndo) return undefined;
  if (outcome === 'refused') return words.refused;
  return outcome === 'unknown' ? words.unknown : undefined;
}

function details({ provider_id, code, cause }: Seen): string {
  const detail = provider_id ?? code ?? cause;
  return detail === undefined ? '' : ` (${detail})`;
}

function tellStanding({ story, run, effects }: PlayedStory, way: WayIn): string[] {
  const found = story.standing(effects);
  const stands = found.filter((one) => one.stands).length;
  const sum = stands === 0 ? 'nothing stands' : `${stands} of ${found.length} stand`;
  const width = Math.max(...found.map(({ what }) => what.length));
  return [
    `   The providers' own record: ${sum}`,
    ...found.map(({ what, how }) => `     ${what.padEnd(width)}  ${how}`),
    `     curl -s '${way.sandboxUrl}/_sandbox/effects?reference=${run.id}'`,
  ];
}

function tellCase({ story, effects }: PlayedStory, one: DecidableCase, way: WayIn): string[] {
  const width = Math.max(...one.verdicts.map(({ verdict }) => verdict.length));
  const value = story.valueOf(one.step, effects);
  const [verdict, shown] =
    value === undefined
      ? ['did-not-happen', '']
      : ['happened', ` --value '${JSON.stringify(value)}'`];
  return [
    `   On the desk: ${one.id}. A person asks ${one.provider ?? 'the provider'}, and says one of:`,
    ...one.verdicts.map(({ verdict, effect }) => `     ${verdict.padEnd(width)}  ${effect}`),
    `   Look: ${way.cli} cases show ${one.id}`,
    `   Say:  ${way.cli} cases resolve ${one.id} --verdict ${verdict}${shown} \\`,
    `           --evidence 'their own record' --reason 'it tells what happened'`,
  ];
}

/** How long after the order something was written down. */
function secondsAt(run: LiveRun, at: string): string {
  const ordered = run.timeline[0]?.at ?? run.created_at;
  return ((Date.parse(at) - Date.parse(ordered)) / 1_000).toFixed(2);
}
