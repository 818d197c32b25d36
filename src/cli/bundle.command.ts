import type { Command } from 'commander';
import { nameOf } from '../engine/sagas.js';
import { bundleSagas } from '../engine/worker/index.js';
import type { Cli } from './create-cli.js';
import { sayUnchecked, type ReadInstalled } from './installed.js';
import { JSON_OPTION } from './options.js';
import { toJson } from './printable.js';

/** Adds `recourse bundle`: what a worker would otherwise make at each of its starts, made once. */
export function addBundleCommand(program: Command, cli: Cli, readInstalled: ReadInstalled): void {
  program
    .command('bundle')
    .description('bundle the workflows of the sagas into a file that workers start from')
    .option(...JSON_OPTION)
    .action(({ json }: { readonly json?: true }) =>
      cli.perform(async () => {
        const installed = await readInstalled();
        const { sagas, bundlePath } = installed;
        await bundleSagas(sagas, bundlePath);
        const versions = sagas.map(({ name, version }) => nameOf(name, version));
        const data = { bundle: bundlePath, versions };
        cli.terminal.data(json ? toJson(data) : `${bundlePath}: ${versions.join(', ')}`);
        sayUnchecked(cli, installed);
      }),
    );
}
