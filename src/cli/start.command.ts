import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { readConfig, withSecretsRead } from '../config.js';
import { ensureDemoKeys } from '../engine/accounts/demo-keys.js';
import { openInstallation } from '../engine/configuration/open-installation.process.js';
import { runMigrations } from '../engine/database/migrate.js';
import type { DemoStory } from '../local/demo/demo-story.js';
import { startLocal, type StopRequests } from '../local/start-local.js';
import { openTerminal } from '../local/terminal.process.js';
import { CliFailure, exitCodeOf, sayError } from './cli-failure.js';
import type { CliPlace } from './cli-place.js';

interface StartOptions {
  readonly verbose?: boolean;
  readonly demo?: boolean;
}

/** What is started, once it is known that it can be. */
interface Startable {
  readonly env: NodeJS.ProcessEnv;
  readonly place: CliPlace;
}

/** Adds `recourse start`: everything on one machine, until Ctrl-C or SIGTERM. */
export function addStartCommand(
  program: Command,
  environment: NodeJS.ProcessEnv,
  findPlace: () => CliPlace,
  stories: readonly DemoStory[],
): void {
  program
    .command('start')
    .description('run everything on this machine: Postgres, Temporal, sandbox, API, worker, relay')
    .option('--verbose', 'show all that the parts print, not only warnings and errors')
    .option('--demo', 'also bring one run to each ending, on the sandbox, and tell what happened')
    .action(async ({ verbose = false, demo = false }: StartOptions) => {
      const { env, place } = await checkedOrEnded(environment, findPlace, demo);
      process.exitCode = await startLocal({
        env,
        verbose,
        stories: demo ? stories : [],
        installation: place.home,
        configuration: place.isBuiltIn ? undefined : place.file,
        node: process.execPath,
        files: {
          api: built('..', 'main.js'),
          worker: built('..', 'worker.js'),
          relay: built('..', 'relay.js'),
          sandbox: place.isBuiltIn ? built('..', 'sandbox', 'main.js') : undefined,
        },
        watchdogScript: built('..', 'local', 'watchdog.process.js'),
        terminal: openTerminal(process.stdout),
        stop: stopRequests(),
        readConfig,
        migrate: runMigrations,
        ensureDemoKeys,
      });
    });
}

/**
 * What a part would end with is found before any is started: the parts are handed what the files of
 * secrets hold, and the configuration is read, its acts made once. Says what is wrong, and ends
 * the process then.
 */
async function checkedOrEnded(
  environment: NodeJS.ProcessEnv,
  findPlace: () => CliPlace,
  demo: boolean,
): Promise<Startable> {
  try {
    const env = withSecretsRead(environment);
    const place = findPlace();
    if (demo && !place.isBuiltIn) {
      throw new CliFailure(`--demo plays the example, and here is ${place.file}: leave one out`);
    }
    const surroundings = { env, onAnswer: () => undefined, warn: () => undefined };
    (await openInstallation(place)).install(surroundings, null);
    return { env, place };
  } catch (error) {
    process.stderr.write(`${sayError(error)}\n`);
    process.exit(exitCodeOf(error));
  }
}

/** A path beside this built file. */
function built(...path: string[]): string {
  return fileURLToPath(new URL(path.join('/'), import.meta.url));
}

/** npm passes a Ctrl-C on that has already reached us: two signals this close are one request. */
const ONE_REQUEST_MS = 500;

function stopRequests(): StopRequests {
  const [orderly, atOnce] = [new AbortController(), new AbortController()];
  let askedAt: number | undefined;
  const ask = () => {
    const now = performance.now();
    if (askedAt === undefined) {
      askedAt = now;
      orderly.abort();
    } else if (now - askedAt > ONE_REQUEST_MS) atOnce.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, ask);
  // A terminal that was closed must not keep the parts from being stopped in order.
  process.stdout.on('error', ask);
  return { orderly: orderly.signal, atOnce: atOnce.signal };
}
