import type { Tx } from '../../src/engine/database/database.js';
import {
  readKey,
  readValues,
  type CallOf,
  type KeyRow,
} from '../../src/engine/journal/attempts.store.js';
import type { RunRecord } from '../../src/engine/journal/run-record.store.js';
import {
  callInputPlace,
  runInputPlace,
  valuePlace,
} from '../../src/engine/journal/sealed-places.js';
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
export async function callInput(
  context: EngineContext,
  tx: Tx,
  record: RunRecord,
  call: CallOf,
  step: StepDefinition,
  key: KeyRow | undefined,
): Promise<CallInput> {
  const { sealer } = context;
  const place = callInputPlace(call);
  if (key?.input != null) return { input: sealer.open(key.input, place), sealed: null };
  const input =
    call.direction === 'do'
      ? step.input(await earlierResults(context, tx, record))
      : await whatWasDone(context, tx, call);
  return { input, sealed: sealer.seal(input, place) };
}

async function earlierResults(
  { sealer }: EngineContext,
  tx: Tx,
  record: RunRecord,
): Promise<Readonly<Record<string, unknown>>> {
  const values = await readValues(tx, record.id);
  const results = record.state.steps
    .filter(({ forward }) => forward.phase === 'done' || forward.phase === 'missed')
    .map(({ step }) => {
      const sealed = values.get(step.name) ?? null;
      const place = valuePlace({ run: record.id, step: step.name, direction: 'do' });
      return [step.name, sealed === null ? null : sealer.open(sealed, place)] as const;
    });
  const input = sealer.open(record.input, runInputPlace(record.id));
  return Object.freeze({ input, ...Object.fromEntries(results) });
}

/** An undo is given exactly what the step was given and what it came to. */
async function whatWasDone(
  { sealer }: EngineContext,
  tx: Tx,
  call: CallOf,
): Promise<{ readonly input: unknown; readonly value: unknown }> {
  const forward: CallOf = { ...call, direction: 'do' };
  const key = await readKey(tx, forward);
  return {
    input: key?.input == null ? null : sealer.open(key.input, callInputPlace(forward)),
    value: key?.value == null ? null : sealer.open(key.value, valuePlace(forward)),
  };
}
