import 'reflect-metadata';
import { setTimeout as pause } from 'node:timers/promises';
import { readConfig, withSecretsRead, type Config } from './config.js';
import { endWithWords } from './end-with-words.js';
import { KeyRing } from './engine/accounts/key-ring.process.js';
import { openAdmission } from './engine/admission/admission.process.js';
import type { Surroundings } from './engine/configuration/define-config.js';
import { awaitLockedSchema } from './engine/database/await-schema.process.js';
import { openDatabase } from './engine/database/database.js';
import { createApi, EngineModule } from './engine/engine.module.js';
import { FrontDoor } from './engine/http/front-door.provider.js';
import { portError } from './engine/http/port-unusable.js';
import { ClaimsInFlight } from './engine/idempotency/claims-in-flight.js';
import { RecentAnswers } from './engine/idempotency/recent-answers.js';
import { followRuns } from './engine/runs/run-news.process.js';
import { sayIfAway } from './engine/runs/say-if-away.js';
import { openTemporal } from './engine/runs/temporal.client.js';
import { createSealer } from './engine/sealing/seal.js';
import { createLogger, type Logger } from './engine/telemetry/logger.js';
import type { ApiMeters } from './engine/telemetry/meters.js';
import { watchApi } from './engine/telemetry/watch.client.js';
import { openOwnInstallation } from './own-installation.js';

/** Requests in flight end far sooner; what has not ended by then never will. */
const DRAIN_LIMIT_MS = 15_000;
/** Closing connections is a courtesy: a server that is away must not keep us from ending. */
const CLOSE_LIMIT_MS = 1_000;
/** One to count requests by, and one to ask by how it does. */
const CONTROL_CONNECTIONS = 2;

/**
 * The API process: accepts requests, and answers them from Postgres. It works while Temporal is
 * away. It waits for a database that is away, and refuses one whose schema is behind. On SIGTERM it
 * answers what is in flight and exits 0.
 */
async function main(config: Config): Promise<void> {
  const log = createLogger({ part: 'api', level: config.logLevel });
  const installation = await openOwnInstallation(process.env);
  const surroundings = surroundingsOf(log, () => meters);
  const sagas = installation.install(surroundings, config.timing.settlesMs);
  const modules = await installation.modules();
  const sealer = createSealer(config.encryptionKeys);
  const temporal = openTemporal(config.temporal);
  const recent = new RecentAnswers(bothClocks);
  const { database, control } = openPools(config.databaseUrl, () =>
    [recent, keys].forEach((memory) => memory.clear()),
  );
  const keys = new KeyRing(control, bothClocks);
  const watch = await watchApi(config.metrics, { database, temporal, sagas });
  const { meters } = watch;
  await awaitLockedSchema(database, config.databaseUrl, log);
  void sayIfAway(temporal, log);
  const news = followRuns(database);
  const { port, host, publicUrl, corsOrigins: origins, admission: limits } = config;
  const admission = openAdmission({ database, control, limits, clocks: bothClocks });
  const door = new FrontDoor({ publicUrl, origins, log, meters, admission });
  const parts = {
    ...{ door, keys, admission, control },
    database,
    temporal,
    sagas,
    sealer,
    recent,
    inFlight: new ClaimsInFlight(),
    news,
    log,
    meters,
    lookAfterMs: config.timing.lookAfterMs,
    temporalLink: temporalLink(config.temporal),
  };
  const api = await createApi(EngineModule.forRoot(parts, modules), door);
  await api.listen(port, host).catch((error: unknown) => {
    throw portError(host, port, error);
  });

  const end = async (): Promise<never> => {
    watch.ending();
    admission.close();
    await Promise.race([api.close(), pause(DRAIN_LIMIT_MS)]);
    const closed = Promise.allSettled([database.end(), control.end(), temporal.close()]);
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

/** One that requests wait for, and one that none does. */
function openPools(databaseUrl: string, onLost: () => void) {
  return {
    database: openDatabase({ url: databaseUrl, name: 'recourse-api', connections: 20, onLost }),
    control: openDatabase({
      url: databaseUrl,
      name: 'recourse-api-control',
      connections: CONTROL_CONNECTIONS,
    }),
  };
}

const bothClocks = () => ({ monotonicMs: performance.now(), wallMs: Date.now() });

/** What acts are made with: an API makes no calls, and asks providers for a quote. */
function surroundingsOf(log: Logger, meters: () => ApiMeters): Surroundings {
  return {
    env: withSecretsRead(process.env),
    onAnswer: (provider, answer) => meters().exchanged(provider, answer),
    warn: (text, about) => log.warn(text, about),
  };
}

function temporalLink({ uiUrl, namespace }: Config['temporal']): ((run: string) => string) | null {
  if (uiUrl === null) return null;
  return (run) => `${uiUrl}/namespaces/${namespace}/workflows/${run}`;
}

process.title = 'recourse-api';
try {
  await main(readConfig(process.env));
} catch (error) {
  endWithWords('recourse-api', error);
}
