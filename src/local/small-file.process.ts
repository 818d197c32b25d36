import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/** Reads a small JSON file of ours; `undefined` when it is missing or cannot be understood. */
export function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Writes a file that only its owner may read. After a crash it is the old one or the new one. */
export function writePrivately(path: string, text: string): void {
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, text, { mode: 0o600 });
  renameSync(unfinished, path);
}
