import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { eventText, type EventStream, type StreamEvent } from './event-stream.js';

export interface StreamTimes {
  /** Proxies close what is silent for half a minute, and a dead client is noticed by writing. */
  readonly commentEveryMs: number;
  /** A client that takes nothing for so long is cut off; it resumes where it was. */
  readonly stalledMs: number;
}

const TIMES: StreamTimes = { commentEveryMs: 15_000, stalledMs: 30_000 };

/** All that waits in this process for one client, beside what its socket holds. */
const BUFFER_BYTES = 16_384;

/** Clients come back after a second or two, and not all at the same instant. */
const RETRY_LEAST_MS = 1_000;
const RETRY_MOST_MS = 3_000;

export interface StreamLimits {
  readonly times?: StreamTimes;
  /** Aborted when its reader may read no more. */
  readonly ended?: AbortSignal;
}

/**
 * The bytes of a stream of events, made as they are taken. A comment goes out while there is no
 * event. It ends when the events do, and when its reader may read no more; when the client takes
 * nothing for `stalledMs` it is destroyed, and so it is when the events fail. Throws what entering
 * it throws.
 */
export function streamBytes(
  stream: EventStream,
  { times = TIMES, ended }: StreamLimits = {},
): Readable {
  const leave = stream.enter();
  const gone = new AbortController();
  const over = ended === undefined ? gone.signal : AbortSignal.any([gone.signal, ended]);
  const texts = textsOf(stream.events(over), times.commentEveryMs);
  let stalled: NodeJS.Timeout | undefined;
  const make = async (): Promise<void> => {
    const { value, done } = await texts.next();
    if (bytes.destroyed) return;
    const cutOff = () => bytes.destroy(new Error('the client does not read'));
    if (done !== true) stalled = setTimeout(cutOff, times.stalledMs);
    bytes.push(done === true ? null : value);
  };
  // Not `Readable.from`: it would wait for the events before it tells them that nobody reads.
  const bytes = new Readable({
    highWaterMark: BUFFER_BYTES,
    read() {
      clearTimeout(stalled);
      make().catch((error: unknown) => bytes.destroy(error as Error));
    },
    destroy(error, done) {
      clearTimeout(stalled);
      gone.abort();
      leave();
      done(error);
    },
  });
  return bytes;
}

async function* textsOf(
  batches: AsyncGenerator<readonly StreamEvent[]>,
  commentEveryMs: number,
): AsyncGenerator<string, undefined> {
  const retryMs = RETRY_LEAST_MS + Math.random() * (RETRY_MOST_MS - RETRY_LEAST_MS);
  yield `retry: ${Math.round(retryMs)}\n\n`;
  for (;;) {
    const next = batches.next();
    let come = await within(next, commentEveryMs);
    for (; come === null; come = await within(next, commentEveryMs)) yield ': still here\n\n';
    if (come.done === true) return;
    yield come.value.map(eventText).join('');
  }
}

/** What comes within `ms`; null when nothing does. */
async function within<Come>(coming: Promise<Come>, ms: number): Promise<Come | null> {
  const over = new AbortController();
  try {
    const late = pause(ms, null, { signal: over.signal }).catch(() => null);
    return await Promise.race([coming, late]);
  } finally {
    over.abort();
  }
}
