import {
  Agent as HttpAgent,
  request as httpRequest,
  validateHeaderValue,
  type OutgoingHttpHeaders,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Call } from '../saga/act.js';
import type { Answer } from './answer.js';
import { performExchange } from './exchange.client.js';

/** A confirmation is below 2 kB and a day's list below 100 kB; more is not an answer to us. */
export const ANSWER_BYTES_MAX = 1_000_000;

/**
 * A kept connection that lies idle for longer is closed by us, well before the 5 s after which
 * common servers close it: a request written into a closing connection is lost, so unknown.
 */
const IDLE_CONNECTION_MS = 1_000;

/** Where a provider is, and how it is talked to. */
export interface ProviderSettings {
  /** `http:` or `https:`, with a path or without. */
  readonly url: string;
  /** Sent as `Authorization: Bearer`; null: the provider asks for none. */
  readonly key: string | null;
  /**
   * False where a call can be neither repeated nor asked after: there a connection that closes as
   * we write costs a person's time, and a new connection for each call costs a round trip.
   */
  readonly reuseConnections: boolean;
  /** @default ANSWER_BYTES_MAX */
  readonly answerBytesMax?: number;
  /** Told what every request came to, for whoever counts; it must not throw. */
  readonly onAnswer?: (answer: Answer) => void;
}

/** One request, without what every request carries: key and deadline. */
export interface ProviderRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Begins with a slash; its parts are encoded already. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as JSON; left out: no body. */
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Under which key a request goes out, and until when it may. */
export type Sending = Pick<Call<unknown>, 'key' | 'sendBy' | 'msLeft' | 'signal'>;

/** Talks to one provider. */
export interface ProviderClient {
  /**
   * Sends one request, once, and says what came of it. Resolves whatever the network does. Not one
   * byte is handed to the socket after `msLeft`, also when the process or the machine stood still
   * in between, but for the microseconds between the last look at the clock and the write, for
   * which the provider has `Recourse-Deadline`. `not-sent` is answered only when no byte was.
   */
  readonly send: (sending: Sending, request: ProviderRequest) => Promise<Answer>;
}

/** Starts to measure; what it gives back tells the milliseconds since. */
export type Stopwatch = () => () => number;

/**
 * A stopped process shows on the monotonic clock; a machine that slept shows on the wall clock
 * alone. The larger counts: an error in it makes us send nothing, and try again.
 */
const startStopwatch: Stopwatch = () => {
  const monotonic = performance.now();
  const wall = Date.now();
  return () => Math.max(performance.now() - monotonic, Date.now() - wall);
};

/**
 * Makes the client of one provider. It does not retry, does not follow redirects and asks for no
 * compression. Throws a RangeError or TypeError when `url` is not an http or https URL or `key`
 * does not fit into a header, so that a wrong setting shows at start and not in the middle of a
 * call.
 */
export function createProviderClient(
  settings: ProviderSettings,
  stopwatch: Stopwatch = startStopwatch,
): ProviderClient {
  const base = new URL(settings.url);
  if (base.protocol !== 'http:' && base.protocol !== 'https:') {
    throw new RangeError(`a provider's URL begins with http: or https:, not with ${base.protocol}`);
  }
  const credentials = settings.key === null ? {} : { authorization: `Bearer ${settings.key}` };
  for (const [name, value] of Object.entries(credentials)) validateHeaderValue(name, value);
  const options = settings.reuseConnections
    ? { keepAlive: true, timeout: IDLE_CONNECTION_MS }
    : { keepAlive: false };
  const secure = base.protocol === 'https:';
  const agent = secure ? new HttpsAgent(options) : new HttpAgent(options);
  const open = secure ? httpsRequest : httpRequest;
  return {
    async send(sending, request) {
      const elapsedMs = stopwatch();
      const { method } = request;
      const body = request.body === undefined ? undefined : JSON.stringify(request.body);
      const headers = { ...credentials, ...headersOf(sending, body) };
      const answer = await performExchange({
        open: () => open(urlOf(base, request), { agent, method, headers }),
        secure,
        body,
        signal: sending.signal,
        msLeft: () => sending.msLeft - elapsedMs(),
        answerBytesMax: settings.answerBytesMax ?? ANSWER_BYTES_MAX,
      });
      settings.onAnswer?.(answer);
      return answer;
    },
  };
}

function urlOf(base: URL, request: ProviderRequest): URL {
  const url = new URL(base);
  url.pathname = `${base.pathname.replace(/\/+$/, '')}${request.path}`;
  url.search = new URLSearchParams(request.query ?? {}).toString();
  return url;
}

function headersOf(sending: Sending, body: string | undefined): OutgoingHttpHeaders {
  const about =
    body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  return {
    accept: 'application/json',
    'accept-encoding': 'identity',
    'idempotency-key': sending.key,
    'recourse-deadline': sending.sendBy.toISOString(),
    'user-agent': 'recourse',
    ...about,
  };
}
