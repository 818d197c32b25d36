import { stepNamed } from '../saga/definition.js';
import type { Problem, Verdict } from '../saga/journal.js';
import { callState } from '../saga/run-state.js';
import { allowedVerdicts } from '../saga/verdicts.js';
import type { Happening, OfCall } from './happening.js';
import { append, callName, choose, tellOfNews, type World } from './world.js';

const LOOKS_AT_ONCE_MS = 60_000;
const LOOKS_AGAIN_MS = 20_000;

/** Somebody takes up what is new on the desk. */
export function watchDesk({ record, takenUp, agenda }: World): void {
  for (const [id, { of, problem }] of record.state.openCases) {
    if (takenUp.includes(id)) continue;
    takenUp.push(id);
    agenda.after(LOOKS_AT_ONCE_MS, { kind: 'decides', id, of, problem });
  }
}

/** They have looked at the provider, and say what is there; or look again while it may change. */
export function decide(world: World, look: Happening & { readonly kind: 'decides' }): void {
  const { record, agenda, providers } = world;
  const { id, of, problem } = look;
  if (!record.state.openCases.has(id)) return;
  const possible = problem === 'contradiction' ? NOTED : truths(world, of);
  if (possible === null) {
    agenda.after(LOOKS_AGAIN_MS, look);
    return;
  }
  const subject = callName(of);
  const place = { form: 'a person looks at {of}', of: subject };
  const verdict = possible[choose(world, place, possible, { subject, isFault: false })];
  if (verdict === undefined) return;
  if (!isAllowed(world, verdict, look)) {
    world.unspoken ??= `the truth about ${subject} is ${verdict}, and it is not offered`;
    return;
  }
  const { step, direction } = of;
  if (verdict === 'undone-by-hand') {
    providers.performByHand({ step, direction: 'undo' }, agenda.now);
  }
  append(world, { kind: 'verdict', case: id, step, direction, verdict });
  tellOfNews(world, 'a verdict');
}

/** What may honestly be said of a call; null while that may still change by itself. */
function truths({ record, providers, attempts, saga }: World, of: OfCall): Verdicts | null {
  const { inFlight } = callState(record.state, of.step, of.direction);
  // What lands late is not there yet; but an attempt in flight is known to be in flight.
  if (attempts.onTheWay(of) > (inFlight === null ? 0 : 1)) return null;
  const { place, undo } = stepNamed(saga, of.step);
  if (providers.under(of).length > 0) {
    const byHand = of.direction === 'do' && place !== 'after-pivot' && undo !== null;
    return byHand ? ['happened', 'undone-by-hand', 'left-as-is'] : ['happened', 'left-as-is'];
  }
  if (inFlight !== null) return ['did-not-happen'];
  return of.direction === 'undo'
    ? ['did-not-happen', 'undone-by-hand', 'left-as-is']
    : ['did-not-happen', 'left-as-is'];
}

/** What is true must be on offer, or a person at the desk could only lie. */
function isAllowed(
  { record, saga }: World,
  verdict: Verdict,
  { of, problem }: { readonly of: OfCall; readonly problem: Problem },
): boolean {
  const run = record.state;
  const { place, undo } = stepNamed(saga, of.step);
  const allowed = allowedVerdicts({
    problem,
    direction: of.direction,
    place,
    undoable: undo !== null,
    unwinding: run.unwindingBecause !== null || run.cancelAccepted,
    ended: run.finishedAs !== null,
  });
  return allowed.some((one) => one.verdict === verdict);
}

type Verdicts = readonly [Verdict, ...Verdict[]];

/** The course of the run is settled: it is put on record, no more. */
const NOTED: Verdicts = ['left-as-is'];
