import type { Command } from 'commander';
import { placeOf } from '../engine/database/database-place.js';
import type { Cli } from './create-cli.js';
import { DATABASE_HELP, DATABASE_OPTION, JSON_OPTION } from './options.js';
import { toJson } from './printable.js';
import { migrateDatabase } from './use-database.store.js';

/** Adds `recourse migrate`: brings the database to the schema of this version. */
export function addMigrateCommand(program: Command, cli: Cli): void {
  program
    .command('migrate')
    .description('bring the database up to date; two at once are safe')
    .option(...DATABASE_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', DATABASE_HELP)
    .action((options: { readonly databaseUrl?: string; readonly json?: true }) =>
      cli.perform(async () => {
        const url = cli.databaseUrl(options.databaseUrl);
        const applied = await migrateDatabase(url);
        if (options.json) return cli.terminal.data(toJson({ applied }));
        for (const name of applied) cli.terminal.data(`applied ${name}`);
        cli.terminal.say(`The database ${placeOf(url)} is up to date.`);
      }),
    );
}
