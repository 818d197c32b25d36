import { resolve } from 'node:path';
import type { ApiModule } from '../engine.module.js';
import type { SagaDefinition } from '../saga/definition.js';
import { SagaDefinitionError } from '../saga/errors.js';
import { SagaSetInvalid, type Definitions, type ProviderSettings, type Sagas } from '../sagas.js';
import { ConfigurationInvalid } from './configuration-invalid.js';
import type { RecourseConfig, Surroundings } from './define-config.js';
import type { ConfigurationPlace } from './find-configuration.process.js';
import { installSagas, readDefinitions } from './install-sagas.js';
import { readConfiguration, sayFault } from './read-configuration.process.js';
import { runOnce, runThrough } from './run-through.process.js';

/** What a process runs: a configuration, read and checked. Its acts and modules are made when
 * asked for. */
export interface Installation {
  /** The path of the configuration. */
  readonly file: string;
  readonly sagas: readonly SagaDefinition[];
  readonly providers: Readonly<Record<string, ProviderSettings>>;
  /** Whether a function makes the acts: they are known when a worker or an API starts. */
  readonly makesActs: boolean;
  /** Where the bundle of its workflows lies, or would. */
  readonly bundlePath: string;
  /**
   * The definitions, held against the providers, and against the acts where no function makes them;
   * nothing is called. Throws ConfigurationInvalid.
   */
  definitions(): Definitions;
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
    makesActs: typeof config.acts === 'function',
    bundlePath: resolve(folder, bundle),
    definitions: () => {
      try {
        return readDefinitions(config);
      } catch (error) {
        throw inFile(file, error);
      }
    },
    install: (surroundings, settlesMs) => {
      try {
        return runOnce(file, () => installSagas(config, surroundings, settlesMs));
      } catch (error) {
        throw inFile(file, error);
      }
    },
    modules: async () => {
      try {
        return await runThrough(file, () => modulesOf(config));
      } catch (error) {
        if (error instanceof ConfigurationInvalid) throw inFile(file, error);
        const why = `the modules cannot be made: ${await sayFault(error, file)}`;
        throw new ConfigurationInvalid(`${file}: ${why}`, { cause: error });
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
  const kinds = [ConfigurationInvalid, SagaSetInvalid, SagaDefinitionError];
  const isForPerson = error instanceof Error && kinds.some((kind) => error instanceof kind);
  return isForPerson ? new ConfigurationInvalid(`${file}: ${error.message}`) : error;
}
