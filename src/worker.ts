import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { performance } from 'node:perf_hooks';
import { readConfig, withSecretsRead, type Config } from './config.js';
import { endWithWords } from './end-with-words.js';
import { awaitSchema } from './engine/database/await-schema.process.js';
import { openDatabase } from './engine/database/database.js';
import { openTemporal } from './engine/runs/temporal.client.js';
import { createSealer } from './engine/sealing/seal.js';
import { logChanges, logLacking } from './engine/telemetry/change-log.js';
import { createLogger } from './engine/telemetry/logger.js';
import { watchWorker } from './engine/telemetry/watch.client.js';
import { installRuntime, provideBundle, startWorkers } from './engine/worker/index.js';
import { steadyClock } from './engine/worker/steady-clock.js';
import { openOwnInstallation } from './own-installation.js';

/**
 * The worker process: runs workflows and makes the calls. On SIGTERM it takes no new work, lets
 * calls end and be written, and exits 0; what dies without that is found by its missing heartbeat.
 */
async function main(config: Config): Promise<void> {
  const log = createLogger({ part: 'worker', level: config.logLevel });
  const installation = await openOwnInstallation(process.env);
  const exporter = await installRuntime(log, config.metrics !== null);
  const database = openDatabase({
    url: config.databaseUrl,
    name: 'recourse-worker',
    connections: 20,
  });
  const runs = openTemporal(config.temporal);
  const sagas = installation.install(
    {
      env: withSecretsRead(process.env),
      onAnswer: (provider, answer) => watch.meters.exchanged(provider, answer),
      warn: (text, about) => log.warn(text, about),
    },
    config.timing.settlesMs,
  );
  const own = { database, temporal: runs, sagas, exporter };
  const watch = await watchWorker(config.metrics, own);
  await awaitSchema(database, config.databaseUrl, log);
  const bundle = await provideBundle(installation.sagas, installation.bundlePath);
  if (bundle.isOwn) log.info('workflows were bundled for this start; recourse bundle saves it');
  const temporal = logChanges(log, 'temporal');
  const lacking = logLacking(log);
  const { done, stop, areRunning } = await startWorkers({
    temporal: config.temporal,
    database,
    runs,
    sagas,
    sealer: createSealer(config.encryptionKeys),
    meters: watch.meters,
    callTimeoutMs: config.timing.callTimeoutMs,
    bundlePath: bundle.path,
    id: `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`,
    random: Math.random,
    monotonicMs: steadyClock(() => performance.now(), Date.now),
    onWaiting: (error) => temporal.down(error),
    onUnchecked: (error) => log.warn('search attributes were not checked', { error }),
    onLacking: (lacked) => {
      watch.meters.lacking(lacked);
      lacking(lacked);
    },
  });
  await bundle.drop();
  temporal.up();
  const end = (): void => {
    watch.ending();
    stop();
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, end);
  watch.started(areRunning);
  log.info('ready', { versions: sagas.versions().join(',') });
  const ready = { ready: true, part: 'worker', metrics: watch.url };
  process.stdout.write(`${JSON.stringify(ready)}\n`);
  await done;
  await Promise.allSettled([database.end(), runs.close()]);
  log.info('ended');
  process.exit(0);
}

process.title = 'recourse-worker';
try {
  await main(readConfig(process.env));
} catch (error) {
  endWithWords('recourse-worker', error);
}
