import type { Direction } from '../../../../src/engine/saga/step-key.js';

type Seen = 'done' | 'unknown' | 'again' | 'not-sent' | 'sold-out' | 'no-such-thing';

/** What becomes of one attempt: what happens at the provider, and what we are told of it. */
export interface Fate {
  readonly words: string;
  /** When it takes effect after it was begun; `late`: after we have given up; null: never. */
  readonly landsMs: number | 'late' | null;
  /** What we see; null: the process died, or its machine stood still. */
  readonly seen: Seen | null;
  /** What we see much later, of what was unknown before. */
  readonly later: Seen | null;
}

const LANDS_MS = 50;

export const goodFate: Fate = { words: 'well', landsMs: LANDS_MS, seen: 'done', later: null };

const common: readonly Fate[] = [
  { words: 'refused', landsMs: null, seen: 'sold-out', later: null },
  { words: 'certainly nothing', landsMs: null, seen: 'again', later: null },
  { words: 'not even sent', landsMs: null, seen: 'not-sent', later: null },
  { words: 'answer lost', landsMs: LANDS_MS, seen: 'unknown', later: null },
  { words: 'request lost', landsMs: null, seen: 'unknown', later: null },
  { words: 'lands after its time-out', landsMs: 'late', seen: 'unknown', later: null },
  { words: 'process dies after it', landsMs: LANDS_MS, seen: null, later: null },
  { words: 'process dies before it', landsMs: null, seen: null, later: null },
  { words: 'process dies, lands late', landsMs: 'late', seen: null, later: null },
  { words: 'answer comes much later', landsMs: LANDS_MS, seen: 'unknown', later: 'done' },
  { words: 'process stands still', landsMs: LANDS_MS, seen: null, later: 'done' },
  { words: 'refusal comes much later', landsMs: null, seen: 'unknown', later: 'sold-out' },
  { words: 'known as unsent much later', landsMs: null, seen: null, later: 'not-sent' },
];

const ofUndo: readonly Fate[] = [
  ...common,
  { words: 'nothing to undo', landsMs: null, seen: 'no-such-thing', later: null },
];

/** The ways in which an attempt does not go well. */
export function fates(direction: Direction): readonly Fate[] {
  return direction === 'do' ? common : ofUndo;
}
