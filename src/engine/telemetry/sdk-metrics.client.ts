import { createServer } from 'node:net';

const LOOPBACK = '127.0.0.1';
/** The exporter is in this very process: what it has not answered by then is not there. */
const LIMIT_MS = 500;
/** Another process may take a port between its being found and its being used. */
const TRIES = 5;

/** Where the SDK's own exporter listens, as host and port. */
export type ExporterAddress = `${typeof LOOPBACK}:${number}`;

/**
 * Has `start` open the SDK's exporter on a free port of this machine alone, and answers where. The
 * SDK cannot say which port it got, so one is found first, and another when it was taken meanwhile.
 * Throws what `start` throws when it fails each time.
 */
export async function openExporter(
  start: (address: ExporterAddress) => void,
): Promise<ExporterAddress> {
  for (let tries = 1; ; tries += 1) {
    const address: ExporterAddress = `${LOOPBACK}:${await freePort()}`;
    try {
      start(address);
      return address;
    } catch (error) {
      if (tries === TRIES) throw error;
    }
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ host: LOOPBACK, port: 0, exclusive: true }, () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

/**
 * The SDK's metrics as it tells them, in the text format of Prometheus. When it does not answer a
 * comment says so, and what else is known is told all the same.
 */
export async function sdkMetrics(address: ExporterAddress): Promise<string> {
  try {
    const response = await fetch(`http://${address}/metrics`, {
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    if (!response.ok) throw new Error(`status ${response.status}`);
    return await response.text();
  } catch {
    return "# Temporal's SDK did not tell its metrics.\n";
  }
}
