import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { readConfig, withSecretsRead } from '../config.js';
import { ensureDemoKeys } from '../engine/accounts/demo-keys.js';
import { runMigrations } from '../engine/database/migrate.js';
import type { DemoStory } from '../local/demo/demo-story.js';
import { startLocal, type StopRequests } from '../local/start-local.js';
import { openTerminal } from '../local/terminal.process.js';
import { exitCodeOf, sayError } from './cli-failure.js';

interface StartOptions {
  readonly verbose?: boolean;
  readonly demo?: boolean;
}

/** Adds `recourse start`: everything on one machine, until Ctrl-C or SIGTERM. */
export function addStartCommand(
  program: Command,
  environment: NodeJS.ProcessEnv,
  stories: readonly DemoStory[],
): void {
  program
    .command('start')
    .description('run everything on this machine: Postgres, Temporal, sandbox, API, worker, relay')
    .option('--verbose', 'show all that the parts print, not only warnings and errors')
    .option('--demo', 'also bring one run to each ending, on the sandbox, and tell what happened')
    .action(async ({ verbose = false, demo = false }: StartOptions) => {
      const env = secretsOrReason(environment);
      if (env === undefined) return;
      process.exitCode = await startLocal({
        env,
        verbose,
        stories: demo ? stories : [],
        checkout: resolve(built('..', '..', '..')),
        node: process.execPath,
        files: {
          api: built('..', 'main.js'),
          worker: built('..', 'worker.js'),
          relay: built('..', 'relay.js'),
          sandbox: built('..', 'sandbox', 'main.js'),
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

/** The parts are handed what the files of secrets hold; says which one cannot be read. */
function secretsOrReason(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv | undefined {
  try {
    return withSecretsRead(environment);
  } catch (error) {
    process.stderr.write(`${sayError(error)}\n`);
    process.exitCode = exitCodeOf(error);
    return undefined;
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
