import type { WhenUnknown } from '../../../../src/engine/saga/definition.js';

/** Something that really happened at a provider. */
export interface Effect {
  readonly key: string;
  readonly id: string;
  readonly at: number;
}

/** A keyed provider promises to know a key for so long after it first came. */
export const KEY_WINDOW_MS = 120_000;
/** After this long a question sees everything that was sent in time. */
export const SETTLES_MS = 5_000;

/**
 * The providers of a walk: what really happened, whatever anybody was told of it. One nature for
 * each policy: who is asked by key makes one effect of it while it remembers the key; everybody
 * else does it once more each time, but for undos that are harmless twice.
 */
export class Providers {
  readonly effects: Effect[] = [];
  readonly #firstSeen = new Map<string, number>();

  /** Carries out one request that arrives now, and answers the id of what there is then. */
  perform(key: string, policy: WhenUnknown, at: number): string {
    const first = this.#firstSeen.get(key) ?? at;
    this.#firstSeen.set(key, first);
    const remembers = policy === 'retry-with-key' && at - first < KEY_WINDOW_MS;
    const known = this.under(key)[0];
    if (known !== undefined && (remembers || policy === 'repeat')) return known.id;
    const effect = { key, id: `${key}#${this.under(key).length + 1}`, at };
    this.effects.push(effect);
    return effect.id;
  }

  /** A person does it by hand, at the provider's own desk. */
  performByHand(key: string, at: number): void {
    this.effects.push({ key, id: `${key}#by-hand`, at });
  }

  under(key: string): readonly Effect[] {
    return this.effects.filter((effect) => effect.key === key);
  }
}
