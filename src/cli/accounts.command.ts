import type { Command } from 'commander';
import {
  listAccounts,
  setLimits,
  type Account,
  type AccountLimits,
} from '../engine/accounts/account-limits.store.js';
import { CliFailure, WrongUsage } from './cli-failure.js';
import type { Cli } from './create-cli.js';
import { DATABASE_HELP, DATABASE_OPTION, JSON_OPTION } from './options.js';
import { printable, toJson } from './printable.js';
import { readAccount, readWhole } from './read-arguments.js';
import { table } from './table.js';
import { useDatabase } from './use-database.store.js';

interface Common {
  readonly databaseUrl?: string;
  readonly json?: true;
}

interface LimitOptions extends Common {
  readonly reads?: string;
  readonly writes?: string;
  readonly activeRuns?: string;
}

const MOST = 100_000_000;

/** Adds `recourse accounts list` and `limit`: what each account may ask for. */
export function addAccountsCommand(program: Command, cli: Cli): void {
  const accounts = program.command('accounts').description('accounts, and what they may ask for');
  accounts
    .command('list')
    .description('list accounts with their limits')
    .option(...DATABASE_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', DATABASE_HELP)
    .action((options: Common) => cli.perform(() => list(cli, options)));
  accounts
    .command('limit')
    .description('set limits of an account; those that are not given stay')
    .argument('<account>', 'its id')
    .option('--reads <count>', 'GET and HEAD in ten seconds, over all API processes')
    .option('--writes <count>', 'all other requests in ten seconds')
    .option('--active-runs <count>', 'runs that have not ended, at the same time')
    .option(...DATABASE_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', DATABASE_HELP)
    .action((account: string, options: LimitOptions) =>
      cli.perform(() => limit(cli, account, options)),
    );
}

async function list(cli: Cli, options: Common): Promise<void> {
  const url = cli.databaseUrl(options.databaseUrl);
  const data = (await useDatabase(url, listAccounts)).map(presentAccount);
  cli.terminal.data(
    options.json
      ? toJson({ data, has_more: false, next_cursor: null })
      : showAccounts(printable(data)),
  );
}

async function limit(cli: Cli, given: string, options: LimitOptions): Promise<void> {
  const account = readAccount(given);
  const limits = readLimits(options);
  const url = cli.databaseUrl(options.databaseUrl);
  const found = await useDatabase(url, async (database) => {
    if (!(await setLimits(database, account, limits))) return undefined;
    return (await listAccounts(database)).find(({ id }) => id === account);
  });
  if (found === undefined) throw new CliFailure(`there is no account ${account}`);
  const view = presentAccount(found);
  cli.terminal.data(options.json ? toJson(view) : showAccounts(printable([view])));
}

function readLimits({ reads, writes, activeRuns }: LimitOptions): Partial<AccountLimits> {
  const given = {
    ...(reads === undefined ? {} : { readsPerWindow: readWhole('--reads', reads, 1, MOST) }),
    ...(writes === undefined ? {} : { writesPerWindow: readWhole('--writes', writes, 1, MOST) }),
    ...(activeRuns === undefined
      ? {}
      : { activeRuns: readWhole('--active-runs', activeRuns, 1, MOST) }),
  };
  if (Object.keys(given).length > 0) return given;
  throw new WrongUsage('give --reads, --writes or --active-runs');
}

interface AccountView {
  readonly object: 'account';
  readonly id: string;
  readonly name: string;
  readonly reads_per_10_s: number;
  readonly writes_per_10_s: number;
  readonly active_runs: number;
  readonly runs_now: number;
}

function presentAccount(account: Account): AccountView {
  return {
    object: 'account',
    id: account.id,
    name: account.name,
    reads_per_10_s: account.readsPerWindow,
    writes_per_10_s: account.writesPerWindow,
    active_runs: account.activeRuns,
    runs_now: account.runsNow,
  };
}

function showAccounts(accounts: readonly AccountView[]): string {
  if (accounts.length === 0) {
    return 'There is no account: npx recourse keys create --name makes one.';
  }
  return table(
    ['account', 'name', 'reads in 10 s', 'writes in 10 s', 'runs at most', 'runs now'],
    accounts.map((account) => [
      account.id,
      account.name,
      String(account.reads_per_10_s),
      String(account.writes_per_10_s),
      String(account.active_runs),
      String(account.runs_now),
    ]),
  );
}
