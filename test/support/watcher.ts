import { get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { pollUntil } from '../../src/local/poll-until.process.js';

/** An event as it is told; what tests look at is typed. */
export interface EventTold {
  readonly id: string;
  readonly type: string;
  readonly data: {
    readonly id: string;
    readonly status: string;
    readonly step: { readonly name: string; readonly state: string; readonly undo: string } | null;
    readonly failure: unknown;
  };
}

export interface SeenEvent {
  readonly id: string;
  readonly event: string;
  readonly data: EventTold;
}

/** A client that watches a booking, as an EventSource would. */
export interface Watcher {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** What has come so far. */
  readonly seen: readonly SeenEvent[];
  readonly comments: readonly string[];
  /** How the stream came to its end, once it has: by itself, or because it broke. */
  readonly end: Promise<'ended' | 'broken'>;
  /** Waits until an event is there that fits. */
  until(fits: (event: SeenEvent) => boolean): Promise<SeenEvent>;
  /** Goes away, as a client does that is closed. */
  leave(): void;
}

/** Opens a stream, on a connection of its own, and reads it in the background. */
export async function watch(
  url: string,
  key: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Watcher> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const all = { authorization: `Bearer ${key}`, accept: 'text/event-stream', ...headers };
    get(url, { agent: false, headers: all }, resolve).on('error', reject);
  });
  const seen: SeenEvent[] = [];
  const comments: string[] = [];
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    seen,
    comments,
    end: readBlocks(response, (block) => {
      const event = parse(block);
      if (event !== null) seen.push(event);
      else if (block.startsWith(':')) comments.push(block);
    }),
    until: async (fits) => {
      const found = await pollUntil(async () => seen.find(fits), { limitMs: 60_000, everyMs: 10 });
      if (found === undefined) throw new Error(`it did not come: ${JSON.stringify(seen)}`);
      return found;
    },
    leave: () => response.destroy(),
  };
}

async function readBlocks(
  response: IncomingMessage,
  take: (block: string) => void,
): Promise<'ended' | 'broken'> {
  let rest = '';
  try {
    for await (const chunk of response.setEncoding('utf8')) {
      const blocks = (rest + String(chunk)).split('\n\n');
      rest = blocks.pop() ?? '';
      blocks.forEach(take);
    }
    return response.complete ? 'ended' : 'broken';
  } catch {
    return 'broken';
  }
}

function parse(block: string): SeenEvent | null {
  const fields = new Map(
    block.split('\n').map((line): [string, string] => {
      const [name = '', value = ''] = line.split(/: (.*)/s);
      return [name, value];
    }),
  );
  const [id, event, data] = [fields.get('id'), fields.get('event'), fields.get('data')];
  if (id === undefined || event === undefined || data === undefined) return null;
  return { id, event, data: JSON.parse(data) as EventTold };
}
