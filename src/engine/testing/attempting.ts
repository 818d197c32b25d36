import { callOf, stepNamed, type CallDefinition } from '../saga/definition.js';
import type { EndedAs } from '../saga/journal.js';
import { movesOf } from '../saga/next-moves.js';
import { waitMs } from '../saga/retry-policy.js';
import { callState } from '../saga/run-state.js';
import { fateAt, fateWords, type Fate, type Seen } from './fates.js';
import type { Begun, OfAttempt, OfCall } from './happening.js';
import { append, callName, choose, tellOfNews, type World } from './world.js';

const LANDS_MS = 40;
/** How soon one lands that overtakes another. */
const OVERTAKES_MS = 20;
/** How long after it landed it is answered. */
const HEARD_MS = 60;
/** Long after everything was given up. */
const MUCH_LATER_MS = 300_000;
/** No luck in the waits between attempts: each is the middle of what it may be. */
const middle = (): number => 0.5;

/** Begins an attempt and sends it; what becomes of it is a choice. */
export function send(world: World, { step, direction, attempt }: OfAttempt, begun: Begun): void {
  const { agenda, record, attempts } = world;
  const of = { step, direction, attempt };
  const { run, ticks } = world.driver;
  const driver = { run, ticks };
  world.sent.push({ at: agenda.now, step, direction, attempt, record: record.state, driver });
  append(world, { kind: 'begun', ...of });
  const subject = callName(of);
  const place = { form: '{of}, attempt {n}', of: subject, n: attempt };
  const rank = { subject, isFault: true };
  const fate = fateAt(direction, choose(world, place, fateWords(direction), rank));
  const beside = { ...place, form: '{of}, attempt {n} beside another' };
  const overtakes = mayOvertake(world, fate) && choose(world, beside, ORDERS, rank) === 1;
  const { timeoutMs } = callDefinition(world, of);
  // Spelled out, as addLine is: what is added to a spread object costs microseconds.
  attempts.add({
    step,
    direction,
    attempt,
    beganAt: agenda.now,
    sendBy: agenda.now + timeoutMs,
    state: 'sending',
    onTheWay: fate.lands !== 'never',
    effect: null,
  });
  meet(world, fate, of, overtakes ? OVERTAKES_MS : LANDS_MS, begun);
}

const ORDERS = ['in turn', 'overtakes'];

/** Whether something else comes first that would come later if this one were quicker. */
function mayOvertake({ agenda }: World, { lands, seen }: Fate): boolean {
  const isHeard = seen !== null && seen !== 'unknown';
  return (
    (lands === 'in time' && agenda.hasWithin(OVERTAKES_MS, LANDS_MS)) ||
    (isHeard && agenda.hasWithin(OVERTAKES_MS + HEARD_MS, LANDS_MS + HEARD_MS))
  );
}

function meet(world: World, fate: Fate, of: OfAttempt, quickMs: number, begun: Begun): void {
  const { agenda } = world;
  const { timeoutMs } = callDefinition(world, of);
  const { lands, seen, later } = fate;
  if (lands !== 'never') {
    const lateMs = timeoutMs + world.facts(of.step).settlesMs / 2;
    agenda.after(lands === 'late' ? lateMs : quickMs, { kind: 'lands', of }, true);
  }
  const isSilent = seen === null || seen === 'unknown';
  const answersMs = isSilent ? timeoutMs : quickMs + HEARD_MS;
  agenda.after(answersMs, { kind: 'answered', of, seen, begun });
  if (later !== undefined) agenda.after(MUCH_LATER_MS, { kind: 'answered-late', of, seen: later });
}

/** A request takes effect, if its provider makes another effect of it. */
export function land(world: World, of: OfAttempt): void {
  const { agenda, attempts, providers } = world;
  const { whenUnknown } = callDefinition(world, of);
  const { keyWindowMs } = world.facts(of.step);
  const effect = providers.perform(of, whenUnknown, keyWindowMs, agenda.now);
  attempts.alter(of, { onTheWay: false, effect });
}

/** What is seen of an attempt long after it was given up. */
export function endLate(world: World, of: OfAttempt, seen: Seen): void {
  if (endAttempt(world, of, seen)) tellOfNews(world, 'what came much later');
}

/**
 * A fact is a fact: it is written from `sending` or `unknown`, after the end too. False when it was
 * known already.
 */
export function endAttempt(world: World, of: OfAttempt, seen: Seen): boolean {
  const { attempts } = world;
  const state = attempts.row(of)?.state ?? 'settled';
  if (state === 'settled' || (state === 'unknown' && seen === 'unknown')) return false;
  attempts.alter(of, { state: seen === 'unknown' ? 'unknown' : 'settled' });
  const { step, direction, attempt } = of;
  append(world, { kind: 'ended', step, direction, attempt, ...endedAs(world, of, seen) });
  closeWithIt(world);
  return true;
}

/** The end of the last attempt is the end of the run; a cancelled one ends by a move. */
function closeWithIt(world: World): void {
  const [move, ...others] = movesOf(world.record.state, []);
  const closes = move?.kind === 'finish' && move.as !== 'cancelled' && others.length === 0;
  if (closes) append(world, { kind: 'finished', as: move.as });
}

function endedAs(world: World, of: OfAttempt, seen: Seen): EndedAs {
  const { agenda, attempts, record } = world;
  const used = callState(record.state, of.step, of.direction).used + 1;
  const times = {
    retry_ms: waitMs(used, callDefinition(world, of).retry, undefined, middle),
    trying_ms: agenda.now - (attempts.firstBegun(of) ?? agenda.now),
  };
  switch (seen) {
    case 'done':
      return { outcome: 'done', provider_id: attempts.row(of)?.effect ?? null };
    case 'unknown':
      return { outcome: 'unknown', cause: 'timed-out', ...times };
    case 'again':
    case 'not-sent':
      return { outcome: 'again', reason: seen, counts: seen === 'again', ...times };
    case 'refused':
    case 'no-such-thing':
      return { outcome: 'refused', code: seen };
  }
}

export function callDefinition({ saga }: World, of: OfCall): CallDefinition {
  const found = callOf(stepNamed(saga, of.step), of.direction);
  if (found === null) throw new RangeError(`${of.step} has no undo`);
  return found;
}
