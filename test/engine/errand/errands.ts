import type { Act, UndoOf } from '../../../src/engine/saga/act.js';
import { defineSaga } from '../../../src/engine/saga/define-saga.js';

/** What an errand does, all at one shop that knows no keys. */
export interface ErrandActs {
  readonly order: Act<'shop', null, null>;
  readonly cancelOrder: UndoOf<'order', null, null, null>;
  readonly pack: Act<'shop', null, null>;
  readonly unpack: UndoOf<'pack', null, null, null>;
  readonly advertise: Act<'shop', null, null>;
  readonly send: Act<'shop', null, null>;
}

const input = (): null => null;
const why = 'twice is harmless here';
const ORDER = {
  run: 'order',
  at: 'shop',
  whenUnknown: 'ask-person',
  input,
  undo: { run: 'cancelOrder', whenUnknown: 'repeat', why },
} as const;
const PACK = {
  run: 'pack',
  at: 'shop',
  whenUnknown: 'ask-person',
  input,
  undo: { run: 'unpack', whenUnknown: 'repeat', why },
} as const;
const SEND = { run: 'send', at: 'shop', whenUnknown: 'ask-person', input } as const;
/** Neither keyed nor asked after, and better missed than said twice. */
const ADVERTISE = {
  run: 'advertise',
  at: 'shop',
  whenUnknown: 'prefer-miss',
  why: 'an advertisement that comes twice annoys',
  input,
  nothingToUndo: 'what was said was said',
} as const;

const errand = (version: number, options: { deadlineMs?: number; slowUndoMs?: number } = {}) =>
  defineSaga<null, ErrandActs>('errand', { version, ...options });

/** One saga for each thing that only a driver with timers can do; all have the name `errand`. */
export const hastyErrand = errand(1, { slowUndoMs: 300 })
  .step('order', ORDER)
  .step('pack', PACK)
  .pivot('send', SEND);

export const strictErrand = errand(2, { slowUndoMs: 300 })
  .step('order', ORDER)
  .step('pack', { ...PACK, onStuckUndo: 'stop' })
  .pivot('send', SEND);

/** Three seconds: time enough for two calls on a busy machine, and no long wait for the test. */
export const urgentErrand = errand(3, { deadlineMs: 3_000 })
  .step('order', ORDER)
  .step('pack', PACK)
  .pivot('send', SEND);

export const loudErrand = errand(4)
  .step('order', ORDER)
  .step('advertise', ADVERTISE)
  .pivot('send', SEND);

/** Ordered and packed side by side. */
export const pairedErrand = errand(5, { slowUndoMs: 300 })
  .parallel((group) => group.step('order', ORDER).step('pack', PACK))
  .pivot('send', SEND);

export const ERRANDS = [hastyErrand, strictErrand, urgentErrand, loudErrand, pairedErrand] as const;
