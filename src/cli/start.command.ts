import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { readConfig } from '../config.js';
import { ensureDemoKeys } from '../engine/accounts/demo-keys.js';
import { runMigrations } from '../engine/database/migrate.js';
import { startLocal, type StopRequests } from '../local/start-local.js';
import { openTerminal } from '../local/terminal.process.js';

/** Adds `recourse start`: everything on one machine, until Ctrl-C or SIGTERM. */
export function addStartCommand(program: Command, environment: NodeJS.ProcessEnv): void {
  program
    .command('start')
    .description('run everything on this machine: Postgres, Temporal, sandbox, API, worker, relay')
    .option('--verbose', 'show all that the parts print, not only warnings and errors')
    .action(async ({ verbose = false }: { verbose?: boolean }) => {
      process.exitCode = await startLocal({
        env: environment,
        verbose,
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
