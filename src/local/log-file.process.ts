import { closeSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** With the one before it, at most 20 MB a part. */
const LARGEST_BYTES = 10_000_000;

/** The log of one part; the last 10 MB are in `<part>.log`, the ones before in `<part>.log.1`. */
export interface LogFile {
  readonly path: string;
  write(line: string): void;
  close(): void;
}

/** Opens the part's log for appending. A disk that is full loses lines, never the part. */
export function openLogFile(folder: string, part: string): LogFile {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${part}.log`);
  const open = () => openSync(path, 'a', 0o600);
  let file = open();
  let bytes = fstatSync(file).size;
  return {
    path,
    write: (line) => {
      try {
        if (bytes > LARGEST_BYTES) {
          closeSync(file);
          renameSync(path, `${path}.1`);
          file = open();
          bytes = 0;
        }
        bytes += writeSync(file, `${line}\n`);
      } catch {
        // Nothing useful can be done, and the part goes on.
      }
    },
    close: () => closeSync(file),
  };
}
