#!/usr/bin/env node
import { createRequire } from 'node:module';
import { Command } from 'commander';
import { demoTrips } from './booking/demo-trips.js';
import { addVerbs } from './cli/add-verbs.js';
import { addExploreCommand } from './cli/explore.command.js';
import { addGraphCommand } from './cli/graph.command.js';
import { loadInstalled } from './cli/installed.js';
import { openCli } from './cli/open-cli.process.js';
import { addSagasCommand } from './cli/sagas.command.js';
import { addStartCommand } from './cli/start.command.js';
import { sayMoney } from './engine/http/say-money.js';

/** Wrong usage ends with 2, a refusal or failure with 1. */
const WRONG_USAGE = 2;

const manifest = createRequire(import.meta.url)('recourse/package.json') as { version: string };

const program = new Command('recourse')
  .description(
    'Sagas whose steps take effect exactly once, are undone exactly once, or become a case',
  )
  .version(manifest.version)
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : WRONG_USAGE));

addStartCommand(program, process.env, demoTrips(sayMoney));
const cli = openCli(process.env);
addVerbs(program, cli);
const config = new URL('recourse.config.js', import.meta.url).href;
const readSagas = async () => (await loadInstalled(config)).sagas;
addExploreCommand(program, cli, config);
addSagasCommand(program, cli, readSagas);
addGraphCommand(program, cli, readSagas);

await program.parseAsync();
