import type { SagaDefinition } from '../engine/saga/definition.js';
import { nearestWord } from '../engine/saga/nearest-word.js';
import type { ProviderSettings } from '../engine/sagas.js';
import { CliFailure, WrongUsage } from './cli-failure.js';

/** What verbs about definitions need of an installation; its acts are not called. */
export interface Installed {
  readonly sagas: readonly SagaDefinition[];
  readonly providers: Readonly<Record<string, ProviderSettings>>;
}

/**
 * Reads the sagas and providers of the configuration at an address.
 * Throws CliFailure when there is none, or it does not list them.
 */
export async function loadInstalled(address: string): Promise<Installed> {
  const module: unknown = await import(address).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new CliFailure(`${address} cannot be read: ${why}`);
  });
  if (isInstalled(module)) return module;
  throw new CliFailure(`${address} must export sagas (a list) and providers (an object)`);
}

function isInstalled(module: unknown): module is Installed {
  if (typeof module !== 'object' || module === null) return false;
  const { sagas, providers } = module as Partial<Record<keyof Installed, unknown>>;
  return Array.isArray(sagas) && typeof providers === 'object' && providers !== null;
}

/**
 * Finds the saga that somebody names: `book-trip` is its newest version, `book-trip@1` the first.
 * Throws WrongUsage, with what there is, when there is none of that name or version.
 */
export function findSaga(sagas: readonly SagaDefinition[], given: string): SagaDefinition {
  const [name = '', version] = given.split(/@(.*)/s);
  const versions = sagas
    .filter((saga) => saga.name === name)
    .toSorted((one, other) => other.version - one.version);
  const found =
    version === undefined ? versions[0] : versions.find((saga) => String(saga.version) === version);
  if (found !== undefined) return found;
  const all = sagas.map((saga) => `${saga.name}@${saga.version}`).join(', ');
  const near = nearestWord(name, [...new Set(sagas.map((saga) => saga.name))]);
  const hint = versions.length === 0 && near !== null ? ` Did you mean ${near}?` : '';
  throw new WrongUsage(`there is no saga ${given}.${hint} There is: ${all || 'none'}`);
}
