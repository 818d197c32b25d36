#!/usr/bin/env node
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { demoTrips } from './booking/demo-trips.js';
import { addVerbs } from './cli/add-verbs.js';
import { addBundleCommand } from './cli/bundle.command.js';
import type { CliPlace } from './cli/cli-place.js';
import { addExploreCommand } from './cli/explore.command.js';
import { addGraphCommand } from './cli/graph.command.js';
import { openCli } from './cli/open-cli.process.js';
import { addPartCommands } from './cli/parts.command.js';
import { addSagasCommand } from './cli/sagas.command.js';
import { addStartCommand } from './cli/start.command.js';
import { openInstallation } from './engine/configuration/open-installation.process.js';
import { sayMoney } from './engine/http/say-money.js';
import { findOwnConfiguration } from './own-installation.js';

/** Wrong usage ends with 2, a refusal or failure with 1. */
const WRONG_USAGE = 2;
/** The folder of the clone or of the installed package. */
const OWN_FOLDER = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

const manifest = createRequire(import.meta.url)('recourse/package.json') as { version: string };

const program = new Command('recourse')
  .description(
    'Sagas whose steps take effect exactly once, are undone exactly once, or become a case',
  )
  .version(manifest.version)
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : WRONG_USAGE));

const findPlace = (): CliPlace => {
  const place = findOwnConfiguration(process.env);
  return { ...place, home: place.isBuiltIn ? OWN_FOLDER : place.folder };
};

addStartCommand(program, process.env, findPlace, demoTrips(sayMoney));
addPartCommands(program, {
  api: () => import('./main.js'),
  worker: () => import('./worker.js'),
  relay: () => import('./relay.js'),
});
const cli = openCli(process.env, () => findPlace().home);
addVerbs(program, cli);
const readInstalled = async () => {
  const installed = await openInstallation(findPlace());
  installed.definitions();
  return installed;
};
addBundleCommand(program, cli, readInstalled);
addExploreCommand(program, cli, findPlace);
addSagasCommand(program, cli, readInstalled);
addGraphCommand(program, cli, readInstalled);

await program.parseAsync();
