import { sayFact } from '../runs/run-timeline.js';
import type { Played } from './played.js';
import { callName } from './world.js';

interface Told {
  readonly at: number;
  readonly words: string;
}

/**
 * Tells a played run as a person would: what went otherwise than well (`!`), what really happened
 * at the providers (`*`), and the journal, each with its seconds after the acceptance.
 */
export function tell({ choices, effects, written, endless }: Played): string {
  const lines: readonly Told[] = [
    ...choices.flatMap(({ at, where, options, taken }) =>
      taken === 0 ? [] : [{ at, words: `! ${where}: ${options[taken]}` }],
    ),
    ...effects.map((effect) => ({
      at: effect.at,
      words: `* ${callName(effect)} takes effect${effect.byHand ? ', by hand' : ''}: ${effect.id}`,
    })),
    ...written.map(({ at, line }) => ({ at, words: `  ${sayFact(line)}` })),
  ];
  const told = lines
    .toSorted((one, other) => one.at - other.at)
    .map(({ at, words }) => {
      return `${(at / 1_000).toFixed(2).padStart(10)} s ${words}`;
    });
  return [...told, ...(endless === null ? [] : [`             ${endless}`])].join('\n');
}
