import type { Ending } from '../saga/journal.js';
import type { Played } from './played.js';

/** How many runs ended in which way. */
export type Endings = Readonly<{ [Name in Ending]?: number }>;

/** How often a fault came up, and how the runs ended in which it did. */
export interface Tried {
  readonly subject: string;
  readonly fault: string;
  readonly endings: Endings;
}

/** What was tried, in numbers. */
export interface Tallied {
  readonly schedules: number;
  /** How many schedules have no fault, one, two … */
  readonly byFaults: readonly number[];
  readonly endings: Endings;
  /** How often each fault of each subject led to each ending. */
  readonly tried: readonly Tried[];
}

/** What was tried in several parts, as if in one. */
export function sumOf(parts: readonly Tallied[]): Tallied {
  const all = new Tally();
  for (const part of parts) all.add(part);
  return all.sum();
}

interface Row {
  readonly subject: string;
  readonly fault: string;
  readonly endings: { [Name in Ending]?: number };
}

/** Counts what was tried. */
export class Tally {
  schedules = 0;
  readonly #byFaults: number[] = [];
  readonly #endings: { [Name in Ending]?: number } = {};
  readonly #rows = new Map<string, Map<string, Row>>();

  count({ choices, run }: Played, faults: number): void {
    this.schedules += 1;
    this.#byFaults[faults] = (this.#byFaults[faults] ?? 0) + 1;
    const ending = run.finishedAs;
    if (ending === null) return;
    this.#endings[ending] = (this.#endings[ending] ?? 0) + 1;
    for (const { subject, options, taken, isFault } of choices) {
      if (!isFault || taken === 0) continue;
      const { endings } = this.#row(subject, options[taken] ?? '');
      endings[ending] = (endings[ending] ?? 0) + 1;
    }
  }

  add({ schedules, byFaults, endings, tried }: Tallied): void {
    this.schedules += schedules;
    for (const [faults, number] of byFaults.entries()) {
      this.#byFaults[faults] = (this.#byFaults[faults] ?? 0) + number;
    }
    addEndings(this.#endings, endings);
    for (const row of tried) addEndings(this.#row(row.subject, row.fault).endings, row.endings);
  }

  sum(): Tallied {
    return {
      schedules: this.schedules,
      byFaults: Array.from(this.#byFaults, (number) => number ?? 0),
      endings: inOrder(this.#endings),
      tried: [...this.#rows.values()].flatMap((rows) => [...rows.values()]),
    };
  }

  #row(subject: string, fault: string): Row {
    const rows = this.#rows.get(subject) ?? new Map<string, Row>();
    this.#rows.set(subject, rows);
    const row = rows.get(fault) ?? { subject, fault, endings: {} };
    rows.set(fault, row);
    return row;
  }
}

function inOrder(endings: Endings): Endings {
  return Object.fromEntries(
    ENDINGS.flatMap((ending) => {
      const number = endings[ending];
      return number === undefined ? [] : [[ending, number]];
    }),
  );
}

function addEndings(to: { [Name in Ending]?: number }, more: Endings): void {
  for (const ending of ENDINGS) {
    const number = more[ending];
    if (number !== undefined) to[ending] = (to[ending] ?? 0) + number;
  }
}

/** In the order in which they are shown. */
export const ENDINGS = ['completed', 'undone', 'cancelled', 'closed_by_hand'] as const;
