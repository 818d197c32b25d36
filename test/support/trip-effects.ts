import type { SandboxClient } from './sandbox.js';

/** What a confirmed trip leaves at the providers, in order, as `step kind`. */
export const CONFIRMED: readonly string[] = [
  'charge charge',
  'flight hold',
  'hotel reserve',
  'ticket ticket',
  'receipt message',
];

/** What a trip leaves whose hotel refused, or whose hotel a person put right by hand. */
export const UNDONE_FROM_HOTEL: readonly string[] = [
  'charge charge',
  'flight hold',
  'flight:undo release',
  'charge:undo refund',
];

/** What the sandbox itself says took effect, in order, as `step kind`. */
export async function effectsOf(sandbox: SandboxClient, run: string): Promise<readonly string[]> {
  const seen = await sandbox.effects(`${run}:`);
  return seen.map(({ kind, reference }) => `${reference.slice(run.length + 1)} ${kind}`);
}
