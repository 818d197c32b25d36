import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { readConfig, type Config } from './config.js';
import { endWithWords } from './end-with-words.js';
import { awaitSchema } from './engine/database/await-schema.process.js';
import { openDatabase } from './engine/database/database.js';
import { startRelay } from './engine/outbox/outbox.process.js';
import { startSweep } from './engine/runs/sweep.process.js';
import { sayIfAway } from './engine/runs/say-if-away.js';
import { openTemporal } from './engine/runs/temporal.client.js';
import { createLogger } from './engine/telemetry/logger.js';
import { watchRelay } from './engine/telemetry/watch.client.js';
import { openOwnInstallation } from './own-installation.js';

/** Closing connections is a courtesy: a server that is away must not keep us from ending. */
const CLOSE_LIMIT_MS = 1_000;

/**
 * The relay process: sends the outbox to Temporal and looks after runs that went silent. It goes on
 * while Postgres or Temporal is away. On SIGTERM it finishes the messages in hand and exits 0.
 */
async function main(config: Config): Promise<void> {
  const log = createLogger({ part: 'relay', level: config.logLevel });
  const sagas = (await openOwnInstallation(process.env)).definitions();
  const database = openDatabase({ url: config.databaseUrl, name: 'recourse-relay' });
  const temporal = openTemporal(config.temporal);
  const monotonicMs = () => performance.now();
  const watch = await watchRelay(config.metrics, { database, temporal, monotonicMs });
  const { meters } = watch;
  await awaitSchema(database, config.databaseUrl, log);
  void sayIfAway(temporal, log);
  const relay = startRelay({
    database,
    temporal,
    log,
    meters,
    startGraceMs: config.timing.startGraceMs,
    random: Math.random,
  });
  const holder = `relay-${randomUUID()}`;
  const sweep = startSweep({ database, temporal, sagas, log, meters, holder });

  const end = async (): Promise<never> => {
    watch.ending();
    await Promise.all([relay.stop(), sweep.stop()]);
    const closed = Promise.allSettled([database.end(), temporal.close()]);
    await Promise.race([closed, pause(CLOSE_LIMIT_MS)]);
    log.info('ended');
    process.exit(0);
  };
  process.once('SIGTERM', () => void end());
  process.once('SIGINT', () => void end());
  await relay.started;
  watch.started();
  const ready = { ready: true, part: 'relay', metrics: watch.url };
  process.stdout.write(`${JSON.stringify(ready)}\n`);
}

process.title = 'recourse-relay';
try {
  await main(readConfig(process.env));
} catch (error) {
  endWithWords('recourse-relay', error);
}
