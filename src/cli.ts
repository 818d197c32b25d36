#!/usr/bin/env node
import { createRequire } from 'node:module';
import { Command } from 'commander';
import { addCasesCommand } from './cli/cases.command.js';
import { addKeysCommand } from './cli/keys.command.js';
import { addMigrateCommand } from './cli/migrate.command.js';
import { openCli } from './cli/open-cli.process.js';
import { addRunsCommand } from './cli/runs.command.js';
import { addStartCommand } from './cli/start.command.js';

/** Wrong usage ends with 2, a refusal or failure with 1. */
const WRONG_USAGE = 2;

const manifest = createRequire(import.meta.url)('recourse/package.json') as { version: string };

const program = new Command('recourse')
  .description(
    'Sagas whose steps take effect exactly once, are undone exactly once, or become a case',
  )
  .version(manifest.version)
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : WRONG_USAGE));

const cli = openCli(process.env);
addStartCommand(program, process.env);
addMigrateCommand(program, cli);
addKeysCommand(program, cli);
addRunsCommand(program, cli);
addCasesCommand(program, cli);

await program.parseAsync();
