import { resolve } from 'node:path';
import type { ApiModule } from '../engine.module.js';
import type { SagaDefinition } from '../saga/definition.js';
import { SagaSetInvalid, type ProviderSettings, type Sagas } from '../sagas.js';
import { ConfigurationInvalid } from './configuration-invalid.js';
import type { RecourseConfig, Surroundings } from './define-config.js';
import { installSagas } from './install-sagas.js';
import { readConfiguration, type ConfigurationPlace } from './read-configuration.process.js';

/** What a process runs: a configuration, read and checked. Its acts and modules are made when
 * asked for. */
export interface Installation {
  /** The path of the configuration. */
  readonly file: string;
  readonly sagas: readonly SagaDefinition[];
  readonly providers: Readonly<Record<string, ProviderSettings>>;
  /** Where the bundle of its workflows lies, or would. */
  readonly bundlePath: string;
  /**
   * Makes the acts, and holds sagas, acts and providers against each other; `settlesMs` overrides
   * what is stated of every provider, null: as stated. Throws ConfigurationInvalid.
   */
  install(surroundings: Surroundings, settlesMs: number | null): Sagas;
  /** The modules with the team's own routes. Throws ConfigurationInvalid. */
  modules(): Promise<readonly ApiModule[]>;
}

/**
 * Reads the configuration at a place.
 *
 * @throws ConfigurationInvalid, in one line that begins with the path of the file.
 */
export async function openInstallation(
  place: Pick<ConfigurationPlace, 'file' | 'folder'>,
): Promise<Installation> {
  const { file, folder } = place;
  const config = await readConfiguration(file);
  const { sagas, providers, bundle = 'workflow-bundle.js' } = config;
  return {
    file,
    sagas,
    providers,
    bundlePath: resolve(folder, bundle),
    install: (surroundings, settlesMs) => {
      try {
        return installSagas(config, surroundings, settlesMs);
      } catch (error) {
        throw inFile(file, error);
      }
    },
    modules: async () => {
      try {
        return await modulesOf(config);
      } catch (error) {
        throw inFile(file, error);
      }
    },
  };
}

async function modulesOf({ modules = [] }: RecourseConfig): Promise<readonly ApiModule[]> {
  const made: unknown = typeof modules === 'function' ? await modules() : modules;
  if (Array.isArray(made) && made.every((one) => typeof one === 'function' || isDynamic(one))) {
    return made as readonly ApiModule[];
  }
  throw new ConfigurationInvalid('"modules": a list of Nest modules expected');
}

function isDynamic(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'module' in value;
}

/** What a person has to mend there, with the path of the file; a bug stays a bug. */
function inFile(file: string, error: unknown): unknown {
  const isForPerson = error instanceof ConfigurationInvalid || error instanceof SagaSetInvalid;
  return isForPerson ? new ConfigurationInvalid(`${file}: ${error.message}`) : error;
}
