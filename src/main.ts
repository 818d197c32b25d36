import 'reflect-metadata';
import { setTimeout as pause } from 'node:timers/promises';
import { AppModule } from './app.module.js';
import { ConfigError, readConfig, type Config } from './config.js';
import { openDatabase, type Database } from './engine/database/database.js';
import { missingMigrations } from './engine/database/schema-state.store.js';
import { isDatabaseUnavailable } from './engine/database/unavailable.js';
import { createApi } from './engine/engine.module.js';
import { FrontDoor } from './engine/http/front-door.provider.js';
import { followRuns } from './engine/runs/run-news.process.js';
import { TemporalTlsInvalid } from './engine/runs/temporal-connection.client.js';
import { openTemporal } from './engine/runs/temporal.client.js';
import { createSealer, EncryptionKeysInvalid } from './engine/sealing/seal.js';
import { logChanges } from './engine/telemetry/change-log.js';
import { createLogger, type Logger } from './engine/telemetry/logger.js';
import { MetricsPortUnusable } from './engine/telemetry/metrics-server.client.js';
import { watchApi } from './engine/telemetry/watch.client.js';
import { installedSagas } from './recourse.config.js';

const DATABASE_AGAIN_MS = 500;
/** Requests in flight end far sooner; what has not ended by then never will. */
const DRAIN_LIMIT_MS = 15_000;
/** Closing connections is a courtesy: a server that is away must not keep us from ending. */
const CLOSE_LIMIT_MS = 1_000;

/** Thrown at start when the database needs `recourse migrate` first. */
class SchemaBehind extends Error {
  override readonly name = 'SchemaBehind';
}

/**
 * The API process: accepts requests, and answers them from Postgres. It works while Temporal is
 * away. It waits for a database that is away, and refuses one whose schema is behind. On SIGTERM it
 * answers what is in flight and exits 0.
 */
async function main(config: Config): Promise<void> {
  const log = createLogger({ part: 'api', level: config.logLevel });
  const sealer = createSealer(config.encryptionKeys);
  const temporal = openTemporal(config.temporal);
  const database = openDatabase({
    url: config.databaseUrl,
    name: 'recourse-api',
    connections: 20,
  });
  const sagas = installedSagas(config);
  const watch = await watchApi(config.metrics, { database, temporal, sagas });
  const { meters } = watch;
  await checkSchema(database, log);
  const news = followRuns(database);
  const door = new FrontDoor({ publicUrl: config.publicUrl, log, meters });
  const parts = {
    door,
    database,
    temporal,
    sagas,
    sealer,
    news,
    log,
    meters,
    lookAfterMs: config.timing.lookAfterMs,
    temporalLink: temporalLink(config.temporal),
  };
  const api = await createApi(AppModule.forRoot(parts), door);
  await api.listen(config.port, config.host);

  const end = async (): Promise<never> => {
    watch.ending();
    await Promise.race([api.close(), pause(DRAIN_LIMIT_MS)]);
    const closed = Promise.allSettled([database.end(), temporal.close()]);
    await Promise.race([closed, pause(CLOSE_LIMIT_MS)]);
    log.info('ended');
    process.exit(0);
  };
  process.once('SIGTERM', () => void end());
  process.once('SIGINT', () => void end());
  watch.started();
  const ready = { ready: true, part: 'api', url: door.publicUrl, metrics: watch.url };
  process.stdout.write(`${JSON.stringify(ready)}\n`);
}

/** Migrating is a decision of whoever deploys, so this process only looks. Throws SchemaBehind. */
async function checkSchema(database: Database, log: Logger): Promise<void> {
  const changes = logChanges(log, 'database');
  for (;;) {
    try {
      const missing = await missingMigrations(database);
      changes.up();
      if (missing.length === 0) return;
      throw new SchemaBehind(
        `the database lacks ${missing.join(', ')}: run \`npx recourse migrate\` first`,
      );
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      changes.down(error);
      await pause(DATABASE_AGAIN_MS);
    }
  }
}

function temporalLink({ uiUrl, namespace }: Config['temporal']): ((run: string) => string) | null {
  if (uiUrl === null) return null;
  return (run) => `${uiUrl}/namespaces/${namespace}/workflows/${run}`;
}

process.title = 'recourse-api';
try {
  await main(readConfig(process.env));
} catch (error) {
  const isForPerson =
    error instanceof ConfigError ||
    error instanceof EncryptionKeysInvalid ||
    error instanceof TemporalTlsInvalid ||
    error instanceof MetricsPortUnusable ||
    error instanceof SchemaBehind;
  if (!isForPerson && !isPortTaken(error)) throw error;
  process.stderr.write(`recourse-api: ${error.message}\n`);
  process.exit(1);
}

function isPortTaken(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}
