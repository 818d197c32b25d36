import type { Database } from '../database/database.js';
import { missingParts, type Surroundings } from '../health/readiness.js';
import type { Sagas } from '../sagas.js';
import { apiMeters } from './api-meters.js';
import { Instruments } from './instruments.js';
import { UNWATCHED, type ApiMeters, type RelayMeters, type WorkerMeters } from './meters.js';
import { openMetricsServer, type MetricsPlace } from './metrics-server.client.js';
import { setPoolGauges } from './pool-gauges.js';
import { providerMeters } from './provider-meters.js';
import { recentFacts } from './recent-facts.process.js';
import { readRecordFacts } from './record-facts.store.js';
import { setRecordGauges } from './record-gauges.js';
import { relayMeters } from './relay-meters.js';
import { sdkMetrics, type ExporterAddress } from './sdk-metrics.client.js';
import { workerMeters } from './worker-meters.js';

/** How one process is watched: from its first moment, until it is gone. */
export interface Watch<Meters> {
  readonly meters: Meters;
  /** Where it can be watched; null: nowhere. */
  readonly url: string | null;
  /** From now on it is ready when nothing is missing and its workers, if it has any, run. */
  readonly started: (areRunning?: () => boolean) => void;
  /** From now on it is not ready: it takes no new work. */
  readonly ending: () => void;
  readonly close: () => Promise<void>;
}

/** What every process of ours works with. */
export interface Own extends Surroundings {
  readonly database: Database;
}

/** Watches the API; it is ready as its own `/readyz` says. Throws MetricsPortUnusable. */
export function watchApi(
  place: MetricsPlace | null,
  own: Own & { readonly sagas: Sagas },
): Promise<Watch<ApiMeters>> {
  if (place === null) return Promise.resolve(unwatched());
  const instruments = new Instruments('api');
  const names = own.sagas.set.sagas.map(({ name }) => name);
  return open(place, {
    meters: {
      ...apiMeters(instruments, [...new Set(names)]),
      ...providerMeters(instruments, own.sagas),
    },
    instruments,
    database: own.database,
    missing: () => missingParts(own),
  });
}

/**
 * Watches a worker, and tells the metrics of Temporal's SDK beside ours. It is ready when its
 * workers take work and nothing is missing. Throws MetricsPortUnusable.
 */
export function watchWorker(
  place: MetricsPlace | null,
  own: Own & { readonly sagas: Sagas; readonly exporter: ExporterAddress | null },
): Promise<Watch<WorkerMeters>> {
  if (place === null) return Promise.resolve(unwatched());
  const instruments = new Instruments('worker');
  const { exporter } = own;
  return open(place, {
    meters: workerMeters(instruments, own.sagas),
    instruments,
    database: own.database,
    missing: () => missingParts(own),
    others: () => (exporter === null ? Promise.resolve('') : sdkMetrics(exporter)),
  });
}

/**
 * Watches a relay, and tells what the record says of all runs. It is ready when both of its loops
 * have lately had a turn without an error, and Temporal answers. Throws MetricsPortUnusable.
 */
export function watchRelay(
  place: MetricsPlace | null,
  own: Own & { readonly monotonicMs: () => number },
): Promise<Watch<RelayMeters>> {
  if (place === null) return Promise.resolve(unwatched());
  const { database, temporal, monotonicMs } = own;
  const instruments = new Instruments('relay');
  const meters = relayMeters(instruments, monotonicMs);
  const facts = recentFacts({ read: () => readRecordFacts(database), monotonicMs });
  return open(place, {
    meters,
    instruments,
    database,
    missing: async () => [
      ...meters.quietLoops().map((loop) => `a turn of the ${loop}`),
      ...((await temporal.isReady()) ? [] : ['temporal']),
    ],
    gather: async () => setRecordGauges(instruments, await facts()),
  });
}

function unwatched(): Watch<typeof UNWATCHED> {
  const nothing = (): void => undefined;
  const close = (): Promise<void> => Promise.resolve();
  return { meters: UNWATCHED, url: null, started: nothing, ending: nothing, close };
}

interface Part<Meters> {
  readonly meters: Meters;
  readonly instruments: Instruments;
  readonly database: Database;
  readonly missing: () => Promise<readonly string[]>;
  /** Brings up to date what is known by asking only. */
  readonly gather?: () => Promise<void>;
  /** The text of metrics that are not ours. */
  readonly others?: () => Promise<string>;
}

async function open<Meters>(place: MetricsPlace, part: Part<Meters>): Promise<Watch<Meters>> {
  let stage: 'starting' | 'started' | 'ending' = 'starting';
  let areRunning = (): boolean => true;
  const { url, close } = await openMetricsServer(place, {
    metrics: async () => {
      const [others] = await Promise.all([part.others?.() ?? '', part.gather?.()]);
      setPoolGauges(part.instruments, part.database);
      return `${await part.instruments.text()}${others}`;
    },
    missing: async () => {
      if (stage === 'ending') return [stage];
      const own = stage === 'starting' ? [stage] : areRunning() ? [] : ['its workers'];
      return [...own, ...(await part.missing())];
    },
  });
  return {
    meters: part.meters,
    url,
    started: (running = () => true) => {
      areRunning = running;
      if (stage === 'starting') stage = 'started';
    },
    ending: () => {
      stage = 'ending';
    },
    close,
  };
}
