import type { Played, Sent } from './played.js';

/** Something that must hold of every run, whatever happened in it. */
export interface Invariant {
  /** In a few words, as a promise. */
  readonly name: string;
  /** Answers how it was broken, in a sentence; null when it held. */
  readonly broken: (played: Played) => string | null;
}

/** The first of these that was broken, or null. */
export function first(...checks: readonly (string | null)[]): string | null {
  return checks.find((broken) => broken !== null) ?? null;
}

/** The first answer of a check of each, or null. */
export function ofEach<One>(
  all: readonly One[],
  check: (one: One) => string | null,
): string | null {
  for (const one of all) {
    const broken = check(one);
    if (broken !== null) return broken;
  }
  return null;
}

export function undos({ sent }: Played): readonly Sent[] {
  return sent.filter(({ direction }) => direction === 'undo');
}
