import {
  callInputPlace,
  runInputPlace,
  valuePlace,
} from '../../src/engine/journal/sealed-places.js';
import {
  keyOf,
  type CallOf,
  type KeyRow,
  type RunRecord,
} from '../../src/engine/journal/run-record.js';
import type { StepDefinition } from '../../src/engine/saga/definition.js';
import type { EngineContext } from './engine-context.js';

export interface CallInput {
  readonly input: unknown;
  /** To be kept with the key; null when it lies there already. */
  readonly sealed: Buffer | null;
}

/**
 * The input of a call. It is computed once, by the first attempt, and every later attempt sends the
 * very same one, whatever version of the code computes it then. Throws CannotOpen.
 */
export function callInput(
  context: EngineContext,
  record: RunRecord,
  call: CallOf,
  step: StepDefinition,
  key: KeyRow | undefined,
): CallInput {
  const { sealer } = context;
  const place = callInputPlace(call);
  if (key?.input != null) return { input: sealer.open(key.input, place), sealed: null };
  const input =
    call.direction === 'do'
      ? step.input(earlierResults(context, record, step))
      : whatWasDone(context, record, call);
  return { input, sealed: sealer.seal(input, place) };
}

/** What a step beside this one came to is left out: it would depend on which of them was faster. */
function earlierResults(
  { sealer }: EngineContext,
  record: RunRecord,
  { group }: StepDefinition,
): Readonly<Record<string, unknown>> {
  const results = record.state.steps
    .filter(({ step, forward }) => {
      return step.group < group && (forward.phase === 'done' || forward.phase === 'missed');
    })
    .map(({ step }) => {
      const of = { run: record.id, step: step.name, direction: 'do' } as const;
      const sealed = keyOf(record, of)?.value ?? null;
      return [step.name, sealed === null ? null : sealer.open(sealed, valuePlace(of))] as const;
    });
  const input = sealer.open(record.input, runInputPlace(record.id));
  return Object.freeze({ input, ...Object.fromEntries(results) });
}

/** An undo is given exactly what the step was given and what it came to. */
function whatWasDone(
  { sealer }: EngineContext,
  record: RunRecord,
  call: CallOf,
): { readonly input: unknown; readonly value: unknown } {
  const forward: CallOf = { ...call, direction: 'do' };
  const key = keyOf(record, forward);
  return {
    input: key?.input == null ? null : sealer.open(key.input, callInputPlace(forward)),
    value: key?.value == null ? null : sealer.open(key.value, valuePlace(forward)),
  };
}
