import type { TestProject } from 'vitest/node';
import { runMigrations } from '../../src/engine/database/migrate.js';
import { ownWatchdog } from './owned-process.js';
import { TEMPLATE_DATABASE } from './provided.js';
import { startPostgres, startTemporal } from './start-servers.js';
import type { OwnPostgres, OwnTemporal } from './start-servers.js';

interface Shared {
  postgres?: Promise<OwnPostgres>;
  temporal?: Promise<OwnTemporal>;
  projects: number;
}

// This file is loaded once per project, the servers are started once per run.
const shared = ((globalThis as { recourseTests?: Shared }).recourseTests ??= { projects: 0 });

/**
 * Starts what the project's tests share: one Postgres with a migrated template database, and for
 * `whole` one Temporal dev server. They end with the run; after a crash the watchdog ends them.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared.projects += 1;
  const postgres = await (shared.postgres ??= startSharedPostgres());
  project.provide('postgresAdminUrl', postgres.adminUrl);
  if (project.name === 'whole') {
    const temporal = await (shared.temporal ??= startTemporal());
    project.provide('temporalAddress', temporal.address);
  }
  return teardown;
}

async function startSharedPostgres(): Promise<OwnPostgres> {
  const postgres = await startPostgres({ database: TEMPLATE_DATABASE });
  await runMigrations(postgres.url);
  return postgres;
}

async function teardown(): Promise<void> {
  shared.projects -= 1;
  if (shared.projects > 0) return;
  await Promise.all(
    [shared.postgres, shared.temporal].map(async (server) => (await server)?.stop()),
  );
  await ownWatchdog().close();
}
