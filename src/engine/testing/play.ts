import { checkSaga } from '../saga/check-definition.js';
import type { SagaDefinition } from '../saga/definition.js';
import { perform, write } from './activities.js';
import { endAttempt, endLate, land } from './attempting.js';
import type { Chooser } from './choices.js';
import { decide, watchDesk } from './desk.js';
import type { Begun, Happening, Told, WorkMove } from './happening.js';
import { abandon, cancel, interferencesIn, retryNow, type Interference } from './interferences.js';
import type { Played } from './played.js';
import { writeAnswer } from './questions.js';
import { callName, choose, newWorld, tellOfNews, type Surroundings, type World } from './world.js';

/** Far more than any run needs that gets somewhere. */
const MOST_MOVES = 600;
const MOST_ROUNDS = 5_000;

/**
 * Plays one run of a saga from its acceptance to its end, and on until nothing more can come: the
 * engine's own kernel, driven as on Temporal, against providers that remember what really happened.
 * `choose` decides at each place how it goes on. Nothing waits: time is counted, not spent.
 * Throws SagaDefinitionError for a saga without a step.
 */
export function playWith(
  saga: SagaDefinition,
  choose: Chooser,
  surroundings: Surroundings = {},
): Played {
  checkSaga(saga);
  return playOn(newWorld(saga, surroundings, choose));
}

/** Goes on from where a world stands; `before` is shown it whenever a round of it begins. */
export function playOn(world: World, before?: (world: World) => void): Played {
  const { agenda, driver } = world;
  for (let round = 0; ; round += 1) {
    if (round > MOST_ROUNDS) return played(world, 'it goes on without end');
    if (driver.moves > MOST_MOVES) return played(world, 'moves without progress');
    before?.(world);
    interfere(world);
    for (const move of arrange(world, driver.due(agenda))) begin(world, move);
    watchDesk(world);
    const what = agenda.next();
    if (what === undefined) return played(world, null);
    happen(world, what);
  }
}

/** Wherever the record has news something may come in between. */
function interfere(world: World): void {
  const { record, choices } = world;
  const { lastSeq } = record.state;
  if (lastSeq === world.interferedAt) return;
  world.interferedAt = lastSeq;
  if (choices.isFaultless) return void choices.goWell();
  const options = interferencesIn(world);
  const taken = options[choose(world, { form: 'after line {n}', n: lastSeq }, options)];
  if (taken !== undefined) comeBetween(world, taken);
}

function comeBetween(world: World, what: Interference): void {
  const { agenda, driver, record, saga } = world;
  switch (what) {
    case 'nothing comes in between':
      return;
    case 'a cancel':
      return cancel(world);
    case 'the driver starts anew':
      return driver.restart(record.state, agenda);
    case 'all stands still until the deadline':
      return standUntil(world, saga.deadlineMs ?? 0);
    case 'all stands still for a day':
      return standUntil(world, agenda.now + A_DAY_MS);
    case 'an operator says retry now':
      return retryNow(world);
    case 'an operator abandons it':
      return abandon(world);
  }
}

function standUntil(world: World, ms: number): void {
  for (;;) {
    const what = world.agenda.nextElsewhere(ms);
    if (what === undefined) return;
    happen(world, what);
  }
}

/** Calls that are begun at the same moment come in one order or in the other. */
function arrange(world: World, moves: readonly WorkMove[]): readonly WorkMove[] {
  const calls = moves.filter((move) => move.kind === 'call');
  if (calls.length < 2) return moves;
  const place = { form: 'which is first: {of}', of: calls.map(callName).join(', ') };
  return choose(world, place, FIRST) === 1 ? moves.toReversed() : moves;
}

function begin(world: World, move: WorkMove): void {
  const begun = world.driver.begin(move);
  if (begun !== null) perform(world, move, begun);
}

function happen(world: World, what: Happening): void {
  const { driver, record } = world;
  switch (what.kind) {
    case 'writes':
      return tell(world, what.begun, write(world, what.move));
    case 'over':
      return tell(world, what.begun, what.told);
    case 'lands':
      return land(world, what.of);
    case 'answered':
      if (what.seen !== null) endAttempt(world, what.of, what.seen);
      return tell(world, what.begun, {});
    case 'answered-late':
      return endLate(world, what.of, what.seen);
    case 'told-of-call':
      writeAnswer(world, what.question);
      return tell(world, what.begun, {});
    case 'look':
      return driver.look(record.state);
    case 'fires':
      return driver.fire(what.name, what.then);
    case 'held':
      return driver.release(what.begun);
    case 'decides':
      return decide(world, what);
  }
}

/** The driver learns that a move is over; one that lost its memory hears of it by the relay. */
function tell(world: World, begun: Begun, told: Told): void {
  const { driver, record, agenda } = world;
  if (!driver.learn(begun, told, record.state, agenda)) {
    tellOfNews(world, 'what an earlier driver began');
  }
}

function played(world: World, endless: string | null): Played {
  const { saga, choices, record, sent, providers, cancels, turned, unspoken } = world;
  return {
    saga,
    choices: choices.made,
    written: record.written,
    states: record.states,
    run: record.state,
    sent,
    effects: providers.effects,
    cancels,
    turned,
    unspoken,
    endless,
  };
}

const A_DAY_MS = 25 * 3_600_000;
const FIRST = ['the first named', 'the last named'];
