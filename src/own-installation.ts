import { namedConfiguration } from './config.js';
import {
  openInstallation,
  type Installation,
} from './engine/configuration/open-installation.process.js';
import {
  findConfiguration,
  type ConfigurationPlace,
} from './engine/configuration/find-configuration.process.js';

/** Runs where no team has a configuration of its own. */
const BUILT_IN = new URL('recourse.config.js', import.meta.url);

/** Finds the configuration of this process: the one that is named, that of its folder, or ours. */
export function findOwnConfiguration(env: NodeJS.ProcessEnv): ConfigurationPlace {
  const named = namedConfiguration(env);
  return findConfiguration({ cwd: process.cwd(), named, builtIn: BUILT_IN });
}

/** Reads the configuration of this process. Throws ConfigurationInvalid, with its path. */
export function openOwnInstallation(env: NodeJS.ProcessEnv): Promise<Installation> {
  return openInstallation(findOwnConfiguration(env));
}
