import { readCliConfig } from '../config.js';
import { openApi, type Api } from './api.client.js';
import { chooseApi, chooseDatabase } from './choose-target.js';
import { exitCodeOf, sayError } from './cli-failure.js';
import { openCliTerminal, type CliTerminal } from './cli-terminal.process.js';
import { findLocalStart } from './local-start.process.js';
import { printable } from './printable.js';

/** What a verb is given. */
export interface Cli {
  readonly terminal: CliTerminal;
  /** Throws ConfigError, or CliFailure when there is no key to ask with. */
  api(): Api;
  /** `named`: by an option. Throws ConfigError, or CliFailure when there is none. */
  databaseUrl(named: string | undefined): string;
  /** Runs a verb to its end; what it throws becomes one line and the exit code. */
  perform(verb: () => Promise<void>): Promise<void>;
}

/** Opens the CLI on this process' terminal; the environment is read when a verb needs it. */
export function openCli(env: NodeJS.ProcessEnv): Cli {
  const terminal = openCliTerminal();
  return {
    terminal,
    api: () => openApi(chooseApi(readCliConfig(env), findLocalStart(env))),
    databaseUrl: (named) =>
      chooseDatabase(
        readCliConfig({ ...env, ...(named === undefined ? {} : { DATABASE_URL: named }) }),
        findLocalStart(env),
      ),
    perform: async (verb) => {
      try {
        await verb();
      } catch (error) {
        terminal.say(printable(sayError(error)));
        process.exitCode = exitCodeOf(error);
      }
    },
  };
}
