import type { Command } from 'commander';
import { drawSaga } from '../engine/saga/draw-saga.js';
import type { Cli } from './create-cli.js';
import { findSaga, type ReadInstalled } from './installed.js';
import { JSON_OPTION, NAMED_SAGA } from './options.js';
import { toJson } from './printable.js';

/** Adds `recourse graph`: a saga as a picture, for a page or a pull request. */
export function addGraphCommand(program: Command, cli: Cli, readInstalled: ReadInstalled): void {
  program
    .command('graph')
    .description('draw a saga as a Mermaid flowchart; nothing is asked')
    .argument(...NAMED_SAGA)
    .option(...JSON_OPTION)
    .action((given: string, { json }: { readonly json?: true }) =>
      cli.perform(async () => {
        const saga = findSaga((await readInstalled()).sagas, given);
        const mermaid = drawSaga(saga);
        const data = { saga: saga.name, version: saga.version, mermaid };
        cli.terminal.data(json ? toJson(data) : mermaid);
      }),
    );
}
