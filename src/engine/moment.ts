/** A moment of this process by both of its clocks, in milliseconds. */
export interface Moment {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

/**
 * Whether something that was true at a moment still counts, for `lifeMs`. By the monotonic clock,
 * which nobody sets; and by the other one too, because the monotonic one stands still while the
 * machine sleeps. A wall clock that is put back only loses its say.
 */
export function isAlive(
  { asOf, lifeMs }: { readonly asOf: Moment; readonly lifeMs: number },
  now: Moment,
): boolean {
  return now.monotonicMs - asOf.monotonicMs < lifeMs && now.wallMs - asOf.wallMs < lifeMs;
}
