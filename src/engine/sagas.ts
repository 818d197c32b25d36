import type { AnyAct } from './saga/act.js';
import { checkSaga } from './saga/check-definition.js';
import type { SagaDefinition } from './saga/definition.js';
import { stepNamed, type StepDefinition } from './saga/definition.js';
import { nearestWord } from './saga/nearest-word.js';

/** What is stated about a provider, with the reason in its docs. */
export interface ProviderSettings {
  /**
   * How long after `send_by` a call may still land, in milliseconds: only later is "not there"
   * believed. Default 60 s, because a queue behind a provider's front may hold a request that long.
   */
  readonly settlesMs?: number;
  /** How long the provider honours an idempotency key, in milliseconds; null: it does not. */
  readonly keyWindowMs: number | null;
}

export const DEFAULT_SETTLES_MS = 60_000;

/** What an installation runs: its sagas, the acts they call, and the providers they are at. */
export interface SagaSet {
  readonly sagas: readonly SagaDefinition[];
  readonly acts: Readonly<Record<string, AnyAct>>;
  readonly providers: Readonly<Record<string, ProviderSettings>>;
}

/** Thrown when a run is of a saga or version that this process does not have. */
export class UnknownSaga extends Error {
  constructor(
    readonly saga: string,
    readonly version: number,
  ) {
    super(`this process has no ${saga} version ${version}; deploy one that has`);
    this.name = 'UnknownSaga';
  }
}

/** Thrown at start when sagas, acts and providers do not fit together. */
export class SagaSetInvalid extends Error {
  constructor(what: string) {
    super(what);
    this.name = 'SagaSetInvalid';
  }
}

/** The sagas of an installation without what they call: enough to read a record. */
export class Definitions {
  readonly #definitions: ReadonlyMap<string, SagaDefinition>;

  /** Throws SagaSetInvalid when a version is there twice. */
  constructor(sagas: readonly SagaDefinition[]) {
    const names = sagas.map((saga) => nameOf(saga.name, saga.version));
    const twice = names.find((name, index) => names.indexOf(name) < index);
    if (twice !== undefined) throw new SagaSetInvalid(`${twice} is listed twice`);
    this.#definitions = new Map(sagas.map((saga) => [nameOf(saga.name, saga.version), saga]));
  }

  /** The frozen definition of one version; throws UnknownSaga. */
  definition(saga: string, version: number): SagaDefinition {
    const definition = this.#definitions.get(nameOf(saga, version));
    if (definition === undefined) throw new UnknownSaga(saga, version);
    return definition;
  }

  /** The definition that a new run of this saga gets: the newest there is. Throws RangeError. */
  newest(saga: string): SagaDefinition {
    const versions = [...this.#definitions.values()].filter(({ name }) => name === saga);
    const [newest] = versions.toSorted((one, other) => other.version - one.version);
    if (newest === undefined) throw new RangeError(`there is no saga ${saga}`);
    return newest;
  }

  /** Every version this process has, as `saga@version`. */
  versions(): readonly string[] {
    return [...this.#definitions.keys()];
  }
}

/** The sagas of this installation, checked against each other once. */
export class Sagas extends Definitions {
  /** Throws SagaSetInvalid when a step names an act, undo, find or provider that is not there. */
  constructor(readonly set: SagaSet) {
    super(set.sagas);
    checkProviders(set);
    for (const saga of set.sagas) checkCalls(saga, set);
  }

  /** One step of one version; throws UnknownSaga or RangeError. */
  step(saga: string, version: number, step: string): StepDefinition {
    return stepNamed(this.definition(saga, version), step);
  }

  /** An act, undo or find by its name; throws RangeError. */
  act(name: string): AnyAct {
    const act = this.set.acts[name];
    if (act === undefined) throw new RangeError(`there is no act ${name}`);
    return act;
  }

  /** How a value of this step looks, where its act says so. */
  sample({ forward }: StepDefinition): unknown {
    const act = this.act(forward.run);
    return act.kind === 'act' ? act.sample : undefined;
  }

  /** How long a call to this provider may land after `send_by`, in milliseconds. */
  settlesMs(provider: string): number {
    return this.set.providers[provider]?.settlesMs ?? DEFAULT_SETTLES_MS;
  }

  /** How long this provider honours a key, in milliseconds; null when it does not. */
  keyWindowMs(provider: string): number | null {
    return this.set.providers[provider]?.keyWindowMs ?? null;
  }
}

/** How a version of a saga is spelled where workers say what they have: `saga@version`. */
export function nameOf(saga: string, version: number): string {
  return `${saga}@${version}`;
}

/** Throws SagaSetInvalid when a step is at a provider that is not there. */
export function checkProviders({ sagas, providers }: Omit<SagaSet, 'acts'>): void {
  for (const saga of sagas) {
    checkSaga(saga);
    const lost = saga.steps.find((step) => providers[step.at] === undefined);
    if (lost === undefined) continue;
    throw new SagaSetInvalid(`${placeOf(saga, lost)}: there is no provider ${lost.at}`);
  }
}

function placeOf(saga: SagaDefinition, step: StepDefinition): string {
  return `${saga.name} version ${saga.version} › ${step.name}`;
}

function checkCalls(saga: SagaDefinition, set: SagaSet): void {
  for (const step of saga.steps) {
    const where = placeOf(saga, step);
    const act = actOf(where, set, step.forward.run, 'act');
    if (act.kind === 'act' && act.provider !== step.at) {
      throw new SagaSetInvalid(
        `${where}: ${step.forward.run} is at ${act.provider}, not ${step.at}`,
      );
    }
    expectOf(where, set, step.forward.find, 'find', step.forward.run);
    expectOf(where, set, step.undo?.run ?? null, 'undo', step.forward.run);
    expectOf(where, set, step.undo?.find ?? null, 'find', step.undo?.run ?? '');
  }
}

/** Undo and find are paired with their act by name, here too where no compiler has looked. */
function expectOf(
  where: string,
  set: SagaSet,
  name: string | null,
  kind: 'undo' | 'find',
  of: string,
): void {
  if (name === null) return;
  const act = actOf(where, set, name, kind);
  if (act.kind !== 'act' && act.of !== of) {
    throw new SagaSetInvalid(`${where}: ${name} belongs to ${act.of}, not to ${of}`);
  }
}

function actOf(where: string, set: SagaSet, name: string, kind: AnyAct['kind']): AnyAct {
  const act = set.acts[name];
  if (act === undefined) {
    const others = Object.keys(set.acts).filter((other) => set.acts[other]?.kind === kind);
    const near = nearestWord(name, others);
    const hint = near === null ? '' : `, did you mean ${near}?`;
    throw new SagaSetInvalid(`${where}: there is no ${kind} ${name}${hint}`);
  }
  if (act.kind !== kind) {
    throw new SagaSetInvalid(`${where}: ${name} is not of kind ${kind} but ${act.kind}`);
  }
  return act;
}
