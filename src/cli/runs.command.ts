import type { Command } from 'commander';
import type { LiveRun } from '../engine/runs/run-schema.js';
import type { Cli } from './create-cli.js';
import { API_HELP, JSON_OPTION } from './options.js';
import { printable, toJson } from './printable.js';
import { readRunId } from './read-arguments.js';
import { showRun } from './show-run.js';

/** Adds `recourse runs show`: what became of a run. */
export function addRunsCommand(program: Command, cli: Cli): void {
  const runs = program.command('runs').description('runs of sagas, for operators');
  runs
    .command('show')
    .description('show a run: its steps, its attempts, what happened in which order, its cases')
    .argument('<id>', 'the id of the run, which is that of the booking and of the workflow')
    .option(...JSON_OPTION)
    .addHelpText('after', API_HELP)
    .action((given: string, { json }: { readonly json?: true }) =>
      cli.perform(async () => {
        const id = readRunId(given);
        const { document } = await cli.api().get<LiveRun>(`/v1/runs/${id}`, 'run');
        cli.terminal.data(json ? toJson(document) : showRun(printable(document)));
      }),
    );
}
