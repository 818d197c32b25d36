import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { callInput } from '../../activities/engine/call-input.js';
import type { RunRecord } from '../../src/engine/journal/run-record.js';
import {
  callInputPlace,
  runInputPlace,
  valuePlace,
} from '../../src/engine/journal/sealed-places.js';
import type { Act } from '../../src/engine/saga/act.js';
import { defineSaga } from '../../src/engine/saga/define-saga.js';
import { stepNamed } from '../../src/engine/saga/definition.js';
import type { Fact } from '../../src/engine/saga/journal.js';
import { foldJournal } from '../../src/engine/saga/run-state.js';
import { createSealer } from '../../src/engine/sealing/seal.js';

// What an act is sent must not depend on which of two steps beside each other was faster.

interface Acts {
  readonly act: Act<'shop', unknown, unknown>;
}
const STEP = {
  run: 'act',
  at: 'shop',
  whenUnknown: 'ask-person',
  nothingToUndo: 'it is a test',
  input: (at: unknown) => at,
} as const;
const definition = defineSaga<string, Acts>('pair', { version: 1 })
  .step('first', STEP)
  .parallel((group) => group.step('left', STEP).step('right', STEP))
  .pivot('last', { run: 'act', at: 'shop', whenUnknown: 'ask-person', input: (at) => at });

const sealer = createSealer(`test:${randomBytes(32).toString('base64')}`);
const context = { sealer } as Parameters<typeof callInput>[0];

/** A run in which these steps are done, each with its own name as its value. */
function recordWith(...done: readonly string[]): RunRecord {
  const facts = done.flatMap((step): Fact[] => [
    { kind: 'begun', step, direction: 'do', attempt: 1 },
    { kind: 'ended', step, direction: 'do', attempt: 1, outcome: 'done', provider_id: null },
  ]);
  const lines = facts.map((fact, index) => ({ ...fact, seq: index + 1 }));
  const at = new Date(0);
  return {
    writtenAt: '2026-11-30 09:00:00.000001+00',
    ...{ id: 'r', account: 'acme', definition, execution: null, deadlineAt: null, now: at, lines },
    input: sealer.seal('what it was started with', runInputPlace('r')),
    keys: done.map((step) => ({
      ...{ step, direction: 'do', input: null, firstSentAt: at, askedAt: null, closedAt: null },
      value: sealer.seal(step, valuePlace({ run: 'r', step, direction: 'do' })),
    })),
    attempts: [],
    state: foldJournal(definition, lines),
  };
}

function seenBy(step: string, record: RunRecord): unknown {
  const call = { run: 'r', step, direction: 'do' } as const;
  return callInput(context, record, call, stepNamed(definition, step), undefined).input;
}

const input = 'what it was started with';
const cases: readonly [step: string, done: readonly string[], sees: object][] = [
  ['first', [], { input }],
  ['left', ['first'], { input, first: 'first' }],
  ['left', ['first', 'right'], { input, first: 'first' }],
  ['right', ['first', 'left'], { input, first: 'first' }],
  ['last', ['first', 'left', 'right'], { input, first: 'first', left: 'left', right: 'right' }],
];
test.each(cases)('%s, once %j are done, is computed from what came before its group', (...row) => {
  const [step, done, sees] = row;
  expect(seenBy(step, recordWith(...done))).toEqual(sees);
});

test('row 13: a later attempt sends what the first one sent, whatever would be computed now', () => {
  const call = { run: 'r', step: 'first', direction: 'do' } as const;
  const sent = sealer.seal('what was sent', callInputPlace(call));
  const at = new Date(0);
  const times = { firstSentAt: at, askedAt: null, closedAt: null };
  const key = { step: 'first', direction: 'do', input: sent, value: null, ...times } as const;
  const again = callInput(context, recordWith(), call, stepNamed(definition, 'first'), key);
  expect(again).toEqual({ input: 'what was sent', sealed: null });
});
