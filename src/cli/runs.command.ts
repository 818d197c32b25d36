import { Option, type Command } from 'commander';
import {
  PROBLEMS_OF_RUNS,
  RUN_STATES,
  type LiveRun,
  type RunHead,
} from '../engine/runs/run-schema.js';
import type { Cli } from './create-cli.js';
import { API_HELP, JSON_OPTION } from './options.js';
import { printable, toJson } from './printable.js';
import { readAccount, readDurationMs, readLimit, readRunId } from './read-arguments.js';
import { readPages } from './read-pages.js';
import { addRunActions } from './run-actions.command.js';
import { showRun } from './show-run.js';
import { showRuns } from './show-runs.js';

interface ListOptions {
  readonly state?: string;
  /** `true`: any problem. */
  readonly problem?: string | true;
  readonly saga?: string;
  readonly account?: string;
  readonly silentFor?: string;
  readonly limit: string;
  readonly json?: true;
}

/** Adds `recourse runs`: which there are, what became of one, and what can be done about it. */
export function addRunsCommand(program: Command, cli: Cli): void {
  const runs = program.command('runs').description('runs of sagas, for operators');
  runs
    .command('list')
    .description('list runs of any saga and account, the newest first')
    .addOption(new Option('--state <state>', 'where they stand').choices(RUN_STATES))
    .addOption(
      new Option(
        '--problem [problem]',
        'those that wait for a person, because of this or of anything',
      ).choices(PROBLEMS_OF_RUNS),
    )
    .option('--saga <name>', 'of this saga')
    .option('--account <id>', 'of this account')
    .option('--silent-for <time>', 'that live and have had no news for so long: 90s, 10m, 6h, 2d')
    .option('--limit <number>', 'how many at most', '100')
    .option(...JSON_OPTION)
    .addHelpText('after', API_HELP)
    .action((options: ListOptions) => cli.perform(() => list(cli, options)));
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
  addRunActions(runs, cli);
}

async function list(cli: Cli, options: ListOptions): Promise<void> {
  const most = readLimit(options.limit);
  const filter = filterOf(options, Date.now());
  const page = await readPages<RunHead>(cli.api(), '/v1/runs', filter, most);
  cli.terminal.data(options.json ? toJson(page) : showRuns(printable(page)));
}

function filterOf(options: ListOptions, nowMs: number): Readonly<Record<string, string>> {
  const { state, problem, saga, account, silentFor } = options;
  const silentSince =
    silentFor === undefined ? undefined : nowMs - readDurationMs('--silent-for', silentFor);
  return {
    ...(state === undefined ? {} : { state }),
    ...(problem === undefined ? {} : { problem: problem === true ? 'any' : problem }),
    ...(saga === undefined ? {} : { saga }),
    ...(account === undefined ? {} : { account: readAccount(account) }),
    ...(silentSince === undefined ? {} : { silent_since: new Date(silentSince).toISOString() }),
  };
}
