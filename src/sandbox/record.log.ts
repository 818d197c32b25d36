import type { FileHandle } from 'node:fs/promises';
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';

/** The one file of the record, in the data folder: one JSON value a line, in order of arrival. */
export const RECORD_FILE = 'record.jsonl';

const NEWLINE = 10;
const READ_BYTES = 1 << 20;

export interface RecordLog {
  /** Appends lines; resolves when they, and all before them, are on the disk. */
  readonly append: (lines: readonly unknown[]) => Promise<void>;
  /** Resolves when everything appended so far is on the disk. */
  readonly settled: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Thrown at start when a line in the middle of the record cannot be read: nothing is guessed. */
export class RecordDamaged extends Error {
  constructor(path: string, line: number, cause: unknown) {
    super(`${path} line ${line} is not JSON: move the file away to begin with an empty record`);
    this.cause = cause;
  }
}

/** Thrown by an append when the file is longer than what this process wrote. */
export class RecordShared extends Error {
  constructor(path: string) {
    super(`${path} has grown by itself: another sandbox uses the same folder; end one of the two`);
  }
}

/**
 * Opens the record of a data folder and hands over what it holds, line by line. A last line without
 * its newline was never acknowledged: it is cut off.
 *
 * Appends are durable when they resolve, also across `kill -9` and power loss: all lines that wait
 * go to the disk in one write and one sync, so many callers pay for one. An append that fails is
 * final: it and all later ones reject, and `onBroken` is told, since memory is then ahead of disk.
 *
 * @throws RecordDamaged
 */
export async function openRecordLog(
  folder: string,
  onLine: (line: unknown) => void,
  onBroken: (error: unknown) => void,
): Promise<RecordLog> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, RECORD_FILE);
  const handle = await open(path, 'a+', 0o600);
  try {
    const end = await readWholeLines(handle, (text, number) => onLine(parse(text, path, number)));
    await handle.truncate(end);
    await handle.sync();
    await syncFolder(folder);
    return createLog(createWriter(handle, path, end), () => handle.close(), onBroken);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function parse(text: string, path: string, number: number): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new RecordDamaged(path, number, error);
  }
}

// Splits at the newline byte alone: readline would also split at U+2028, which a body may hold.
async function readWholeLines(
  handle: FileHandle,
  onLine: (text: string, number: number) => void,
): Promise<number> {
  let number = 0;
  let end = 0;
  let rest = Buffer.alloc(0);
  for (;;) {
    const chunk = Buffer.alloc(READ_BYTES);
    const { bytesRead } = await handle.read(chunk, 0, READ_BYTES, end + rest.length);
    if (bytesRead === 0) return end;
    rest = Buffer.concat([rest, chunk.subarray(0, bytesRead)]);
    let start = 0;
    for (let at = rest.indexOf(NEWLINE); at >= 0; at = rest.indexOf(NEWLINE, start)) {
      number += 1;
      onLine(rest.toString('utf8', start, at), number);
      start = at + 1;
    }
    end += start;
    rest = rest.subarray(start);
  }
}

// A new file is only there after a crash once its folder's entry is on the disk.
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

interface Caller {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Makes the function that puts text at the end of the file and on the disk. */
function createWriter(handle: FileHandle, path: string, size: number) {
  let end = size;
  return async (text: string): Promise<void> => {
    if (text === '') return;
    if ((await handle.stat()).size !== end) throw new RecordShared(path);
    const bytes = Buffer.from(text);
    await handle.appendFile(bytes);
    // Data and the file's length; times of access are not worth a second write.
    await handle.datasync();
    end += bytes.length;
  };
}

function createLog(
  write: (text: string) => Promise<void>,
  closeFile: () => Promise<void>,
  onBroken: (error: unknown) => void,
): RecordLog {
  let text = '';
  let callers: Caller[] = [];
  let writing = false;
  let broken: { readonly error: unknown } | null = null;

  const writeAll = async () => {
    writing = true;
    // Whatever else this turn of the event loop appends goes into the same write.
    await new Promise((resolve) => setImmediate(resolve));
    while (callers.length > 0) {
      const group = { text, callers };
      text = '';
      callers = [];
      try {
        if (broken !== null) throw broken.error;
        await write(group.text);
        for (const caller of group.callers) caller.resolve();
      } catch (error) {
        for (const caller of group.callers) caller.reject(error);
        if (broken === null) onBroken(error);
        broken = { error };
      }
    }
    writing = false;
  };

  const append = (lines: readonly unknown[]) => {
    for (const line of lines) text += `${JSON.stringify(line)}\n`;
    const done = new Promise<void>((resolve, reject) => callers.push({ resolve, reject }));
    // Nobody need wait; `onBroken` hears of a failure in any case.
    done.catch(() => {});
    if (!writing) void writeAll();
    return done;
  };

  const settled = () => append([]);
  const close = async () => {
    try {
      await settled();
    } finally {
      await closeFile();
    }
  };
  return { append, settled, close };
}
