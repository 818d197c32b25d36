import type { CancelAnswer } from '../../../src/engine/saga/cancel.js';
import type { Fact, JournalLine } from '../../../src/engine/saga/journal.js';
import type { Interference } from '../../../src/engine/testing/interferences.js';
import type { Played } from '../../../src/engine/testing/played.js';

/** What somebody does to a run, or to the news of it, between two lines of its journal. */
export type Deed =
  | { readonly kind: 'comes-between'; readonly what: Exclude<Interference, 'a cancel'> }
  | { readonly kind: 'cancel'; readonly answer: CancelAnswer }
  | { readonly kind: 'hold-news' | 'free-news' };

/** What comes next: a line that the run writes, or something that is done to it. */
export type Entry =
  | { readonly kind: 'line'; readonly at: number; readonly line: JournalLine }
  | { readonly kind: 'deed'; readonly at: number; readonly deed: Deed };

/** How much later late news come, as the explorer has it. */
const LATE_NEWS_MS = 60_000;

/** The order in which everything has to happen so that the run goes as it was foretold. */
export function scriptOf({ written, choices, cancels }: Played): readonly Entry[] {
  const entries: Entry[] = [];
  const answers = [...cancels];
  for (const { at, line } of written) {
    entries.push({ kind: 'line', at, line });
    const between = choices.find(({ place: { form, n } }) => {
      return form === 'after line {n}' && n === line.seq;
    });
    const what = between && (between.options[between.taken] as Interference);
    if (between === undefined || what === undefined || between.taken === 0) continue;
    const deed: Deed =
      what === 'a cancel'
        ? { kind: 'cancel', answer: answers.shift()?.answer ?? 'accepted' }
        : { kind: 'comes-between', what };
    entries.push({ kind: 'deed', at: between.at, deed });
  }
  for (const { at, place, taken } of choices) {
    if (place.form !== 'the news of {of}' || taken === 0) continue;
    insert(entries, at, { kind: 'hold-news' });
    insert(entries, at + LATE_NEWS_MS, { kind: 'free-news' });
  }
  return entries;
}

function insert(entries: Entry[], at: number, deed: Deed): void {
  const index = entries.findIndex((entry) => entry.at >= at);
  entries.splice(index < 0 ? entries.length : index, 0, { kind: 'deed', at, deed });
}

/**
 * How often a provider has to be asked until it can be believed depends on clocks; so a question
 * that it could not answer may come more or less often.
 */
export function isSoft(line: Fact): boolean {
  return line.kind === 'asked' && line.finding === 'cannot-tell';
}

/** What a line says, but for ids, times and the providers' own words. */
export function gist(line: Fact): string {
  const { kind } = line;
  const call = 'step' in line ? [line.step, line.direction] : [];
  switch (kind) {
    case 'begun':
      return [kind, ...call, line.attempt].join(' ');
    case 'ended': {
      const spared = line.outcome === 'again' && !line.counts ? ['spared'] : [];
      return [kind, ...call, line.attempt, line.outcome, ...spared].join(' ');
    }
    case 'asked':
      return [kind, ...call, line.finding].join(' ');
    case 'case-opened':
      return [kind, ...call, line.problem].join(' ');
    case 'case-settled':
      return [kind, ...call, ...(line.because ? [line.because] : [])].join(' ');
    case 'verdict':
      return [kind, ...call, line.verdict].join(' ');
    case 'key-expired':
      return [kind, ...call].join(' ');
    case 'unwinding':
      return [kind, line.because].join(' ');
    case 'finished':
      return [kind, line.as].join(' ');
    case 'cancel-refused':
      return [kind, line.why].join(' ');
    case 'accepted':
    case 'cancel-accepted':
    case 'retried':
    case 'abandoned':
      return kind;
  }
}
