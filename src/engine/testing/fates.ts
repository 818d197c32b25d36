import type { Direction } from '../saga/step-key.js';

/** What we are told of an attempt. */
export type Seen = 'done' | 'unknown' | 'again' | 'not-sent' | 'refused' | 'no-such-thing';

/** What becomes of one attempt: what happens at the provider, and what we are told of it. */
export interface Fate {
  readonly words: string;
  /** Whether it takes effect; `late`: after we gave up, but within what its provider states. */
  readonly lands: 'in time' | 'late' | 'never';
  /** Null: the process died, or its machine stood still. */
  readonly seen: Seen | null;
  /** What is seen long after the attempt was given up. */
  readonly later?: Seen;
}

const WELL: Fate = { words: 'done', lands: 'in time', seen: 'done' };

const COMMON: readonly Fate[] = [
  WELL,
  { words: 'refused', lands: 'never', seen: 'refused' },
  { words: 'certainly nothing happened', lands: 'never', seen: 'again' },
  { words: 'not even sent', lands: 'never', seen: 'not-sent' },
  { words: 'request lost', lands: 'never', seen: 'unknown' },
  { words: 'answer lost', lands: 'in time', seen: 'unknown' },
  { words: 'takes effect after its time-out', lands: 'late', seen: 'unknown' },
  { words: 'process dies before the call', lands: 'never', seen: null },
  { words: 'process dies after the call', lands: 'in time', seen: null },
  { words: 'process dies, takes effect late', lands: 'late', seen: null },
  { words: 'answer comes much later', lands: 'in time', seen: 'unknown', later: 'done' },
  { words: 'process stands still, then goes on', lands: 'in time', seen: null, later: 'done' },
  { words: 'refusal comes much later', lands: 'never', seen: 'unknown', later: 'refused' },
];

const FATES: Readonly<Record<Direction, readonly Fate[]>> = {
  do: COMMON,
  undo: [...COMMON, { words: 'nothing to undo', lands: 'never', seen: 'no-such-thing' }],
};
const WORDS = {
  do: FATES.do.map(({ words }) => words),
  undo: FATES.undo.map(({ words }) => words),
} as const;

/** What can become of an attempt, in words; the first is what one would wish. */
export function fateWords(direction: Direction): readonly string[] {
  return WORDS[direction];
}

/** The fate at this place of the list. */
export function fateAt(direction: Direction, index: number): Fate {
  return FATES[direction][index] ?? WELL;
}
