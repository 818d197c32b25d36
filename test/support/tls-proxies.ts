import { connect as connectHttp2, createSecureServer, type ServerHttp2Stream } from 'node:http2';
import type { IncomingHttpHeaders } from 'node:http2';
import { connect, type AddressInfo, type Server } from 'node:net';
import { createServer } from 'node:tls';
import type { Issued } from './certificates.js';

// The dev server speaks plain text. These stand before it and speak TLS, as a cluster does.

export interface TlsProxy {
  readonly address: string;
  readonly port: number;
  close(): Promise<void>;
}

export interface TlsWishes {
  /** `host:port` of what speaks plain text. */
  readonly target: string;
  readonly server: Issued;
  /** PEM; who shows no certificate of this authority is turned away. */
  readonly clientsOf?: string;
  readonly port?: number;
}

/** Ends TLS and passes the bytes on. */
export function startTlsProxy(wishes: TlsWishes): Promise<TlsProxy> {
  const [host, port] = wishes.target.split(':');
  const asked = wishes.clientsOf === undefined ? {} : { ca: wishes.clientsOf, requestCert: true };
  const server = createServer({ ...wishes.server, ...asked, ALPNProtocols: ['h2'] }, (socket) => {
    const behind = connect(Number(port), host);
    socket.pipe(behind).pipe(socket);
    socket.on('error', () => behind.destroy());
    behind.on('error', () => socket.destroy());
    socket.on('close', () => behind.destroy());
  });
  return listen(server, wishes.port);
}

export interface CloudWishes extends TlsWishes {
  readonly apiKey: string;
  /** Told the method and the headers of every call. */
  readonly onCall: (method: string, headers: IncomingHttpHeaders) => void;
}

/**
 * Behaves as Temporal Cloud does towards a key: a call without it is unauthenticated, and the
 * operator's service is nobody's. Everything else goes to the target.
 */
export function startCloudProxy(wishes: CloudWishes): Promise<TlsProxy> {
  const behind = connectHttp2(`http://${wishes.target}`);
  behind.on('error', () => undefined);
  const server = createSecureServer({ ...wishes.server });
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    const method = String(headers[':path']);
    wishes.onCall(method, headers);
    stream.on('error', () => undefined);
    if (headers.authorization !== `Bearer ${wishes.apiKey}`) return refuse(stream, UNAUTHENTICATED);
    if (method.startsWith('/temporal.api.operatorservice.')) return refuse(stream, DENIED);
    const { ':scheme': _scheme, ':authority': _authority, ...passed } = headers;
    const call = behind.request(passed);
    let trailers: IncomingHttpHeaders = {};
    call.on('trailers', (last) => (trailers = last));
    call.on('response', (answer) => {
      stream.respond(answer, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers(trailers));
      call.pipe(stream);
    });
    call.on('error', () => stream.close());
    stream.on('close', () => call.close());
    stream.pipe(call);
  });
  return listen(server, wishes.port, () => behind.destroy());
}

/** gRPC's status codes. Source: grpc/grpc, doc/statuscodes.md. */
const DENIED = '7';
const UNAUTHENTICATED = '16';

function refuse(stream: ServerHttp2Stream, status: string): void {
  const headers = { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': status };
  stream.respond(headers, { endStream: true });
}

async function listen(server: Server, port = 0, also = () => {}): Promise<TlsProxy> {
  const sockets = new Set<{ destroy(): unknown }>();
  server.on('secureConnection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const at = (server.address() as AddressInfo).port;
  return {
    port: at,
    address: `127.0.0.1:${at}`,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      also();
      await closed;
    },
  };
}
