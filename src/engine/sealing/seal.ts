import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Keeps what is personal or secret unreadable at rest. */
export interface Sealer {
  /** Seals a JSON value. `about` names the place it is kept; opening elsewhere fails. */
  seal(value: unknown, about: string): Buffer;
  /** Opens what was sealed; throws CannotOpen when it was changed, moved, or its key is gone. */
  open(sealed: Buffer, about: string): unknown;
  /** Seals bytes as they are, for 30 bytes more and the key's id. */
  sealBytes(bytes: Uint8Array, about: string): Buffer;
  /** Opens what `sealBytes` has sealed; throws CannotOpen as `open` does. */
  openBytes(sealed: Buffer, about: string): Buffer;
}

/** Thrown when sealed bytes do not open: another key, another place, or changed bytes. */
export class CannotOpen extends Error {
  constructor(readonly about: string) {
    super(
      `what is sealed at ${about} does not open: RECOURSE_ENCRYPTION_KEYS lacks its key, ` +
        'or the bytes were changed or moved',
    );
    this.name = 'CannotOpen';
  }
}

/** Thrown for a key list that cannot be used. */
export class EncryptionKeysInvalid extends Error {
  constructor(what: string) {
    super(`${what}; expected id:base64-of-32-bytes[,id:base64-of-32-bytes…]`);
    this.name = 'EncryptionKeysInvalid';
  }
}

const VERSION = 1;
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * AES-256-GCM under the first of the keys; any of them opens, so that keys can be rotated. Layout:
 * version, length of the key id, key id, iv, tag, ciphertext. The place is authenticated data.
 * Source: NIST SP 800-38D (random 96-bit iv).
 */
export function createSealer(keys: string): Sealer {
  const all = readKeys(keys);
  const [[firstId, firstKey]] = all;
  const byId = new Map(all);
  return {
    seal: (value, about) => seal(firstId, firstKey, Buffer.from(JSON.stringify(value)), about),
    open: (sealed, about) => read(open(byId, sealed, about), about),
    sealBytes: (bytes, about) => seal(firstId, firstKey, bytes, about),
    openBytes: (sealed, about) => open(byId, sealed, about),
  };
}

type Keys = [[string, Buffer], ...[string, Buffer][]];

function readKeys(text: string): Keys {
  const keys = text.split(',').map((part): [string, Buffer] => {
    const [id = '', secret = ''] = part.trim().split(/:(.*)/s);
    if (!/^[A-Za-z0-9_-]{1,32}$/.test(id)) throw new EncryptionKeysInvalid('a key has no id');
    const key = Buffer.from(secret, 'base64');
    if (key.length !== KEY_BYTES) {
      throw new EncryptionKeysInvalid(`key ${id} has ${key.length} bytes, not ${KEY_BYTES}`);
    }
    return [id, key];
  });
  if (new Set(keys.map(([id]) => id)).size !== keys.length) {
    throw new EncryptionKeysInvalid('two keys have the same id');
  }
  return keys as Keys;
}

function seal(id: string, key: Buffer, bytes: Uint8Array, about: string): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  cipher.setAAD(Buffer.from(about));
  const body = Buffer.concat([cipher.update(bytes), cipher.final()]);
  const name = Buffer.from(id);
  const head = Buffer.from([VERSION, name.length]);
  return Buffer.concat([head, name, iv, cipher.getAuthTag(), body]);
}

function open(keys: ReadonlyMap<string, Buffer>, sealed: Buffer, about: string): Buffer {
  try {
    const nameEnd = 2 + (sealed[1] ?? 0);
    const key = keys.get(sealed.subarray(2, nameEnd).toString());
    if (sealed[0] !== VERSION || key === undefined) throw new CannotOpen(about);
    const tagStart = nameEnd + IV_BYTES;
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(nameEnd, tagStart), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(about));
    decipher.setAuthTag(sealed.subarray(tagStart, tagStart + TAG_BYTES));
    return Buffer.concat([
      decipher.update(sealed.subarray(tagStart + TAG_BYTES)),
      decipher.final(),
    ]);
  } catch {
    // Whatever went wrong, the reader can do the same about it; details would help an attacker
    // only.
    throw new CannotOpen(about);
  }
}

/** The value in bytes that were opened; what is no JSON was never sealed as a value. */
function read(bytes: Buffer, about: string): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new CannotOpen(about);
  }
}
