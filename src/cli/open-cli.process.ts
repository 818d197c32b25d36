import { openCliTerminal } from './cli-terminal.process.js';
import { createCli, type Cli } from './create-cli.js';
import { findLocalStart } from './local-start.process.js';

/**
 * Opens the CLI on the terminal of this process, which it ends with the verb. `findHome` answers
 * the folder whose local start it looks for.
 */
export function openCli(env: NodeJS.ProcessEnv, findHome: () => string): Cli {
  return createCli({
    env,
    terminal: openCliTerminal(),
    findLocalStart: (told) => findLocalStart(told, findHome()),
    // What the code of a team has left running, such as a timer, is not waited for.
    endWith: (code) => void process.stdout.write('', () => process.exit(code)),
  });
}
