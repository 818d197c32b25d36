import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const ANSWER_LIMIT_MS = 10_000;

/** A connection of one's own: nothing is awaited, and `ended` is what came until it closed. */
export function openRaw(url: string): { readonly socket: Socket; readonly ended: Promise<string> } {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  const ended = new Promise<string>((resolve) => {
    // A connection that is cut off has said all it will.
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('utf8')));
  });
  return { socket, ended };
}

/**
 * Sends bytes that no HTTP client would, and reads the first answer of what comes until the server
 * closes the connection. Throws when it does not.
 */
export async function sendRaw(url: string, bytes: string): Promise<RawAnswer> {
  const { socket, ended } = openRaw(url);
  let late = false;
  socket.setTimeout(ANSWER_LIMIT_MS, () => socket.destroy());
  socket.once('timeout', () => (late = true));
  socket.write(bytes, 'latin1');
  const text = await ended;
  if (late) throw new Error('the server neither answered nor closed the connection');
  return parseRaw(text);
}

/** The first answer of what came over a connection; what is behind its head is its body. */
export function parseRaw(text: string): RawAnswer {
  const end = text.indexOf('\r\n\r\n');
  const head = end < 0 ? text : text.slice(0, end);
  const body = end < 0 ? '' : text.slice(end + 4);
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const [name = '', value = ''] = line.split(/: (.*)/s);
    return [name.toLowerCase(), value];
  });
  return { status: Number(statusLine.split(' ')[1]), headers: Object.fromEntries(headers), body };
}
