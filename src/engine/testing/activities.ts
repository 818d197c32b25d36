import { hindranceTo } from '../saga/hindrance.js';
import { movesOf, turnsBackBecause, type Move } from '../saga/next-moves.js';
import { callDefinition, endAttempt, send } from './attempting.js';
import type { Begun, OfAttempt, OfCall, Told, WorkMove } from './happening.js';
import { ask } from './questions.js';
import { append, deadlineHasPassed, deadlineTick, type World } from './world.js';

/** What is written takes a moment. */
const WRITING_MS = 1;

/** Begins a move as the engine's activities do it; whoever `begun` it is told when it is over. */
export function perform(world: World, move: WorkMove, begun: Begun): void {
  if (move.kind === 'call') return call(world, move, begun);
  if (move.kind === 'ask') return ask(world, move, begun);
  world.agenda.after(WRITING_MS, { kind: 'writes', move, begun });
}

/** Does a move that only writes. */
export function write(world: World, move: WorkMove): Told {
  switch (move.kind) {
    case 'call':
    case 'read':
      return readAttempt(world, move);
    case 'open-case':
      return openCase(world, move);
    case 'unwind':
      return unwind(world, move.because === 'deadline');
    case 'finish':
      return finish(world, move);
    case 'ask':
      return {};
  }
}

function call(world: World, move: OfAttempt & { readonly kind: 'call' }, begun: Begun): void {
  const { record, attempts, agenda } = world;
  if (attempts.row(move)?.state === 'sending') {
    return agenda.after(WRITING_MS, { kind: 'writes', move, begun });
  }
  const hindrance = hindranceTo(record.state, move, {
    deadlineHasPassed: deadlineHasPassed(world),
    keyIsTooOld: keyIsTooOld(world, move),
  });
  if (hindrance === null) return send(world, move, begun);
  if (hindrance === 'key-too-old') {
    append(world, { kind: 'key-expired', step: move.step, direction: move.direction });
  }
  const told: Told = hindrance === 'deadline' ? { stopped: 'deadline' } : {};
  agenda.after(WRITING_MS, { kind: 'over', told, begun });
}

/** The process of the attempt may have died: its outcome is unknown once it can arrive no more. */
function readAttempt(world: World, of: OfAttempt): Told {
  const row = world.attempts.row(of);
  if (row?.state !== 'sending') return {};
  const waits = row.sendBy + world.facts(of.step).settlesMs - world.agenda.now;
  if (waits > 0) return { holdMs: waits };
  endAttempt(world, of, 'unknown');
  return {};
}

function openCase(world: World, move: Move & { readonly kind: 'open-case' }): Told {
  const { step, direction, problem } = move;
  const { state } = world.record;
  const isDue = movesOf(state, []).some(
    (one) =>
      one.kind === 'open-case' &&
      one.step === step &&
      one.direction === direction &&
      one.problem === problem,
  );
  const id = `case-${state.lastSeq + 1}`;
  if (isDue) append(world, { kind: 'case-opened', case: id, step, direction, problem });
  return {};
}

function unwind(world: World, isOfDeadline: boolean): Told {
  const { record, agenda, saga } = world;
  const because = turnsBackBecause(record.state, deadlineTick(world));
  if (because === null) {
    const earlyMs = (saga.deadlineMs ?? 0) - agenda.now;
    return isOfDeadline && earlyMs > 0 ? { holdMs: earlyMs } : {};
  }
  world.turned ??= { at: agenda.now, record: record.state };
  append(world, { kind: 'unwinding', because });
  return {};
}

function finish(world: World, { as }: Move & { readonly kind: 'finish' }): Told {
  const isDue = movesOf(world.record.state, deadlineTick(world)).some(
    (move) => move.kind === 'finish' && move.as === as,
  );
  if (isDue) append(world, { kind: 'finished', as });
  return {};
}

/** The last moment at which it could arrive must lie within what the provider promises. */
function keyIsTooOld(world: World, of: OfCall): boolean {
  const first = world.attempts.firstBegun(of);
  if (first === undefined) return false;
  const { settlesMs, keyWindowMs } = world.facts(of.step);
  const arrives = world.agenda.now + callDefinition(world, of).timeoutMs + settlesMs;
  return arrives >= first + keyWindowMs;
}
