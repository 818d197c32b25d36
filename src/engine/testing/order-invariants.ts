import { isSettled, type CallState } from '../saga/call-state.js';
import { stepNamed } from '../saga/definition.js';
import { callState, hasTicked, pivotDone, type StepState } from '../saga/run-state.js';
import type { Interference } from './interferences.js';
import { ofEach, undos, type Invariant } from './invariant.js';
import type { Played, Sent } from './played.js';
import { LATE_NEWS } from './world.js';

/**
 * S6: undos come in the reverse order of the starts, once what was begun side by side has settled,
 * unless one is slow or on the desk.
 */
export const undoesInReverse: Invariant = {
  name: 'undos come in the reverse order of the starts',
  broken: (played) =>
    ofEach(firstUndos(played), (sent) => {
      const mayHold = [...startedAfter(played, sent.step), ...openSiblings(played, sent)];
      const states = sent.driver.run.steps.filter(({ step }) => mayHold.includes(step.name));
      return ofEach(states, (state) => passes(played, sent, state));
    }),
};

/** What was begun after a step, by what was sent: the kernel is not asked for its own order. */
function startedAfter({ sent }: Played, step: string): readonly string[] {
  const started = sent.flatMap((one) => (one.direction === 'do' ? [one.step] : []));
  const first = started.indexOf(step);
  return [...new Set(started)].filter((other) => started.indexOf(other) > first);
}

/** What was begun side by side with a step, and was not settled when its undo was sent. */
function openSiblings(played: Played, { step, driver }: Sent): readonly string[] {
  const open = driver.run.steps.filter(
    ({ forward }) => forward.order !== null && !isSettled(forward),
  );
  return siblings(played, step).filter((name) => open.some((state) => state.step.name === name));
}

function siblings({ saga }: Played, name: string): readonly string[] {
  const { group } = stepNamed(saga, name);
  const others = saga.steps.filter((other) => other.group === group && other.name !== name);
  return others.map((other) => other.name);
}

function firstUndos(played: Played): readonly Sent[] {
  const all = undos(played);
  return all.filter((one) => all.find(({ step }) => step === one.step) === one);
}

function passes(played: Played, sent: Sent, { step, forward, undo }: StepState): string | null {
  const isOwed = !isSettled(forward) || (forward.phase === 'done' && step.undo !== null);
  if (!isOwed || ['done', 'by-hand', 'left'].includes(undo.phase)) return null;
  const broken = `the undo of ${sent.step} passed that of ${step.name}`;
  if (step.onStuckUndo === 'stop') return `${broken}, which stops it`;
  const call = isSettled(forward) ? undo : forward;
  if (call.openCase !== null) return null;
  const isSlow = hasTicked(sent.driver.ticks, { kind: 'undo-slow', step: step.name });
  const since = heldUpSince(played, step.name);
  if (!isSlow || since === undefined) return `${broken} too soon`;
  const ms = sent.at - since;
  return ms < played.saga.slowUndoMs ? `${broken} after ${ms} ms` : null;
}

/** Since when the way back waits for a step: since it turned, or since its undo was begun. */
function heldUpSince(played: Played, step: string): number | undefined {
  const { turned } = played;
  if (turned !== null && !isSettled(callState(turned.record, step, 'do'))) return turned.at;
  return undos(played).find((one) => one.step === step)?.at;
}

/** S6 as well: what is slow holds up each undo before it for a while, and no longer. */
export const letsUndosPass: Invariant = {
  name: 'a slow undo holds up those before it only for a while',
  broken: (played) => {
    const { turned, saga, choices } = played;
    const isDelayed = choices.some(({ options, taken }) => DELAYS.has(options[taken] ?? ''));
    if (turned === null || isDelayed) return null;
    return ofEach(firstUndos(played), ({ step, at }) => {
      const holding = new Set([...startedAfter(played, step), ...siblings(played, step)]);
      const later = [...holding].map((name) => stepNamed(saga, name));
      const isHeld = later.some(({ onStuckUndo }) => onStuckUndo === 'stop');
      if (isHeld || callState(turned.record, step, 'do').phase !== 'done') return null;
      const ms = at - turned.at;
      const mostMs = later.length * saga.slowUndoMs + A_MOMENT_MS;
      return ms <= mostMs ? null : `the undo of ${step} was held up for ${ms} ms`;
    });
  },
};

/** What holds up a driver, and makes its timers begin anew. */
const DELAYS: ReadonlySet<string> = new Set([
  'the driver starts anew',
  'all stands still until the deadline',
  'all stands still for a day',
  LATE_NEWS,
] satisfies (Interference | typeof LATE_NEWS)[]);
/** What is written and read on the way takes milliseconds. */
const A_MOMENT_MS = 1_000;

/**
 * S7: once it has turned, or a refusal has turned it, nothing new is done forward; a key is sent
 * again only to learn.
 */
export const turnsForGood: Invariant = {
  name: 'nothing new is done forward once it has turned',
  broken: (played) =>
    ofEach(played.sent, ({ step: name, direction, record }) => {
      if (direction === 'undo') return null;
      const step = stepNamed(played.saga, name);
      const isRefused = record.steps.some(({ forward }) => forward.phase === 'refused');
      const turned = record.unwindingBecause !== null || record.cancelAccepted || isRefused;
      if (!turned || step.place === 'after-pivot') return null;
      const learns = callState(record, name, 'do').unknowns.length > 0;
      const isKeyed = step.forward.whenUnknown === 'retry-with-key';
      return learns && isKeyed ? null : `${name} was sent after the run had turned`;
    }),
};

/** S8: nothing is undone on the way forward, nor once the pivot took effect. */
export const keepsThePivot: Invariant = {
  name: 'nothing is undone past the pivot',
  broken: (played) =>
    ofEach(undos(played), ({ step, record }) => {
      if (record.unwindingBecause === null) return `${step} was undone on the way forward`;
      return pivotDone(record) ? `${step} was undone past the pivot` : null;
    }),
};

/** S9: what nobody knows is not sent again, where twice would be twice. */
export const doesNotGuess: Invariant = {
  name: 'what nobody knows is not tried again blindly',
  broken: (played) =>
    ofEach(played.sent, ({ step: name, direction, record }) => {
      const step = stepNamed(played.saga, name);
      const call = direction === 'do' ? step.forward : step.undo;
      const { unknowns } = callState(record, name, direction);
      const isBlind = call?.whenUnknown === 'ask-person' || call?.whenUnknown === 'ask-provider';
      return isBlind && unknowns.length > 0
        ? `${name} was sent again while nobody knew what an earlier attempt had done`
        : null;
    }),
};

/** S11: attempts of one call never overlap. */
export const oneAttemptAtATime: Invariant = {
  name: 'one call has one attempt at a time',
  broken: (played) =>
    ofEach(played.sent, ({ step, direction, record }) => {
      const call: CallState = callState(record, step, direction);
      return call.inFlight === null ? null : `two attempts of ${step} were on their way at once`;
    }),
};

/** S13: no forward work is begun after the deadline, up to the pivot. */
export const keepsTheDeadline: Invariant = {
  name: 'nothing is begun after the deadline',
  broken: ({ saga, sent }) =>
    ofEach(sent, ({ step, direction, attempt, at }) => {
      const { deadlineMs } = saga;
      if (deadlineMs === null || at < deadlineMs || direction === 'undo' || attempt > 1)
        return null;
      const isPast = stepNamed(saga, step).place === 'after-pivot';
      return isPast ? null : `${step} was begun after the deadline`;
    }),
};
