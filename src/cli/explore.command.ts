import { availableParallelism } from 'node:os';
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import {
  openInstallation,
  type Installation,
} from '../engine/configuration/open-installation.process.js';
import type { ConfigurationPlace } from '../engine/configuration/find-configuration.process.js';
import type { SagaDefinition } from '../engine/saga/definition.js';
import { explorationPage, some, type Exploration } from '../engine/testing/exploration-page.js';
import type { Explored, Progress } from '../engine/testing/explore.js';
import { wander } from '../engine/testing/wander.js';
import { CliFailure } from './cli-failure.js';
import type { Cli } from './create-cli.js';
import { exploreInParts } from './explore-in-parts.process.js';
import { findSaga } from './installed.js';
import { JSON_OPTION, NAMED_SAGA } from './options.js';
import { toJson } from './printable.js';
import { readWhole } from './read-arguments.js';
import { sayProgress, showExplored, showFailure } from './show-explored.js';

interface ExploreOptions {
  readonly faults: string;
  readonly walks: string;
  readonly seed: string;
  readonly threads: string;
  /** False: none is written; nothing: at its usual place. */
  readonly page?: string | false;
  readonly json?: true;
}

const TELLS_EVERY_MS = 3_000;

/** Adds `recourse explore`: tries whatever can go wrong with a saga, in memory. */
export function addExploreCommand(
  program: Command,
  cli: Cli,
  findPlace: () => ConfigurationPlace,
): void {
  program
    .command('explore')
    .description('try every schedule of so many faults on a saga, in memory; nothing is called')
    .argument(...NAMED_SAGA)
    .option('--faults <number>', 'at most so many faults in one run, 0 to 5', '3')
    .option('--walks <number>', 'random runs beyond that, with any number of faults', '2000')
    .option('--seed <number>', 'where the random runs begin; the same gives the same', '1')
    .option('--threads <number>', 'threads that share the work', String(availableParallelism()))
    .option('--page <file>', 'write the page here, instead of explored-<saga>.v<version>.html')
    .option('--no-page', 'write no page')
    .option(...JSON_OPTION)
    .action((given: string, options: ExploreOptions) =>
      cli.perform(() => exploreSaga(cli, findPlace(), given, options)),
    );
}

/** What was asked for, once it is read. */
interface Asked {
  readonly faults: number;
  readonly walks: number;
  readonly seed: number;
  readonly threads: number;
}

function readAsked({ faults, walks, seed, threads }: ExploreOptions): Asked {
  return {
    faults: readWhole('--faults', faults, 0, 5),
    walks: readWhole('--walks', walks, 0, 10_000_000),
    seed: readWhole('--seed', seed, 0, 2 ** 32 - 1),
    threads: readWhole('--threads', threads, 1, 64),
  };
}

async function exploreSaga(
  cli: Cli,
  place: ConfigurationPlace,
  given: string,
  options: ExploreOptions,
): Promise<void> {
  const asked = readAsked(options);
  const installed = await openInstallation(place);
  const saga = findSaga(installed.sagas, given);
  const explored = await exploreAll(cli, place, saga, asked);
  const wandered = explored.failure ?? walkAll(installed, saga, asked);
  const result: Exploration = { ...explored, ...asked, failure: wandered };
  cli.terminal.data(options.json ? toJson(result) : showExplored(saga, result));
  if (options.page !== false) await writePage(cli, saga, result, options.page);
  if (wandered === null) return;
  if (!options.json) cli.terminal.data(showFailure(wandered));
  throw new CliFailure(`a promise was broken: ${wandered.invariant}`);
}

async function exploreAll(
  cli: Cli,
  place: ConfigurationPlace,
  { name, version }: SagaDefinition,
  { faults, threads }: Asked,
): Promise<Explored & { readonly tookMs: number }> {
  const saga = `${name}@${version}`;
  cli.terminal.say(
    `${saga}: every schedule of up to ${some(faults, 'fault')}, on ${some(threads, 'thread')}`,
  );
  const startedAt = performance.now();
  let toldAt = startedAt;
  const explored = await exploreInParts({ place, saga, faults }, threads, (progress: Progress) => {
    const now = performance.now();
    if (now - toldAt < TELLS_EVERY_MS) return;
    toldAt = now;
    cli.terminal.say(sayProgress(progress, now - startedAt));
  });
  return { ...explored, tookMs: performance.now() - startedAt };
}

/** The first of so many random runs that broke something. */
function walkAll(
  { providers }: Installation,
  saga: SagaDefinition,
  { walks, seed }: Asked,
): Explored['failure'] {
  for (let index = 0; index < walks; index += 1) {
    const { failure } = wander(saga, { seed: seed + index, providers });
    if (failure !== null) return failure;
  }
  return null;
}

async function writePage(
  cli: Cli,
  saga: SagaDefinition,
  result: Exploration,
  given = `explored-${saga.name}.v${saga.version}.html`,
): Promise<void> {
  const file = resolve(given);
  await writeFile(file, explorationPage(saga, result)).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new CliFailure(`the page cannot be written: ${why}`);
  });
  cli.terminal.say(`The page of it: ${file}`);
}
