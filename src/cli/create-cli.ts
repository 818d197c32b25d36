import { readCliConfig } from '../config.js';
import { openApi, type Api } from './api.client.js';
import { chooseApi, chooseDatabase } from './choose-target.js';
import { exitCodeOf, sayError } from './cli-failure.js';
import type { CliTerminal } from './cli-terminal.process.js';
import type { LocalStart } from './local-start.process.js';
import { printable } from './printable.js';

/** What a verb is given. */
export interface Cli {
  readonly terminal: CliTerminal;
  /** Throws ConfigError, or CliFailure when there is no key to ask with. */
  api(): Api;
  /** `named`: by an option. Throws ConfigError, or CliFailure when there is none. */
  databaseUrl(named: string | undefined): string;
  /** Runs a verb to its end; what it throws becomes one line and the exit code. Then all ends. */
  perform(verb: () => Promise<void>): Promise<void>;
}

/** What the CLI stands on. */
export interface CliGround {
  readonly env: NodeJS.ProcessEnv;
  readonly terminal: CliTerminal;
  readonly findLocalStart: (env: NodeJS.ProcessEnv) => LocalStart;
  readonly endWith: (code: 0 | 1 | 2) => void;
}

/** Makes what the verbs are given; the environment is read when a verb needs it. */
export function createCli({ env, terminal, findLocalStart, endWith }: CliGround): Cli {
  return {
    terminal,
    api: () => openApi(chooseApi(readCliConfig(env), () => findLocalStart(env))),
    databaseUrl: (named) => {
      const option = { DATABASE_URL: named, DATABASE_URL_FILE: undefined };
      const told = readCliConfig(named === undefined ? env : { ...env, ...option });
      return chooseDatabase(told, () => findLocalStart(env));
    },
    perform: async (verb) => {
      try {
        await verb();
        endWith(0);
      } catch (error) {
        terminal.say(printable(sayError(error)));
        endWith(exitCodeOf(error));
      }
    },
  };
}
