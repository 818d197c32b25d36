import { DefaultLogger, Runtime, type LogEntry } from '@temporalio/worker';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { ConfigError, readConfig, type Config } from './config.js';
import { openDatabase } from './engine/database/database.js';
import { openTemporal } from './engine/runs/temporal.client.js';
import { createSealer, EncryptionKeysInvalid } from './engine/sealing/seal.js';
import { logChanges } from './engine/telemetry/change-log.js';
import { createLogger, type Logger } from './engine/telemetry/logger.js';
import { startWorkers } from './engine/worker/index.js';
import { installedSagas } from './recourse.config.js';

const BUNDLE = fileURLToPath(new URL('../workflow-bundle.js', import.meta.url));

/**
 * The worker process: runs workflows and makes the calls. On SIGTERM it takes no new work, lets
 * calls end and be written, and exits 0; what dies without that is found by its missing heartbeat.
 */
async function main(config: Config): Promise<void> {
  const log = createLogger({ part: 'worker', level: config.logLevel });
  Runtime.install({
    // This process decides itself what a signal means.
    shutdownSignals: [],
    logger: new DefaultLogger('WARN', (entry) => passOn(log, entry)),
    telemetryOptions: { logging: { filter: { core: 'ERROR', other: 'ERROR' } } },
  });
  const database = openDatabase({
    url: config.databaseUrl,
    name: 'recourse-worker',
    connections: 20,
  });
  const runs = openTemporal(config.temporal);
  const sagas = installedSagas(config);
  const temporal = logChanges(log, 'temporal');
  const workers = await startWorkers({
    temporal: config.temporal,
    database,
    runs,
    sagas,
    sealer: createSealer(config.encryptionKeys),
    callTimeoutMs: config.timing.callTimeoutMs,
    bundlePath: BUNDLE,
    id: `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`,
    random: Math.random,
    monotonicMs: () => performance.now(),
    onWaiting: (error) => temporal.down(error),
  });
  temporal.up();
  process.once('SIGTERM', workers.stop);
  process.once('SIGINT', workers.stop);
  log.info('ready', { versions: sagas.versions().join(',') });
  process.stdout.write('{"ready":true,"part":"worker"}\n');
  await workers.done;
  await Promise.allSettled([database.end(), runs.close()]);
  log.info('ended');
  process.exit(0);
}

/**
 * What the SDK has to say, without what it hangs on its lines. Provider queues run no workflows.
 */
function passOn(log: Logger, entry: LogEntry): void {
  if (entry.message.startsWith('No workflows registered')) return;
  const write = entry.level === 'ERROR' ? log.error : log.warn;
  write('temporal sdk', { reason: entry.message });
}

process.title = 'recourse-worker';
try {
  await main(readConfig(process.env));
} catch (error) {
  const words = error instanceof ConfigError || error instanceof EncryptionKeysInvalid;
  const missing = error instanceof Error && error.name === 'SearchAttributesMissing';
  if (!words && !missing) throw error;
  process.stderr.write(`recourse-worker: ${error.message}\n`);
  process.exit(1);
}
