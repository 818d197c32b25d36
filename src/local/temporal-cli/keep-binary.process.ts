import { createHash } from 'node:crypto';
import {
  createReadStream,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';

/**
 * Puts a program at its place, if it is what it should be. It is written under another name and
 * renamed when it is whole, so two that do so at once do not disturb each other, and a crash leaves
 * nothing half-made under the name.
 *
 * @throws when the checksum differs; nothing is kept then.
 */
export function keepBinary(bytes: Uint8Array, sha256: string, path: string): void {
  const found = createHash('sha256').update(bytes).digest('hex');
  if (found !== sha256) {
    throw new Error(`the program has the checksum ${found}, expected ${sha256}: not used`);
  }
  const unfinished = `${path}.${process.pid}.unfinished`;
  mkdirSync(dirname(path), { recursive: true });
  try {
    writeFileSync(unfinished, bytes, { mode: 0o755 });
    renameSync(unfinished, path);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/** Whether the file is there and has this checksum. */
export async function hasChecksum(path: string, sha256: string): Promise<boolean> {
  if (!existsSync(path)) return false;
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash);
  return hash.digest('hex') === sha256;
}
