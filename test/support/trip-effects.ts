import type { SandboxClient } from './sandbox.js';

/** What a trip leaves that was booked and goes no further. */
export const BOOKED: readonly string[] = ['charge charge', 'flight hold', 'hotel reserve'];

/** What a confirmed trip leaves at the providers, in order, as `step kind`. */
export const CONFIRMED: readonly string[] = [...BOOKED, 'ticket ticket', 'receipt message'];

/** What a trip leaves that was booked and then undone. */
export const UNDONE: readonly string[] = [
  ...BOOKED,
  'hotel:undo cancel',
  'flight:undo release',
  'charge:undo refund',
];

/** What a trip leaves whose hotel refused, or whose hotel a person put right by hand. */
export const UNDONE_FROM_HOTEL: readonly string[] = [
  'charge charge',
  'flight hold',
  'flight:undo release',
  'charge:undo refund',
];

/** What a trip leaves whose card was charged and that got no further. */
export const REFUNDED: readonly string[] = ['charge charge', 'charge:undo refund'];

/**
 * What the sandbox itself says took effect, as `step kind`, in its order but for what is done side
 * by side, as `inToldOrder` tells it.
 */
export async function effectsOf(sandbox: SandboxClient, run: string): Promise<readonly string[]> {
  const seen = await sandbox.effects(`${run}:`);
  return inToldOrder(
    seen.map(({ kind, reference }) => `${reference.slice(run.length + 1)} ${kind}`),
  );
}

/**
 * The effects of one trip, told as version 1 has them. A trip of version 2 asks for seat and room
 * side by side, so what becomes of the one may come before, between or after what becomes of the
 * other. What comes of one step stays in its order, and so does everything else to both.
 */
export function inToldOrder(effects: readonly string[]): readonly string[] {
  const isBeside = (effect: string | undefined) => /^(flight|hotel)\b/.test(effect ?? '');
  const from = effects.findIndex(isBeside);
  if (from < 0) return effects;
  const next = effects.findIndex((effect, index) => index > from && !isBeside(effect));
  const to = next < 0 ? effects.length : next;
  const seat = inTwo(effects.slice(from, to).filter((effect) => effect.startsWith('flight')));
  const room = inTwo(effects.slice(from, to).filter((effect) => effect.startsWith('hotel')));
  return [
    ...effects.slice(0, from),
    ...[...seat.done, ...room.done, ...room.undone, ...seat.undone],
    ...effects.slice(to),
  ];
}

/** What took effect of one step before its first undo, and the rest. */
function inTwo(effects: readonly string[]): Record<'done' | 'undone', readonly string[]> {
  const undo = effects.findIndex((effect) => effect.includes(':undo'));
  const done = undo < 0 ? effects : effects.slice(0, undo);
  return { done, undone: effects.slice(done.length) };
}
