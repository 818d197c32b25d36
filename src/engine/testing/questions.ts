import { isSettled } from '../saga/call-state.js';
import { FORWARD_RETRY, waitMs } from '../saga/retry-policy.js';
import { callState } from '../saga/run-state.js';
import type { Begun, Luck, OfCall, Question } from './happening.js';
import { append, callName, choose, type World } from './world.js';

const ANSWERS_MS = 50;
const SILENT_MS = 10_000;
/** How a provider that is asked may behave; the first is what one would wish. */
export const LUCK: readonly Luck[] = [
  'answers',
  'is silent',
  'is silent for long',
  'holds something else',
];
/** Who holds nothing cannot hold something else. */
const EMPTY_HANDED = LUCK.slice(0, 3);
const middle = (): number => 0.5;

/** Asks the provider what a call did; its answer comes in a while. */
export function ask(world: World, { step, direction }: OfCall, begun: Begun): void {
  const { agenda, attempts, record, providers } = world;
  const of = { step, direction };
  const name = callName(of);
  const mayHold = providers.under(of).length + attempts.onTheWay(of) > 0;
  const options = mayHold ? LUCK : EMPTY_HANDED;
  const rank = { subject: name, isFault: true };
  const place = { form: 'asked about {of}', of: name };
  const luck = LUCK[choose(world, place, options, rank)] ?? 'answers';
  const isQuick = luck === 'answers' || luck === 'holds something else';
  const question: Question = {
    of,
    luck,
    attempt: callState(record.state, step, direction).attempt,
    settlesInMs: attempts.sendableUntil(of) + world.facts(step).settlesMs - agenda.now,
    since: attempts.askedSince(of, agenda.now),
  };
  agenda.after(isQuick ? ANSWERS_MS : SILENT_MS, { kind: 'told-of-call', question, begun });
}

/** Writes what a provider answered, as the engine's find does; to an old question it is none. */
export function writeAnswer(world: World, question: Question): void {
  const { record } = world;
  const { of, attempt } = question;
  const call = callState(record.state, of.step, of.direction);
  if (record.state.finishedAs !== null || isSettled(call) || call.attempt !== attempt) return;
  write(world, question);
}

function write(world: World, { of, luck, since, settlesInMs }: Question): void {
  const { providers, attempts, agenda, saga } = world;
  const asked = { kind: 'asked', step: of.step, direction: of.direction } as const;
  const againMs = waitMs(1, FORWARD_RETRY, undefined, middle);
  const askingMs = agenda.now - since;
  const tellNothing = (cause: string, ask_again_ms: number, asking_ms = askingMs): void =>
    append(world, { ...asked, finding: 'cannot-tell', cause, ask_again_ms, asking_ms });
  if (luck === 'is silent') return tellNothing('timed-out', againMs);
  if (luck === 'is silent for long') {
    return tellNothing('timed-out', againMs, askingMs + saga.stuckAfterMs);
  }
  const [effect] = providers.under(of);
  if (effect !== undefined && luck === 'answers') {
    return append(world, { ...asked, finding: 'found', provider_id: effect.id });
  }
  if (effect !== undefined) {
    return append(world, { ...asked, finding: 'differs', cause: 'another-amount' });
  }
  if (settlesInMs > 0) return tellNothing('not-settled', settlesInMs);
  const trying_ms = agenda.now - (attempts.firstBegun(of) ?? agenda.now);
  append(world, { ...asked, finding: 'not-there', retry_ms: againMs, trying_ms });
}
