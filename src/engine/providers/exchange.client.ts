import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Answer, Lost, NotSent } from './answer.js';
import { readBody } from './read-body.js';
import { retryAfterMs } from './retry-after.js';

/** One request that is about to go out, and what bounds it. */
export interface Exchange {
  /** Makes the request; nothing is written until its `end` is called. */
  readonly open: () => ClientRequest;
  readonly secure: boolean;
  readonly body: string | undefined;
  readonly signal: AbortSignal;
  /** Zero or less once the time is over; `signal` is the caller's word for the same. */
  readonly msLeft: () => number;
  readonly answerBytesMax: number;
}

/**
 * Sends one request on one connection and waits for the whole answer. `written` is the line between
 * `not-sent` and `lost`: it is crossed immediately before head and body go to the socket together.
 * Everything after it may have been sent.
 */
export function performExchange(exchange: Exchange): Promise<Answer> {
  const { signal, msLeft } = exchange;
  const isOver = (): boolean => signal.aborted || msLeft() <= 0;
  if (isOver()) return Promise.resolve({ kind: 'not-sent', reason: 'deadline' });
  return new Promise((resolve) => {
    const request = exchange.open();
    let written = false;
    let settled = false;

    const settle = (answer: Answer): void => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', onTimeOut);
      if (answer.kind !== 'answered') request.destroy();
      resolve(answer);
    };
    const giveUp = (reason: NotSent, cause: Lost): void =>
      settle(written ? { kind: 'lost', cause } : { kind: 'not-sent', reason });

    // One turn later: the answer may lie in the socket already, if the process stood still.
    const onTimeOut = (): void => void setImmediate(giveUp, 'deadline', 'time-out');
    const timer = setTimeout(onTimeOut, msLeft());
    signal.addEventListener('abort', onTimeOut, { once: true });

    const progress = watchConnection(request, exchange.secure, (socket) => {
      if (settled) return;
      // Corked, head and body only gather in our memory, and `destroy` drops them. So nothing slow
      // stands between the last look at the clock and the write.
      socket.cork();
      if (exchange.body === undefined) request.flushHeaders();
      else request.write(exchange.body);
      if (isOver()) return giveUp('deadline', 'time-out');
      written = true;
      socket.uncork();
      request.end();
    });
    request.on('error', (error) => giveUp(reasonOf(error, progress), causeOf(error)));
    const onClose = (): void => giveUp('not-connected', 'connection-lost');
    request.once('close', onClose);
    request.once('response', (response) => {
      // An answer without a length ends with its connection: from here on its own end decides.
      request.off('close', onClose);
      collect(response, exchange.answerBytesMax, settle);
    });
  });
}

/** How far a new connection came; a kept one is `ready` from the start. */
interface Progress {
  stage: 'connecting' | 'shaking-hands' | 'ready';
}

/** Calls `ready` once, when what is written next goes out at once. */
function watchConnection(
  request: ClientRequest,
  secure: boolean,
  ready: (socket: Socket) => void,
): Progress {
  const progress: Progress = { stage: 'connecting' };
  request.once('socket', (socket: Socket) => {
    const isReady = (): void => {
      progress.stage = 'ready';
      ready(socket);
    };
    if (request.reusedSocket) return isReady();
    if (!secure) return void socket.once('connect', isReady);
    socket.once('connect', () => {
      progress.stage = 'shaking-hands';
    });
    socket.once('secureConnect', isReady);
  });
  return progress;
}

/** Reads the answer to its end, and not a byte beyond the cap. */
function collect(
  response: IncomingMessage,
  bytesMax: number,
  settle: (answer: Answer) => void,
): void {
  const chunks: Buffer[] = [];
  let size = 0;
  response.on('data', (chunk: Buffer) => {
    size += chunk.byteLength;
    if (size > bytesMax) settle({ kind: 'lost', cause: 'too-large' });
    else chunks.push(chunk);
  });
  response.once('end', () => settle(answered(response, Buffer.concat(chunks))));
  response.on('error', () => settle({ kind: 'lost', cause: 'truncated' }));
}

function answered(response: IncomingMessage, bytes: Buffer): Answer {
  const { headers, statusCode } = response;
  const contentEncoding = headers['content-encoding'];
  const waitMs = retryAfterMs(headers['retry-after'], new Date());
  return {
    kind: 'answered',
    // Always there on an answer to a request; the type also serves the other side.
    status: statusCode ?? 0,
    body: readBody({ contentType: headers['content-type'], contentEncoding }, bytes),
    ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }),
  };
}

function reasonOf(error: NodeJS.ErrnoException, { stage }: Progress): NotSent {
  if (stage === 'shaking-hands') return 'tls-failed';
  if (error.code === 'ECONNREFUSED') return 'connection-refused';
  return error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN'
    ? 'name-not-found'
    : 'not-connected';
}

/** The parser of Node names its errors HPE_…; all others are the connection's. */
function causeOf(error: NodeJS.ErrnoException): Lost {
  return error.code?.startsWith('HPE_') === true ? 'not-http' : 'connection-lost';
}
