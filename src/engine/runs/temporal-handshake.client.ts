import { isIP } from 'node:net';
import { connect, type ConnectionOptions } from 'node:tls';
import type { TemporalConnection } from './temporal-connection.client.js';

/** Long enough for a handshake over an ocean; whoever asks is failing a call meanwhile. */
const LIMIT_MS = 1_000;

/** HTTP/2's opening words and an empty SETTINGS frame. Source: RFC 9113, sections 3.4 and 6.5. */
const PREFACE = Buffer.concat([
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]),
]);

/**
 * Tries the TLS of a connection that does not come about, and answers the code of what is wrong
 * with it, such as `SELF_SIGNED_CERT_IN_CHAIN`, `TLS_CERT_ALTNAME_INVALID` or `ECONNREFUSED`. Null
 * when there is no TLS, when it works, and when nobody answered in a second. Temporal's own
 * connections say the same in prose only, which no log line may quote. Never rejects.
 *
 * A server refuses a client's certificate only after the handshake (TLS 1.3), so this waits for its
 * first bytes.
 */
export function handshakeFailure(to: TemporalConnection): Promise<string | null> {
  if (to.tls === false) return Promise.resolve(null);
  const options = handshakeOptions(to.address, to.tls);
  return new Promise((resolve) => {
    const socket = connect(options);
    const end = (code: string | null): void => {
      socket.destroy();
      resolve(code);
    };
    socket.setTimeout(LIMIT_MS, () => end(null));
    socket.once('secureConnect', () => socket.write(PREFACE));
    socket.once('data', () => end(null));
    socket.once('error', (error: Error) => end(codeOf(error)));
    socket.once('close', () => end('CONNECTION_CLOSED'));
  });
}

function handshakeOptions(
  address: string,
  tls: Exclude<TemporalConnection['tls'], false>,
): ConnectionOptions {
  const [host = '', port] = address.split(':');
  const name = tls.serverNameOverride ?? (isIP(host) === 0 ? host : undefined);
  const pair = tls.clientCertPair;
  return {
    host,
    port: Number(port),
    ca: tls.serverRootCACertificate,
    ...(pair === undefined ? {} : { cert: pair.crt, key: pair.key }),
    ...(name === undefined ? {} : { servername: name }),
    ALPNProtocols: ['h2'],
  };
}

function codeOf(error: Error): string {
  const code = 'code' in error ? String(error.code) : 'TLS';
  return code.replace(/^ERR_/, '');
}
