import { setTimeout as pause } from 'node:timers/promises';
import type { EngineParts } from '../engine.tokens.js';
import { Problem } from '../http/problem.js';
import { keyOf, sendableMs, ticksOf, type RunRecord } from '../journal/run-record.js';
import { readRecord } from '../journal/run-record.store.js';
import { callInputPlace } from '../journal/sealed-places.js';
import { inTime } from '../providers/in-time.process.js';
import { answerCancel } from '../saga/cancel.js';
import { cancelOutlook, quotedOf, type Held, type Quoted } from '../saga/cancel-outlook.js';
import type { CancelRefusal } from '../saga/journal.js';
import { cannotTell, type Finding } from '../saga/outcome.js';
import type { StepState } from '../saga/run-state.js';
import { stepKey } from '../saga/step-key.js';

/** A provider answers in less, or a customer would rather ask again. */
const ASK_MS = 2_000;
/**
 * For so long a call that is on its way is waited for: most are over by then. With the last
 * question it is 6 s at most, and the lease of a handler that asks is longer.
 */
const SETTLE_MS = 3_000;
const LOOK_EVERY_MS = 150;

type Parts = Pick<EngineParts, 'database' | 'sagas' | 'sealer' | 'recent' | 'meters'>;

/**
 * What a cancel of a run would come to, by its record and by what its providers hold now: each step
 * that was begun, would be undone and can be asked after is asked after, under its own key, which
 * changes nothing. A call that is on its way is waited for, for a moment. Throws what `refuse`
 * throws of a run that cannot be cancelled; Problem: unavailable, where a provider does not answer,
 * or not clearly, so that nothing is guessed. Throws UnknownSaga.
 */
export async function askWhatACancelComesTo(
  parts: Parts,
  run: string,
  refuse: (refusal: CancelRefusal) => never,
  signal: AbortSignal,
): Promise<Quoted> {
  const nowMs = () => parts.recent.now().monotonicMs;
  const until = nowMs() + SETTLE_MS;
  for (;;) {
    const record = await readRecord(parts.database, parts.sagas, run);
    const refusal = refusalOf(record);
    if (refusal !== null) refuse(refusal);
    const asked = await Promise.all(
      toAsk(record).map(async (state) => {
        const finding = await ask(parts, record, state, signal);
        return [state.step.name, judge(parts, record, state, finding)] as const;
      }),
    );
    const unclear = asked.flatMap(([, known]) => (typeof known === 'string' ? [] : [known]));
    if (unclear.length === 0) {
      const held = new Map(asked as readonly (readonly [string, Held])[]);
      return quotedOf(cancelOutlook(record.state, ticksOf(record)), held);
    }
    const lasting = unclear.find(({ mayClear }) => !mayClear);
    if (lasting !== undefined || nowMs() + LOOK_EVERY_MS > until) {
      throw unavailable(lasting ?? unclear[0]);
    }
    await pause(LOOK_EVERY_MS, undefined, { signal });
  }
}

/** Why nothing is quoted; null: a cancel would be accepted, or what it asks for is on its way. */
function refusalOf({ state }: RunRecord): CancelRefusal | null {
  const answer = answerCancel(state);
  if (answer === 'accepted') return null;
  if (answer !== 'unchanged') return answer;
  return state.finishedAs === null ? null : 'already-ended';
}

/** Whose undo was not begun: of the others the record knows all, and the provider no longer. */
function toAsk({ state }: RunRecord): readonly StepState[] {
  return state.steps.filter(({ step, forward, undo }) => {
    const mayHaveHappened = ['sending', 'unknown', 'done'].includes(forward.phase);
    const isAskable = step.undo !== null && step.forward.find !== null;
    return isAskable && mayHaveHappened && undo.phase === 'not-begun';
  });
}

async function ask(
  { sagas, sealer, recent, meters }: Parts,
  record: RunRecord,
  { step }: StepState,
  signal: AbortSignal,
): Promise<Finding<unknown>> {
  const of = { run: record.id, step: step.name, direction: 'do' } as const;
  const find = sagas.act(step.forward.find ?? '');
  const sealed = keyOf(record, of)?.input ?? null;
  if (find.kind !== 'find' || sealed === null || signal.aborted) return cannotTell('not-asked');
  const monotonicMs = () => recent.now().monotonicMs;
  const askedAt = monotonicMs();
  const sendable = {
    key: stepKey(record.id, step.name, 'do'),
    input: sealer.open(sealed, callInputPlace(of)),
    sendBy: new Date(record.now.getTime() + ASK_MS),
    until: askedAt + ASK_MS,
  };
  const unanswered = { overrun: cannotTell('timed-out'), thrown: cannotTell('act-threw') };
  const finding = await inTime<Finding<unknown>>(monotonicMs, sendable, unanswered, (call) =>
    find.perform(call),
  );
  meters.called(find, finding.kind, monotonicMs() - askedAt);
  return finding;
}

interface Unclear {
  readonly why: string;
  /** A moment later it may be clear. */
  readonly mayClear: boolean;
}

/** "Not there" is believed of what may not land any more, and never against the record. */
function judge(
  { sagas }: Parts,
  record: RunRecord,
  { step, forward }: StepState,
  finding: Finding<unknown>,
): Held | Unclear {
  const about = `${step.at} and ${step.name}`;
  switch (finding.kind) {
    case 'found':
      return 'there';
    case 'cannot-tell':
      return { why: `${step.at} does not say what became of ${step.name}`, mayClear: false };
    case 'differs':
      return { why: `${about}: what it holds is not what was asked for`, mayClear: false };
    case 'not-there': {
      if (forward.phase === 'done') {
        return { why: `${about}: it does not hold any more what it confirmed`, mayClear: false };
      }
      const of = { step: step.name, direction: 'do' } as const;
      const landsInMs = sendableMs(record, of) + sagas.settlesMs(step.at);
      if (landsInMs <= 0) return 'not-there';
      return { why: `whether ${step.name} takes effect is not known yet`, mayClear: true };
    }
  }
}

function unavailable(unclear: Unclear | undefined): Problem {
  const why = unclear?.why ?? 'a provider does not answer';
  return new Problem('unavailable', {
    detail: `Nothing is quoted: ${why}. Ask again; a cancel needs no quote.`,
    headers: { 'Retry-After': unclear?.mayClear === true ? '1' : '5' },
  });
}
