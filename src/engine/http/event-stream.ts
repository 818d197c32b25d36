/** One event of a stream, as server-sent events have it. */
export interface StreamEvent {
  /** What the client sends as Last-Event-ID to go on after it. No line break. */
  readonly id: string;
  readonly name: string;
  /** A value to send as JSON. */
  readonly data: unknown;
}

/** An answer that is a stream of server-sent events, as they come. */
export class EventStream {
  constructor(
    /**
     * What to send, some at a time, until `signal` is aborted. It is asked for more only when what
     * it gave was taken, so nothing piles up for a client that does not read.
     */
    readonly events: (signal: AbortSignal) => AsyncGenerator<readonly StreamEvent[]>,
    /** Takes a place for it before the first byte; answers how to leave it. May throw Problem. */
    readonly enter: () => () => void,
  ) {}
}

/** An event as it is sent. JSON has no line breaks, so one line of data is enough. */
export function eventText({ id, name, data }: StreamEvent): string {
  return `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
