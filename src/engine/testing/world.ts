import type { CancelAnswer } from '../saga/cancel.js';
import type { SagaDefinition } from '../saga/definition.js';
import type { Fact, Tick } from '../saga/journal.js';
import { DEFAULT_SETTLES_MS, type ProviderSettings } from '../sagas.js';
import { Agenda } from './agenda.js';
import { Attempts } from './attempts.js';
import { Choices, type Chooser, type Place, type Rank } from './choices.js';
import { Driver } from './driver.js';
import type { OfCall } from './happening.js';
import type { Played, Sent } from './played.js';
import { Providers } from './providers.js';
import { Journal } from './journal.js';

/** What is stated about a provider, in milliseconds. */
interface ProviderFacts {
  /** How long after its time-out a call may still take effect. */
  readonly settlesMs: number;
  /** How long it knows a key after it first came; 0: not at all. */
  readonly keyWindowMs: number;
}

/** What the world is like that a saga is played in. */
export interface Surroundings {
  /**
   * What is stated about providers, by name, as the installation states it. Where nothing is, a
   * call settles within 60 s and a key is known for 24 h.
   */
  readonly providers?: Readonly<Record<string, ProviderSettings>>;
}

/** Everything that there is in one played run. It is all data, so that `fork` can copy it. */
export interface World {
  readonly saga: SagaDefinition;
  /** What is stated about the provider of a step. */
  readonly facts: (step: string) => ProviderFacts;
  readonly agenda: Agenda;
  readonly choices: Choices;
  readonly record: Journal;
  readonly attempts: Attempts;
  readonly providers: Providers;
  readonly driver: Driver;
  readonly sent: Sent[];
  readonly cancels: { readonly at: number; readonly answer: CancelAnswer }[];
  /** The cases that somebody at the desk has taken up. */
  readonly takenUp: string[];
  turned: Played['turned'];
  unspoken: Played['unspoken'];
  /** The last line after which something could come in between. */
  interferedAt: number;
}

/** A world in which a run of this saga was accepted a moment ago. */
export function newWorld(
  saga: SagaDefinition,
  { providers = {} }: Surroundings,
  choose: Chooser,
): World {
  const world: World = {
    saga,
    facts: factsOf(saga, providers),
    agenda: new Agenda(),
    choices: new Choices(choose),
    record: new Journal(saga),
    attempts: new Attempts(),
    providers: new Providers(),
    driver: new Driver(saga),
    sent: [],
    cancels: [],
    takenUp: [],
    turned: null,
    unspoken: null,
    interferedAt: -1,
  };
  append(world, { kind: 'accepted' });
  world.driver.look(world.record.state);
  return world;
}

/** The same world once more, that goes on by other choices: neither knows of the other. */
export function fork(world: World, choose: Chooser): World {
  return {
    ...world,
    agenda: world.agenda.copy(),
    choices: new Choices(choose, world.choices.made),
    record: world.record.copy(),
    attempts: world.attempts.copy(),
    providers: world.providers.copy(),
    driver: world.driver.copy(),
    sent: [...world.sent],
    cancels: [...world.cancels],
    takenUp: [...world.takenUp],
  };
}

/** Puts facts on record now, in one transaction. */
export function append({ record, agenda }: World, ...facts: readonly Fact[]): void {
  record.append(agenda.now, facts);
}

/** What is true by the clock. */
export function deadlineTick(world: World): readonly Tick[] {
  return deadlineHasPassed(world) ? [{ kind: 'deadline-passed' }] : [];
}

export function deadlineHasPassed({ saga, agenda }: World): boolean {
  return saga.deadlineMs !== null && agenda.now >= saga.deadlineMs;
}

/** Takes one of several ways to go on; the first is the good one. */
export function choose(
  { choices, agenda }: World,
  place: Place,
  options: readonly string[],
  rank: Rank = FAULT_OF_RUN,
): number {
  return choices.take(agenda.now, place, options, rank);
}

const FAULT_OF_RUN: Rank = { subject: 'the run', isFault: true };

/** What came from elsewhere reaches the driver by a relay, at least once. */
export function tellOfNews(world: World, of: string): void {
  const late = choose(world, { form: 'the news of {of}', of }, NEWS) === 1;
  world.agenda.after(late ? LATE_NEWS_MS : NEWS_MS, { kind: 'look' });
}

/** How a call is named where people read. */
export function callName({ step, direction }: OfCall): string {
  return direction === 'do' ? step : `${step}:undo`;
}

function factsOf(
  saga: SagaDefinition,
  stated: NonNullable<Surroundings['providers']>,
): World['facts'] {
  const byStep = new Map(saga.steps.map(({ name, at }) => [name, factsOfOne(stated[at])]));
  return (step) => byStep.get(step) ?? factsOfOne(undefined);
}

function factsOfOne(stated: ProviderSettings | undefined): ProviderFacts {
  return {
    settlesMs: stated?.settlesMs ?? DEFAULT_SETTLES_MS,
    keyWindowMs: stated === undefined ? A_DAY_MS : (stated.keyWindowMs ?? 0),
  };
}

const A_DAY_MS = 24 * 3_600_000;

/** How soon the driver hears of it; the first is what one would wish. */
export const LATE_NEWS = 'news come a minute late';
export const NEWS = ['news come at once', LATE_NEWS];
const NEWS_MS = 5;
const LATE_NEWS_MS = 60_000;
