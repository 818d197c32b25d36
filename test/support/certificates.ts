import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

// Certificates for tests, written byte by byte: Node reads X.509 and cannot write it. Source: RFC
// 5280, section 4, and X.690 for the encoding.

export interface Issued {
  /** PEM. */
  readonly cert: string;
  readonly key: string;
}

export interface Authority extends Issued {
  issue(wishes: Leaf): Issued;
}

export interface Leaf {
  readonly name: string;
  readonly for: 'server' | 'client';
  /** Whether a server's certificate also bears 127.0.0.1, as the tests' addresses do. */
  readonly local?: boolean;
  readonly expired?: boolean;
}

/** A certificate authority of a test's own, which issues what the test needs. */
export function newAuthority(name: string): Authority {
  const pair = newPair();
  const ca = { subject: name, issuer: name, signedWith: pair.privateKey, expired: false };
  const cert = certificate({ ...ca, publicKey: pair.publicKey, extensions: OF_AUTHORITY });
  return {
    cert,
    key: pem(pair.privateKey),
    issue: (leaf) => {
      const own = newPair();
      const issued = certificate({
        ...ca,
        subject: leaf.name,
        publicKey: own.publicKey,
        expired: leaf.expired ?? false,
        extensions: extensionsOf(leaf),
      });
      return { cert: issued, key: pem(own.privateKey) };
    },
  };
}

const newPair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString();

function der(tag: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const { length } = body;
  const head = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8];
  const rest = length < 256 ? [] : [length & 255];
  return Buffer.concat([Buffer.from([tag, ...head, ...rest]), body]);
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
const integer = (bytes: Buffer) => der(0x02, bytes);
const octets = (bytes: Buffer) => der(0x04, bytes);
const bits = (bytes: Buffer) => der(0x03, Buffer.from([0]), bytes);
const text = (words: string) => der(0x0c, Buffer.from(words));
const time = (stamp: string) => der(0x17, Buffer.from(stamp));
const TRUE = der(0x01, Buffer.from([0xff]));

function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(arc: number): number[] {
  const low = [arc & 127];
  for (let more = arc >> 7; more > 0; more >>= 7) low.unshift((more & 127) | 128);
  return low;
}

const nameOf = (words: string) => sequence(der(0x31, sequence(oid('2.5.4.3'), text(words))));
const extension = (id: string, value: Buffer) => sequence(oid(id), octets(value));
const critical = (id: string, value: Buffer) => sequence(oid(id), TRUE, octets(value));

const KEY_CERT_SIGN = der(0x03, Buffer.from([2, 4]));
const OF_AUTHORITY = [critical('2.5.29.19', sequence(TRUE)), critical('2.5.29.15', KEY_CERT_SIGN)];
const PURPOSES = { server: '1.3.6.1.5.5.7.3.1', client: '1.3.6.1.5.5.7.3.2' };

function extensionsOf({ name, for: purpose, local = true }: Leaf): Buffer[] {
  const address = local ? [der(0x87, Buffer.from([127, 0, 0, 1]))] : [];
  return [
    critical('2.5.29.19', sequence()),
    extension('2.5.29.37', sequence(oid(PURPOSES[purpose]))),
    extension('2.5.29.17', sequence(der(0x82, Buffer.from(name)), ...address)),
  ];
}

interface ToSign {
  readonly subject: string;
  readonly issuer: string;
  readonly publicKey: KeyObject;
  readonly signedWith: KeyObject;
  readonly expired: boolean;
  readonly extensions: readonly Buffer[];
}

function certificate(of: ToSign): string {
  const algorithm = sequence(oid('1.2.840.10045.4.3.2'));
  const body = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    nameOf(of.issuer),
    sequence(time('200101000000Z'), time(of.expired ? '210101000000Z' : '491231235959Z')),
    nameOf(of.subject),
    of.publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...of.extensions)),
  );
  const signed = sequence(body, algorithm, bits(sign('sha256', body, of.signedWith)));
  const lines = signed.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
