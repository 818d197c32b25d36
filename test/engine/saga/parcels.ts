import { defineSaga } from '../../../src/engine/saga/define-saga.js';
import type { SagaDefinition } from '../../../src/engine/saga/definition.js';

/** The chain as somebody without types sees it, so that a test may build what it likes. */
export interface Untyped extends SagaDefinition {
  step(name: unknown, spec: unknown): Untyped;
  pivot(name: unknown, spec: unknown): Untyped;
  parallel(build: (group: UntypedGroup) => unknown): Untyped;
}
export interface UntypedGroup {
  step(name: unknown, spec: unknown): UntypedGroup;
}
type Define = (name: unknown, options: unknown) => Untyped;
const define = defineSaga as unknown as Define;

/** Begins a version of the saga that sends a parcel. */
export const parcel = (version = 1, options: object = {}): Untyped =>
  define('send-parcel', { version, ...options });

const input = ({ input }: Readonly<Record<string, unknown>>) => ({ weight: input });

export const label = {
  run: 'buyLabel',
  at: 'carrier',
  whenUnknown: 'retry-with-key',
  find: 'findLabel',
  input,
  undo: { run: 'voidLabel', whenUnknown: 'retry-with-key' },
};
export const box = {
  run: 'reserveBox',
  at: 'stock',
  whenUnknown: 'ask-provider',
  find: 'findBox',
  input,
  undo: { run: 'freeBox', whenUnknown: 'repeat', why: 'a free box stays free' },
};
export const slot = {
  run: 'holdSlot',
  at: 'depot',
  whenUnknown: 'ask-person',
  input,
  nothingToUndo: 'a slot lapses by itself',
};
export const handOver = { run: 'handOver', at: 'carrier', whenUnknown: 'ask-person', input };
export const note = {
  run: 'sendNote',
  at: 'messages',
  whenUnknown: 'prefer-miss',
  why: 'nobody waits for it',
  input,
};

/** One thing after another. */
export const inARow = parcel()
  .step('label', label)
  .step('box', box)
  .step('slot', slot)
  .pivot('hand-over', handOver)
  .step('note', note);

/** Box and slot side by side. */
export const sideBySide = parcel(2)
  .step('label', label)
  .parallel((group) => group.step('box', box).step('slot', slot))
  .pivot('hand-over', handOver)
  .step('note', note);
