import type { SagaDefinition } from '../engine/saga/definition.js';
import { nearestWord } from '../engine/saga/nearest-word.js';
import { WrongUsage } from './cli-failure.js';

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
