import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { within } from './within.process.js';

/** Where a process can be watched. */
export interface MetricsPlace {
  readonly host: string;
  /** 0: one of the system's choice. */
  readonly port: number;
}

/** What a process answers to who watches it. */
export interface Watched {
  /** The whole text of `/metrics`. */
  readonly metrics: () => Promise<string>;
  /** What is missing for the process to do its work; nothing: it is ready. */
  readonly missing: () => Promise<readonly string[]>;
}

export interface MetricsServer {
  /** Where it listens, such as `http://127.0.0.1:9464`. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Thrown at start when nothing can listen at METRICS_PORT; its message is for a person. */
export class MetricsPortUnusable extends Error {
  override readonly name = 'MetricsPortUnusable';

  constructor({ host, port }: MetricsPlace, code: string) {
    super(
      code === 'EADDRINUSE'
        ? `METRICS_PORT: port ${port} of ${host} is in use: stop what listens there, or choose ` +
            'another port'
        : `METRICS_PORT, METRICS_HOST: nothing can listen on port ${port} of ${host} (${code})`,
    );
  }
}

/** An orchestrator's probe gives up after a second or more. */
const READY_LIMIT_MS = 900;
const TEXT = 'text/plain; version=0.0.4; charset=utf-8';
const JSON_TEXT = 'application/json; charset=utf-8';

/**
 * Opens `/metrics`, `/healthz` and `/readyz` of one process, without any login: the place must be
 * reached by those only who may watch. Throws MetricsPortUnusable.
 */
export async function openMetricsServer(
  place: MetricsPlace,
  watched: Watched,
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    answer(watched, request)
      .catch(() => ({ status: 500, type: JSON_TEXT, body: '{"status":"failed"}\n' }))
      .then((reply) => send(response, request, reply))
      .catch(() => response.destroy());
  });
  await listen(server, place);
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : place.port;
  const host = place.host.includes(':') ? `[${place.host}]` : place.host;
  return {
    url: `http://${host}:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, place: MetricsPlace): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException): void =>
      reject(new MetricsPortUnusable(place, error.code ?? error.name));
    server.once('error', refuse);
    server.listen(place.port, place.host, () => {
      server.off('error', refuse);
      resolve();
    });
  });
}

interface Reply {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

async function answer(watched: Watched, { method, url }: IncomingMessage): Promise<Reply> {
  if (method !== 'GET' && method !== 'HEAD') return jsonReply(405, { status: 'only GET' });
  const [path = ''] = (url ?? '').split('?', 1);
  switch (path) {
    case '/metrics':
      return { status: 200, type: TEXT, body: await watched.metrics() };
    case '/healthz':
      return jsonReply(200, { status: 'alive' });
    case '/readyz': {
      const missing = (await within(READY_LIMIT_MS, watched.missing())) ?? ['an answer in time'];
      return missing.length === 0
        ? jsonReply(200, { status: 'ready' })
        : jsonReply(503, { status: 'not-ready', missing });
    }
    default:
      return jsonReply(404, { status: 'not-found' });
  }
}

function jsonReply(status: number, body: object): Reply {
  return { status, type: JSON_TEXT, body: `${JSON.stringify(body)}\n` };
}

function send(response: ServerResponse, request: IncomingMessage, reply: Reply): void {
  response.writeHead(reply.status, {
    'content-type': reply.type,
    'content-length': Buffer.byteLength(reply.body),
    'cache-control': 'no-store',
    ...(reply.status === 405 ? { allow: 'GET, HEAD' } : {}),
    ...(reply.status === 503 ? { 'retry-after': '1' } : {}),
  });
  response.end(request.method === 'HEAD' ? undefined : reply.body);
}
