import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';

/** Where Temporal is, and how it is spoken to. */
export interface TemporalSettings {
  /** `host:port`. */
  readonly address: string;
  readonly namespace: string;
  /** Sent with every call; asked for by Temporal Cloud, and by clusters with an authorizer. */
  readonly apiKey: string | null;
  /** Null: in plain text. */
  readonly tls: TemporalTls | null;
}

/** Files are paths, and hold PEM. */
export interface TemporalTls {
  /** Who may have signed the server's certificate; null: the public authorities that Node knows. */
  readonly ca: string | null;
  /** What we show the server, when it asks for it. */
  readonly pair: { readonly cert: string; readonly key: string } | null;
  /** The name that the server's certificate must bear; null: the host of the address. */
  readonly serverName: string | null;
}

/** Both of Temporal's connections, the client's and the worker's, take this. */
export interface TemporalConnection {
  readonly address: string;
  readonly apiKey?: string;
  readonly tls: false | TlsMaterial;
}

interface TlsMaterial {
  readonly serverRootCACertificate: Buffer;
  readonly clientCertPair?: { readonly crt: Buffer; readonly key: Buffer };
  readonly serverNameOverride?: string;
}

/** Thrown for a file of TLS that cannot be used; one line that names the variable. */
export class TemporalTlsInvalid extends Error {
  override readonly name = 'TemporalTlsInvalid';

  constructor(
    readonly variable: string,
    what: string,
    cause?: unknown,
  ) {
    super(`${variable}: ${what}`, { cause });
  }
}

/**
 * Reads the files and gives what either connection is opened with: the same for API, worker, relay
 * and local start. They are read once; who renews a certificate restarts the process.
 *
 * Without a `ca` both trust the public authorities that come with Node. Left alone, the worker's
 * connection would trust the machine's instead, and a small image has none.
 *
 * @throws TemporalTlsInvalid.
 */
export function temporalConnection(settings: TemporalSettings): TemporalConnection {
  const { address, apiKey, tls } = settings;
  return {
    address,
    ...(apiKey === null ? {} : { apiKey }),
    tls: tls === null ? false : materialOf(tls),
  };
}

function materialOf({ ca, pair, serverName }: TemporalTls): TlsMaterial {
  return {
    serverRootCACertificate:
      ca === null ? Buffer.from(rootCertificates.join('\n')) : readCertificates(CA, ca).pem,
    ...(pair === null ? {} : { clientCertPair: readPair(pair) }),
    ...(serverName === null ? {} : { serverNameOverride: serverName }),
  };
}

const CA = 'TEMPORAL_TLS_CA';
const CERT = 'TEMPORAL_TLS_CERT';
const KEY = 'TEMPORAL_TLS_KEY';

function readPair(paths: { cert: string; key: string }): { crt: Buffer; key: Buffer } {
  const { pem: crt, first } = readCertificates(CERT, paths.cert);
  const key = readPem(KEY, paths.key);
  if (!first.checkPrivateKey(privateKey(key, paths.key))) {
    throw new TemporalTlsInvalid(KEY, `${paths.key} is not the key of the certificate in ${CERT}`);
  }
  return { crt, key };
}

function privateKey(pem: Buffer, path: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch (error) {
    const what = `${path} holds no private key as PEM; one with a passphrase has to be decrypted`;
    throw new TemporalTlsInvalid(KEY, what, error);
  }
}

const CERTIFICATES = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Each is parsed: the connections pass over what they do not understand, and then trust nobody. */
function readCertificates(variable: string, path: string): { pem: Buffer; first: X509Certificate } {
  const pem = readPem(variable, path);
  try {
    const texts = pem.toString('latin1').match(CERTIFICATES) ?? [];
    const [first] = texts.map((text) => new X509Certificate(text));
    if (first !== undefined) return { pem, first };
  } catch (error) {
    throw new TemporalTlsInvalid(variable, `${path} holds a certificate that is damaged`, error);
  }
  throw new TemporalTlsInvalid(variable, `${path} holds no certificate as PEM`);
}

function readPem(variable: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'no reason given';
    throw new TemporalTlsInvalid(variable, `the file ${path} cannot be read (${code})`, error);
  }
}
