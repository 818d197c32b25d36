import type { Command } from 'commander';
import { printSaga } from '../engine/saga/print-saga.js';
import { sagaChanges } from '../engine/saga/saga-changes.js';
import type { Cli } from './create-cli.js';
import { findSaga, sayUnchecked, type ReadInstalled } from './installed.js';
import { JSON_OPTION, NAMED_SAGA } from './options.js';
import { printable, toJson } from './printable.js';
import { inOrder, sagaAsData, showChanges, showSagas } from './show-sagas.js';

interface Options {
  readonly json?: true;
}

/** Adds `recourse sagas list`, `show` and `compare`: what this installation is told to do. */
export function addSagasCommand(program: Command, cli: Cli, readInstalled: ReadInstalled): void {
  const sagas = program
    .command('sagas')
    .description('the sagas of this installation, as they are defined; nothing is asked');
  sagas
    .command('list', { isDefault: true })
    .description('list every saga and version')
    .option(...JSON_OPTION)
    .action((options: Options) =>
      cli.perform(async () => {
        const installed = await readInstalled();
        const found = inOrder(installed.sagas);
        cli.terminal.data(options.json ? toJson(found.map(sagaAsData)) : showSagas(found));
        sayUnchecked(cli, installed);
      }),
    );
  sagas
    .command('show')
    .description('print a saga: its steps in order, what is done when unknown, how each is undone')
    .argument(...NAMED_SAGA)
    .option(...JSON_OPTION)
    .action((given: string, options: Options) =>
      cli.perform(async () => {
        const saga = findSaga((await readInstalled()).sagas, given);
        cli.terminal.data(options.json ? toJson(sagaAsData(saga)) : printSaga(printable(saga)));
      }),
    );
  sagas
    .command('compare')
    .description('say in sentences what changed between two versions of a saga')
    .argument('<saga>', 'its name, such as book-trip')
    .argument('<one>', 'the number of one version')
    .argument('<other>', 'the number of the version it is compared with')
    .option(...JSON_OPTION)
    .action((name: string, one: string, other: string, options: Options) =>
      cli.perform(async () => {
        const { sagas: installed } = await readInstalled();
        const from = printable(findSaga(installed, `${name}@${one}`));
        const to = printable(findSaga(installed, `${name}@${other}`));
        const found = sagaChanges(from, to);
        const data = { saga: name, from: from.version, to: to.version, ...found };
        cli.terminal.data(options.json ? toJson(data) : showChanges(from, to, found));
      }),
    );
}
