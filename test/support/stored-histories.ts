import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { WorkflowHandle } from '@temporalio/client';
import proto from '@temporalio/proto';

const { History } = proto.temporal.api.history.v1;
export type History = proto.temporal.api.history.v1.History;

interface StoredEvent {
  readonly activityTaskScheduledEventAttributes?: {
    readonly activityType: { readonly name: string };
  };
}

/** A history as it is stored: its events in order, enums by name, bytes in base64. */
export interface StoredHistory {
  readonly events: readonly StoredEvent[];
}

const FOLDER = resolve(import.meta.dirname, '../histories');

/** The histories and the fingerprint of one released version of a saga. */
export interface StoredVersion {
  has(file: string): boolean;
  read(file: string): string;
  write(file: string, text: string): void;
}

/** The folder of one released version, such as `book-trip.v1`. */
export function storedVersion(name: string): StoredVersion {
  const place = (file: string) => join(FOLDER, name, file);
  return {
    has: (file) => existsSync(place(file)),
    read: (file) => readFileSync(place(file), 'utf8'),
    write: (file, text) => {
      mkdirSync(join(FOLDER, name), { recursive: true });
      writeFileSync(place(file), text);
    },
  };
}

/** The history of an execution that has ended, to be stored: one event a line, no machine in it. */
export async function historyText(handle: WorkflowHandle): Promise<string> {
  const history = History.fromObject(await handle.fetchHistory());
  const object = History.toObject(history, { longs: String, enums: String, bytes: String });
  const { events } = withoutMachine(object) as StoredHistory;
  return `{"events": [\n${events.map((event) => JSON.stringify(event)).join(',\n')}\n]}\n`;
}

/** What `historyText` made, as a replay takes it. */
export function historyOf(stored: StoredHistory): History {
  return History.fromObject(stored);
}

/**
 * A copy that does not tell where it was made. Temporal notes process numbers and host names of
 * whoever took part, as `identity` and in the names of the queues that one process has to itself;
 * a replay looks at neither.
 */
function withoutMachine(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMachine);
  if (typeof value !== 'object' || value === null) return value;
  const isOwnQueue = 'kind' in value && value.kind === 'TASK_QUEUE_KIND_STICKY';
  return Object.fromEntries(
    Object.entries(value).map(([key, item]: [string, unknown]) => {
      if (key === 'identity') return [key, 'somebody'];
      if (key === 'name' && isOwnQueue) return [key, 'the queue of one worker'];
      return [key, withoutMachine(item)];
    }),
  );
}
