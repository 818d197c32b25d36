import { checkSaga } from '../saga/check-definition.js';
import type { SagaDefinition } from '../saga/definition.js';
import { scheduleOf, type Choice, type Chooser, type Schedule } from './choices.js';
import type { Invariant } from './invariant.js';
import { allOf, failureOf, judge, type Failure } from './judge.js';
import { playOn } from './play.js';
import type { Played } from './played.js';
import { Tally, type Tallied } from './tally.js';
import { fork, newWorld, type Surroundings, type World } from './world.js';

/** How far and under what conditions a saga is explored. */
export interface ExploreOptions extends Surroundings {
  /** At most so many faults in one run. @default 2 */
  readonly faults?: number;
  /** What must hold beside what the engine promises. */
  readonly invariants?: readonly Invariant[];
  /**
   * Only one part of so many: which are disjoint, about equally big, and together all of it.
   * @default all
   */
  readonly part?: { readonly index: number; readonly of: number };
  /** Told now and then how far it is. */
  readonly onProgress?: (progress: Progress) => void;
}

/** How far an exploration is. */
export interface Progress {
  readonly schedules: number;
  /** The number of faults in the schedules that are played now. */
  readonly faults: number;
  /** How far it is with those, from 0 to 1. */
  readonly share: number;
}

/** What was tried, and what came of it. */
export interface Explored extends Tallied {
  /** A schedule with the fewest faults that broke something; null: nothing did. */
  readonly failure: Failure | null;
}

/**
 * Plays every schedule of at most `faults` faults: each attempt can be refused, lost with and
 * without effect, late, or die with its process; providers can be silent or hold something else; a
 * cancel, the deadline, a new driver or a day can come in between everywhere; a person can say each
 * verdict that is true; calls side by side can go in another order. Stops at the first that breaks
 * an invariant, which then has the fewest faults that can. The same saga gives the same again.
 * Throws SagaDefinitionError for a saga without a step.
 */
export function explore(saga: SagaDefinition, options: ExploreOptions = {}): Explored {
  checkSaga(saga);
  const { faults = 2 } = options;
  const tally = new Tally();
  const invariants = allOf(options.invariants);
  const search = new Search(saga, options, invariants, tally);
  let found: Schedule | null = null;
  for (let level = 0; level <= faults && found === null; level += 1) found = search.level(level);
  return { ...tally.sum(), failure: found && failureOf(saga, found, options, invariants) };
}

/** A run that goes on from a world by these options, and well once they are used up. */
interface Branch {
  readonly from: World;
  readonly script: readonly number[];
  readonly faults: number;
  readonly isFirstFault: boolean;
  /** How much it is, with what parts from it, of all that is played with that many faults. */
  readonly share: number;
}

const TELLS_EVERY = 2_000;

/**
 * Goes down one level after the other. What is played again to come to the next level costs little:
 * each has some forty times as many schedules as the one before. A schedule does not begin at the
 * beginning, but at a copy of the world as it was shortly before it parts from the one it varies.
 */
class Search {
  #firstFaults = 0;

  constructor(
    readonly saga: SagaDefinition,
    readonly options: ExploreOptions,
    readonly invariants: readonly Invariant[],
    readonly tally: Tally,
  ) {}

  /** Plays all schedules with that many faults, and answers the first that broke something. */
  level(faults: number): Schedule | null {
    const from = newWorld(this.saga, this.options, unexpected);
    const stack: Branch[] = [{ from, script: [], faults: 0, isFirstFault: false, share: 1 }];
    let share = 0;
    this.#firstFaults = 0;
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      const isGoal = next.faults === faults;
      const { played, marks } = follow(next, isGoal);
      if (isGoal && (faults > 0 || this.#isMine(0))) {
        this.#count(played, { faults, share });
        if (judge(played, this.invariants) !== null) return scheduleOf(played.choices);
      }
      const further = branches(next, played, marks, !isGoal).filter((one) => this.#goesOn(one));
      if (further.length === 0) share += next.share;
      for (const one of further) stack.push({ ...one, share: next.share / further.length });
    }
    return null;
  }

  /** The parts share out the first faults. */
  #goesOn({ isFirstFault }: Pick<Branch, 'isFirstFault'>): boolean {
    if (!isFirstFault) return true;
    this.#firstFaults += 1;
    return this.#isMine(this.#firstFaults);
  }

  #isMine(number: number): boolean {
    const { index, of } = this.options.part ?? { index: 0, of: 1 };
    return number % of === index;
  }

  #count(played: Played, far: Omit<Progress, 'schedules'>): void {
    this.tally.count(played, far.faults);
    const { schedules } = this.tally;
    if (schedules % TELLS_EVERY === 0) this.options.onProgress?.({ ...far, schedules });
  }
}

const unexpected: Chooser = () => {
  throw new RangeError('nothing is chosen before a run begins');
};

/**
 * Plays a branch to its end: well from the end of its script on, if it has all its faults.
 * Otherwise it keeps a copy of its world before each round.
 */
function follow(
  { from, script }: Branch,
  hasAllFaults: boolean,
): { readonly played: Played; readonly marks: readonly World[] } {
  let next = 0;
  const world = fork(from, () => {
    const taken = script[next] ?? 0;
    next += 1;
    world.choices.isFaultless = hasAllFaults && next >= script.length;
    return taken;
  });
  world.choices.isFaultless = hasAllFaults && script.length === 0;
  const marks: World[] = [];
  const mark = (now: World): void => void marks.push(fork(now, unexpected));
  return { played: playOn(world, hasAllFaults ? undefined : mark), marks };
}

/** The same with one more choice made otherwise, behind all that were made otherwise so far. */
function branches(
  branch: Branch,
  { choices }: Played,
  marks: readonly World[],
  faulty: boolean,
): Omit<Branch, 'share'>[] {
  const begun = branch.from.choices.made.length + branch.script.length;
  return choices.slice(begun).flatMap((choice, index) => {
    if (choice.isFault && !faulty) return [];
    const place = begun + index;
    const from = marks.findLast((mark) => mark.choices.made.length <= place) ?? branch.from;
    const before = choices.slice(from.choices.made.length, place).map(({ taken }) => taken);
    const faults = branch.faults + (choice.isFault ? 1 : 0);
    const isFirstFault = choice.isFault && branch.faults === 0;
    return otherOptions(choice).map((option) => {
      return { from, script: [...before, option], faults, isFirstFault };
    });
  });
}

function otherOptions({ options }: Choice): readonly number[] {
  return options.slice(1).map((_option, index) => index + 1);
}
