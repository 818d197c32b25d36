import { Option, type Command } from 'commander';
import {
  createKey,
  ensureAccount,
  listKeys,
  revokeKey,
  UnknownAccount,
} from '../engine/accounts/accounts.store.js';
import { keyId, ROLES, type Role } from '../engine/accounts/api-key.js';
import { inTransaction, type Database } from '../engine/database/database.js';
import { CliFailure } from './cli-failure.js';
import type { Cli } from './create-cli.js';
import { DATABASE_HELP, DATABASE_OPTION, JSON_OPTION } from './options.js';
import { printable, toJson } from './printable.js';
import { readAccount, readWords } from './read-arguments.js';
import { presentKey, showKeys } from './show-keys.js';
import { useDatabase } from './use-database.store.js';

interface Common {
  readonly databaseUrl?: string;
  readonly json?: true;
}

interface CreateOptions extends Common {
  readonly account: string;
  readonly name?: string;
  readonly role: Role;
  readonly note?: string;
}

/** Adds `recourse keys create`, `list` and `revoke`: who may use the API. */
export function addKeysCommand(program: Command, cli: Cli): void {
  const keys = program.command('keys').description('keys for the API');
  keys
    .command('create')
    .description('make a key and print it, this once')
    .requiredOption('--account <id>', 'whose key it is')
    .option('--name <name>', 'make the account under this name, unless it is there')
    .addOption(
      new Option('--role <role>', 'customer: own bookings; operator: every run and case')
        .choices(ROLES)
        .makeOptionMandatory(),
    )
    .option('--note <text>', 'what the key is for')
    .option(...DATABASE_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', ACCOUNT_HELP + DATABASE_HELP)
    .action((options: CreateOptions) => cli.perform(() => create(cli, options)));
  keys
    .command('list')
    .description('list keys, the revoked ones too; never what opens a door')
    .option('--account <id>', 'of this account only')
    .option(...DATABASE_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', DATABASE_HELP)
    .action((options: Common & { readonly account?: string }) =>
      cli.perform(() => list(cli, options)),
    );
  keys
    .command('revoke')
    .description('end the use of a key, at once and for good')
    .argument('<id>', 'its id; of a key that got out, the key itself')
    .option(...DATABASE_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', DATABASE_HELP)
    .action((id: string, options: Common) => cli.perform(() => revoke(cli, id, options)));
}

const ACCOUNT_HELP = `
An account that is not there is refused, so that a slip makes no second one: the first key of a new
account is made with --name. The key alone goes to standard output, to be kept:
KEY=$(npx recourse keys create …)`;

async function create(cli: Cli, options: CreateOptions): Promise<void> {
  const account = readAccount(options.account);
  const name = options.name === undefined ? null : readWords('--name', options.name);
  const note = options.note === undefined ? '' : readWords('--note', options.note);
  const { role } = options;
  const made = await useDatabase(cli.databaseUrl(options.databaseUrl), (database) =>
    makeKey(database, { account, name, role, note }),
  );
  if (options.json) {
    return cli.terminal.data(toJson({ object: 'api_key', ...made, account, role, note }));
  }
  cli.terminal.data(made.key);
  cli.terminal.say(`Key ${made.id} of ${account} (${role}). It is shown this once: keep it safe.`);
}

/** Account and key are one transaction: a failure leaves neither. */
function makeKey(
  database: Database,
  wish: { account: string; name: string | null; role: Role; note: string },
): Promise<{ readonly id: string; readonly key: string }> {
  const { account, name, role, note } = wish;
  return inTransaction(database, async (tx) => {
    if (name !== null) await ensureAccount(tx, { id: account, name });
    return createKey(tx, { account, role, note });
  }).catch((error: unknown) => {
    if (!(error instanceof UnknownAccount)) throw error;
    throw new CliFailure(`${error.message}: give --name as well if it is to be made`);
  });
}

async function list(cli: Cli, options: Common & { readonly account?: string }): Promise<void> {
  const account = options.account === undefined ? null : readAccount(options.account);
  const url = cli.databaseUrl(options.databaseUrl);
  const keys = await useDatabase(url, (database) => listKeys(database, account));
  const page = { data: keys.map(presentKey), has_more: false, next_cursor: null };
  cli.terminal.data(options.json ? toJson(page) : showKeys(printable(page.data)));
}

async function revoke(cli: Cli, given: string, options: Common): Promise<void> {
  const id = keyId(given) ?? given;
  const url = cli.databaseUrl(options.databaseUrl);
  const became = await useDatabase(url, (database) => revokeKey(database, id));
  if (became === 'unknown') {
    throw new CliFailure('there is no key of this id: npx recourse keys list shows them');
  }
  if (options.json) return cli.terminal.data(toJson({ id, revoked: became === 'revoked' }));
  cli.terminal.say(
    became === 'revoked' ? `Key ${id} is revoked.` : `Key ${id} was revoked before.`,
  );
}
