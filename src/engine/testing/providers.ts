import type { WhenUnknown } from '../saga/definition.js';
import type { Direction } from '../saga/step-key.js';
import { isSameCall } from './attempts.js';
import type { OfCall } from './happening.js';

/** Something that really happened at a provider. */
export interface Effect {
  readonly step: string;
  readonly direction: Direction;
  readonly id: string;
  /** Milliseconds after the run was accepted. */
  readonly at: number;
  /** A person did it, at the provider's own desk. */
  readonly byHand: boolean;
}

/**
 * The providers of a played run: what really happened, whatever anybody was told of it. One nature
 * for each policy: who is sent the same key again makes one effect of it while it remembers the
 * key; everybody else does it once more each time, but for undos that are harmless twice.
 */
export class Providers {
  effects: Effect[] = [];
  #firstSeen: { readonly of: OfCall; readonly at: number }[] = [];

  copy(): Providers {
    const other = new Providers();
    other.effects = [...this.effects];
    other.#firstSeen = [...this.#firstSeen];
    return other;
  }

  /** Carries out one request that arrives now, and answers the id that its answer names. */
  perform(of: OfCall, policy: WhenUnknown, keyWindowMs: number, at: number): string {
    const remembers = policy === 'retry-with-key' && at - this.#seenSince(of, at) < keyWindowMs;
    const there = this.under(of);
    const last = there.at(-1);
    if (last !== undefined && (remembers || policy === 'repeat')) return last.id;
    const id = `${of.step}/${of.direction}#${there.length + 1}`;
    this.#add(of, id, at, false);
    return id;
  }

  /** A person does it by hand. */
  performByHand(of: OfCall, at: number): void {
    this.#add(of, `${of.step}/${of.direction}#by-hand`, at, true);
  }

  under(of: OfCall): readonly Effect[] {
    return this.effects.filter((one) => isSameCall(one, of));
  }

  #seenSince(of: OfCall, at: number): number {
    const first = this.#firstSeen.find((one) => isSameCall(one.of, of));
    if (first !== undefined) return first.at;
    this.#firstSeen.push({ of, at });
    return at;
  }

  #add({ step, direction }: OfCall, id: string, at: number, byHand: boolean): void {
    this.effects.push({ step, direction, id, at, byHand });
  }
}
