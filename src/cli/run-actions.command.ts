import type { Command } from 'commander';
import { REASON_MOST, type RunActionRequest } from '../engine/runs/action-schema.js';
import { actOnRun } from './act-on-run.js';
import type { Cli } from './create-cli.js';
import { API_HELP, JSON_OPTION } from './options.js';
import { printable, toJson } from './printable.js';
import { readRunId, readWords } from './read-arguments.js';
import { showAction } from './show-action.js';

interface ActionOptions {
  readonly reason: string;
  readonly dryRun?: true;
  readonly yes?: true | string;
  readonly json?: true;
}

/** Adds `recourse runs retry`, `cancel` and `abandon`: what an operator can do about a run. */
export function addRunActions(runs: Command, cli: Cli): void {
  add(runs, cli, 'retry', 'retry-now')
    .description('let what waits for its next try go on at once')
    .option('--yes', 'do not ask; needed where nobody can be asked');
  add(runs, cli, 'cancel', 'cancel')
    .description('turn a run back and undo what took effect, while that can be')
    .option('--yes', 'do not ask; needed where nobody can be asked');
  add(runs, cli, 'abandon', 'abandon')
    .description('close a run as it is: nothing more is done or undone, and what remains is listed')
    .option('--yes <id>', 'the id of the run once more, instead of typing it when asked');
}

function add(runs: Command, cli: Cli, verb: string, action: RunActionRequest['action']): Command {
  return runs
    .command(verb)
    .argument('<id>', 'the id of the run, which is that of the booking and of the workflow')
    .requiredOption('--reason <text>', 'why you do it')
    .option('--dry-run', 'show what would happen, and change nothing')
    .option(...JSON_OPTION)
    .addHelpText('after', API_HELP)
    .action((id: string, options: ActionOptions) =>
      cli.perform(() => act(cli, id, action, options)),
    );
}

async function act(
  cli: Cli,
  given: string,
  action: RunActionRequest['action'],
  options: ActionOptions,
): Promise<void> {
  const id = readRunId(given);
  const reason = readWords('--reason', options.reason, REASON_MOST);
  const dryRun = options.dryRun === true;
  const wish = { id, request: { action, reason }, yes: options.yes, dryRun };
  const done = await actOnRun(cli.api(), cli.terminal, wish);
  if (options.json) return cli.terminal.data(toJson(done));
  if (dryRun) return cli.terminal.data(showAction(printable(done)));
  cli.terminal.data(`${id}: ${action} ${done.changes ? 'is done' : 'changed nothing'}`);
  cli.terminal.say(`What becomes of it: npx recourse runs show ${id}`);
}
