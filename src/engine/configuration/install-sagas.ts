import { checkProviders, Definitions, Sagas, type ProviderSettings } from '../sagas.js';
import type { AnyAct } from '../saga/act.js';
import { ConfigurationInvalid } from './configuration-invalid.js';
import type { RecourseConfig, Surroundings } from './define-config.js';

/**
 * Makes the acts of a configuration and holds sagas, acts and providers against each other.
 * `settlesMs` overrides what is stated of every provider, for trials with a sandbox that is told to
 * be quicker; null: as stated.
 *
 * @throws ConfigurationInvalid when the acts cannot be made, SagaSetInvalid when they do not fit.
 */
export function installSagas(
  config: RecourseConfig,
  surroundings: Surroundings,
  settlesMs: number | null,
): Sagas {
  const { sagas, providers } = config;
  return new Sagas({
    sagas,
    acts: makeActs(config, surroundings),
    providers: settlesMs === null ? providers : allSettlingIn(settlesMs, providers),
  });
}

/**
 * Holds sagas, acts and providers against each other as far as nothing has to be called for it:
 * where a function makes the acts, they are left out.
 *
 * @throws ConfigurationInvalid or SagaSetInvalid when they do not fit.
 */
export function readDefinitions({ sagas, providers, acts }: RecourseConfig): Definitions {
  if (typeof acts !== 'function') return new Sagas({ sagas, acts: checkedActs(acts), providers });
  checkProviders({ sagas, providers });
  return new Definitions(sagas);
}

type Acts = Readonly<Record<string, AnyAct>>;

function makeActs({ acts }: RecourseConfig, surroundings: Surroundings): Acts {
  return checkedActs(typeof acts === 'function' ? callOnce(acts, surroundings) : acts);
}

function checkedActs(made: unknown): Acts {
  if (typeof made !== 'object' || made === null) {
    throw new ConfigurationInvalid('"acts" answered no object');
  }
  const entries = Object.entries(made);
  const wrong = entries.filter(([, act]) => !isAct(act)).map(([name]) => name);
  if (wrong.length === 0) return Object.fromEntries(entries) as Acts;
  throw new ConfigurationInvalid(
    `"acts": no act, undo or find is ${wrong.join(', ')}: each has a kind and a perform`,
  );
}

function callOnce(make: (surroundings: Surroundings) => unknown, given: Surroundings): unknown {
  try {
    return make(given);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ConfigurationInvalid(`the acts cannot be made: ${why}`, { cause: error });
  }
}

function isAct(value: unknown): value is AnyAct {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, perform } = value as Partial<Record<'kind' | 'perform', unknown>>;
  return ['act', 'undo', 'find'].includes(String(kind)) && typeof perform === 'function';
}

function allSettlingIn(
  settlesMs: number,
  providers: RecourseConfig['providers'],
): Readonly<Record<string, ProviderSettings>> {
  const named = Object.entries(providers);
  return Object.fromEntries(named.map(([name, stated]) => [name, { ...stated, settlesMs }]));
}
