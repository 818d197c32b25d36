import type { Installation } from '../engine/configuration/open-installation.process.js';
import type { SagaDefinition } from '../engine/saga/definition.js';
import { nearestWord } from '../engine/saga/nearest-word.js';
import { WrongUsage } from './cli-failure.js';
import type { Cli } from './create-cli.js';

/** What a verb reads of an installation. */
export type Installed = Pick<Installation, 'file' | 'sagas' | 'makesActs' | 'bundlePath'>;

/**
 * Reads the installation when a verb needs it, and holds its sagas, acts and providers against each
 * other as far as nothing has to be called.
 */
export type ReadInstalled = () => Promise<Installed>;

/** Says what nobody has looked at yet: acts that a function makes. */
export function sayUnchecked(cli: Cli, { file, sagas, makesActs }: Installed): void {
  if (!makesActs || sagas.length === 0) return;
  const when = 'whether they are all there is checked when a worker or an API starts';
  cli.terminal.say(`A function makes the acts in ${file}: ${when}.`);
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
