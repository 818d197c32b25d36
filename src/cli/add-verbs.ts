import type { Command } from 'commander';
import { addAccountsCommand } from './accounts.command.js';
import { addCasesCommand } from './cases.command.js';
import type { Cli } from './create-cli.js';
import { addKeysCommand } from './keys.command.js';
import { addMigrateCommand } from './migrate.command.js';
import { addRunsCommand } from './runs.command.js';

/** Adds every verb that asks a database or an API, does one thing and ends. */
export function addVerbs(program: Command, cli: Cli): void {
  addMigrateCommand(program, cli);
  addAccountsCommand(program, cli);
  addKeysCommand(program, cli);
  addRunsCommand(program, cli);
  addCasesCommand(program, cli);
}
