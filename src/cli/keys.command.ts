import { Option, type Command } from 'commander';
import {
  createKey,
  ensureAccount,
  listKeys,
  revokeKey,
  rotateKey,
  TooManyKeys,
  UnknownAccount,
  type KeyWish,
  type MadeKey,
  type Rotation,
} from '../engine/accounts/accounts.store.js';
import { isEnvironment, keyId, LIVE, ROLES, type Role } from '../engine/accounts/api-key.js';
import { inTransaction, type Database } from '../engine/database/database.js';
import { CliFailure, WrongUsage } from './cli-failure.js';
import type { Cli } from './create-cli.js';
import { DATABASE_HELP, DATABASE_OPTION, JSON_OPTION } from './options.js';
import { printable, toJson } from './printable.js';
import { readAccount, readDurationMs, readWords } from './read-arguments.js';
import { presentKey, showKeys } from './show-keys.js';
import { useDatabase } from './use-database.store.js';
import { sayTime } from './words.js';

interface Common {
  readonly databaseUrl?: string;
  readonly json?: true;
}

interface CreateOptions extends Common {
  readonly account: string;
  readonly name?: string;
  readonly role: Role;
  readonly note?: string;
  readonly env: string;
  readonly expiresIn?: string;
}

interface RotateOptions extends Common {
  readonly oldEndsIn: string;
  readonly expiresIn?: string;
}

const EXPIRES_OPTION = [
  '--expires-in <time>',
  'such as 90d; without it, until it is revoked',
] as const;

/** Adds `recourse keys create`, `rotate`, `list` and `revoke`: who may use the API. */
export function addKeysCommand(program: Command, cli: Cli): void {
  const keys = program.command('keys').description('keys for the API');
  addMaking(keys, cli);
  keys
    .command('list')
    .description('list keys, those that are over too; never what opens a door')
    .option('--account <id>', 'of this account only')
    .option(...DATABASE_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', DATABASE_HELP)
    .action((options: Common & { readonly account?: string }) =>
      cli.perform(() => list(cli, options)),
    );
  keys
    .command('revoke')
    .description('end the use of a key for good, everywhere within a minute')
    .argument('<id>', 'its id; of a key that got out, the key itself')
    .option(...DATABASE_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', DATABASE_HELP)
    .action((id: string, options: Common) => cli.perform(() => revoke(cli, id, options)));
}

function addMaking(keys: Command, cli: Cli): void {
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
    .option('--env <word>', 'stands in the key, for people and scanners: live, test, …', LIVE)
    .option(...EXPIRES_OPTION)
    .option(...DATABASE_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', ACCOUNT_HELP + DATABASE_HELP)
    .action((options: CreateOptions) => cli.perform(() => create(cli, options)));
  keys
    .command('rotate')
    .description('make a key that takes over from another one, and print it, this once')
    .argument('<id>', 'the id of the old one; or the key itself')
    .option('--old-ends-in <time>', 'for so long both are valid, such as 30m or 7d', '24h')
    .option(...EXPIRES_OPTION)
    .option(...DATABASE_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', DATABASE_HELP)
    .action((id: string, options: RotateOptions) => cli.perform(() => rotate(cli, id, options)));
}

const ACCOUNT_HELP = `
An account that is not there is refused, so that a slip makes no second one: the first key of a new
account is made with --name. An account has at most two valid keys of a role. The key alone goes to
standard output, to be kept:
KEY=$(npx recourse keys create …)`;

async function create(cli: Cli, options: CreateOptions): Promise<void> {
  const account = readAccount(options.account);
  const name = options.name === undefined ? null : readWords('--name', options.name);
  const note = options.note === undefined ? '' : readWords('--note', options.note);
  const { role } = options;
  const environment = readEnvironment(options.env);
  const lifeMs = readLifeMs(options.expiresIn);
  const wish = { account, name, role, note, environment, lifeMs };
  const made = await useDatabase(cli.databaseUrl(options.databaseUrl), (database) =>
    makeKey(database, wish),
  );
  const shown = presentMade(made, { account, role, environment, note });
  if (options.json) return cli.terminal.data(toJson(shown));
  cli.terminal.data(made.key);
  cli.terminal.say(`Key ${made.id} of ${account} (${role}). It is shown this once: keep it safe.`);
}

function presentMade({ id, key, expiresAt }: MadeKey, of: Rotation['of']) {
  return { object: 'api_key', id, key, ...of, expires_at: expiresAt?.toISOString() ?? null };
}

function readEnvironment(word: string): string {
  if (isEnvironment(word)) return word;
  throw new WrongUsage(`--env ${word}: 2 to 10 of a-z expected, such as live or test`);
}

function readLifeMs(text: string | undefined): number | null {
  return text === undefined ? null : readDurationMs('--expires-in', text);
}

/** Account and key are one transaction: a failure leaves neither. */
function makeKey(
  database: Database,
  { name, ...wish }: KeyWish & { readonly name: string | null },
): Promise<MadeKey> {
  return inTransaction(database, async (tx) => {
    if (name !== null) await ensureAccount(tx, { id: wish.account, name });
    return createKey(tx, wish);
  }).catch((error: unknown) => {
    if (!(error instanceof UnknownAccount)) return refuseThird(error);
    throw new CliFailure(`${error.message}: give --name as well if it is to be made`);
  });
}

function refuseThird(error: unknown): never {
  throw error instanceof TooManyKeys ? new CliFailure(error.message) : error;
}

async function rotate(cli: Cli, given: string, options: RotateOptions): Promise<void> {
  const id = keyId(given) ?? given;
  const times = {
    overlapMs: readDurationMs('--old-ends-in', options.oldEndsIn),
    lifeMs: readLifeMs(options.expiresIn),
  };
  const url = cli.databaseUrl(options.databaseUrl);
  const rotation = await useDatabase(url, (database) =>
    inTransaction(database, (tx) => rotateKey(tx, id, times)).catch(refuseThird),
  );
  if (rotation === null) {
    throw new CliFailure('there is no valid key of this id: npx recourse keys list shows them');
  }
  const { made, of, old } = rotation;
  const endsAt = old.expiresAt.toISOString();
  if (options.json) {
    const replaces = { id: old.id, expires_at: endsAt };
    return cli.terminal.data(toJson({ ...presentMade(made, of), replaces }));
  }
  cli.terminal.data(made.key);
  cli.terminal.say(
    `Key ${made.id} of ${of.account} (${of.role}). It is shown this once: keep it safe. ` +
      `The old one, ${old.id}, ends at ${sayTime(endsAt)}.`,
  );
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
    became === 'revoked'
      ? `Key ${id} is revoked. No process lets it in any more within a minute.`
      : `Key ${id} was revoked before.`,
  );
}
