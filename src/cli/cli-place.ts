import type { ConfigurationPlace } from '../engine/configuration/find-configuration.process.js';

/** Where the CLI finds what it speaks of. */
export interface CliPlace extends ConfigurationPlace {
  /** The folder that a local start keeps its data for: a team's own, else the engine's. */
  readonly home: string;
}
