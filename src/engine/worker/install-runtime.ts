import {
  DefaultLogger,
  Runtime,
  type LogEntry,
  type MetricsExporterConfig,
} from '@temporalio/worker';
import type { Logger } from '../telemetry/logger.js';
import { openExporter, type ExporterAddress } from '../telemetry/sdk-metrics.client.js';

/**
 * Makes the native part of Temporal's SDK, once in a process, before anything else of it is used.
 * Answers where it tells its metrics, on this machine alone; null: they are not wanted. Throws when
 * it cannot be made, or was made before.
 */
export async function installRuntime(
  log: Logger,
  isWatched: boolean,
): Promise<ExporterAddress | null> {
  if (isWatched) {
    // In base units, as all else that Prometheus reads.
    const units = { countersTotalSuffix: true, unitSuffix: true, useSecondsForDurations: true };
    return openExporter((bindAddress) => install(log, { prometheus: { bindAddress, ...units } }));
  }
  install(log);
  return null;
}

function install(log: Logger, metrics?: MetricsExporterConfig): void {
  Runtime.install({
    // The process decides itself what a signal means.
    shutdownSignals: [],
    logger: new DefaultLogger('WARN', (entry) => passOn(log, entry)),
    telemetryOptions: {
      logging: { filter: { core: 'ERROR', other: 'ERROR' } },
      ...(metrics === undefined ? {} : { metrics }),
    },
  });
}

/**
 * What the SDK has to say, without what it hangs on its lines. Provider queues run no workflows.
 */
function passOn(log: Logger, entry: LogEntry): void {
  if (entry.message.startsWith('No workflows registered')) return;
  const write = entry.level === 'ERROR' ? log.error : log.warn;
  write('temporal sdk', { reason: entry.message });
}
