import { openCliTerminal } from './cli-terminal.process.js';
import { createCli, type Cli } from './create-cli.js';
import { findLocalStart } from './local-start.process.js';

/** Opens the CLI on the terminal of this process, whose exit code it sets. */
export function openCli(env: NodeJS.ProcessEnv): Cli {
  return createCli({
    env,
    terminal: openCliTerminal(),
    findLocalStart,
    endWith: (code) => {
      process.exitCode = code;
    },
  });
}
