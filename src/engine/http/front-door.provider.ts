import { randomUUID } from 'node:crypto';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Admission } from '../admission/admission.process.js';
import { DEADLINE_HEADER } from '../admission/caller-deadline.js';
import type { Logger } from '../telemetry/logger.js';
import type { ApiMeters } from '../telemetry/meters.js';
import { ClaimDaysMissing } from '../idempotency/claim-days.store.js';
import { acceptsEvents, acceptsJson } from './accepts.js';
import { allowedMethods, type Route } from './allowed-methods.js';
import { answerToClientError, clientErrorCode } from './client-error.js';
import { corsHeaders, preflightHeaders, varyFor, type AllowedOrigins } from './cors.js';
import { Problem, PROBLEM_MEDIA_TYPE, problemDocument } from './problem.js';
import { problemOf } from './problem-of.js';
import { RawBody } from './raw-body.js';
import { RECOURSE_VERSION } from './recourse-version.js';
import { doubledHeader, originForm } from './request-head.js';

/** Twenty pairs of metadata, every character escaped, fit twice. `problem.ts` names it too. */
export const BODY_LIMIT_BYTES = 131_072;

/** How long a client may hold a connection for nothing, and how many may be held. */
export interface Patience {
  /** From the connection, or the end of the request before it, until its headers are complete. */
  readonly headersMs: number;
  /** From its first byte until its body is complete. */
  readonly requestMs: number;
  /** How often it is looked for who is too slow: one may last so much longer. */
  readonly checkEveryMs: number;
  /** Nothing was sent and nothing taken for so long: longer than any answer of ours is silent. */
  readonly silentMs: number;
  /** One more is closed as it comes; each costs some ten kilobytes. */
  readonly connections: number;
}

export const PATIENCE: Patience = {
  headersMs: 10_000,
  requestMs: 30_000,
  checkEveryMs: 1_000,
  silentMs: 60_000,
  connections: 5_000,
};

export interface FrontDoorSettings {
  /** What problem types start with; null: the address that the server listens on. */
  readonly publicUrl: string | null;
  /** Whose pages may ask from a browser. */
  readonly origins: AllowedOrigins;
  readonly log: Logger;
  readonly meters: ApiMeters;
  readonly patience?: Patience;
  /** Refuses what comes while there is too much to do. @default nothing is refused */
  readonly admission?: Pick<Admission, 'refuse'>;
}

/** The HTTP server below Nest: what it answers by itself is answered as a problem too. */
export class FrontDoor {
  readonly adapter: FastifyAdapter;
  readonly patience: Patience;
  readonly #routes: Route[] = [];
  #closing = false;

  constructor(private readonly settings: FrontDoorSettings) {
    this.patience = settings.patience ?? PATIENCE;
    const { headersMs, requestMs, checkEveryMs, silentMs } = this.patience;
    this.adapter = new FastifyAdapter({
      bodyLimit: BODY_LIMIT_BYTES,
      genReqId: () => randomUUID(),
      requestIdHeader: false,
      requestTimeout: requestMs,
      connectionTimeout: silentMs,
      // What is asked for in the form for proxies is the same thing.
      rewriteUrl: (request: Asked) => originForm(request.url ?? '/'),
      // While it closes, what still comes on a kept-alive connection is answered, and then closed.
      return503OnClosing: false,
      // Without it Node answers a missing Host by itself, with an empty 400.
      http: {
        requireHostHeader: false,
        headersTimeout: headersMs,
        connectionsCheckingInterval: checkEveryMs,
      },
      clientErrorHandler: (error: Error & { code?: string }, socket: ClientSocket) =>
        this.#answerClientError(error, socket),
      frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
        void this.answerProblem(error, request, reply);
      },
    });
    this.#prepare(this.adapter.getInstance<FastifyInstance>());
    this.#guard(this.adapter.getInstance<FastifyInstance>().server);
  }

  /** From now on every answer says that its connection ends with it. */
  closing(): void {
    this.#closing = true;
  }

  /** What problem types and links start with; without a slash at the end. */
  get publicUrl(): string {
    if (this.settings.publicUrl !== null) return this.settings.publicUrl;
    const address: unknown = this.adapter.getHttpServer().address();
    const listening = typeof address === 'object' && address !== null && 'port' in address;
    return listening ? `http://127.0.0.1:${String(address.port)}` : 'http://127.0.0.1';
  }

  /** Answers with the problem that `error` is; a bug is logged, and its words are kept back. */
  answerProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): unknown {
    if (reply.sent) return reply;
    const known = problemOf(error);
    if (known === null) this.#logBug(error, request);
    if (error instanceof ClaimDaysMissing) this.settings.log.error(error.message);
    const problem = this.#withAllow(known ?? new Problem('internal'), request);
    this.settings.meters.refused(problem.code);
    const { turnedAway } = problem.details;
    if (turnedAway !== undefined) this.settings.meters.turnedAway(turnedAway);
    const about = { publicUrl: this.publicUrl, requestId: request.id };
    this.#commonHeaders(request, reply);
    reply.code(problem.status).headers(problem.details.headers ?? {});
    reply.header('content-type', PROBLEM_MEDIA_TYPE);
    return reply.send(Buffer.from(JSON.stringify(problemDocument(problem, about))));
  }

  #prepare(server: FastifyInstance): void {
    server.removeAllContentTypeParsers();
    server.addContentTypeParser('*', { parseAs: 'buffer' }, (request, bytes, done) => {
      done(null, new RawBody(bytes as Buffer, request.headers));
    });
    server.addHook('onRoute', ({ method, url }) => {
      for (const one of [method].flat()) this.#routes.push({ method: one, path: url });
    });
    server.addHook('onRequest', (request, reply, done) => {
      this.#commonHeaders(request, reply);
      const preflight = preflightHeaders(this.settings.origins, request);
      if (preflight === null) done(refuseAtOnce(request) ?? this.#refuse(request));
      else void reply.code(204).headers(preflight).send();
    });
    server.addHook('onSend', (_request, reply, _payload, done) => {
      const vary = varyFor(this.settings.origins, reply.getHeader('vary')?.toString());
      if (vary !== undefined) reply.header('Vary', vary);
      if (this.#closing) reply.header('Connection', 'close');
      done();
    });
    server.addHook('onResponse', (request, reply, done) => {
      const { method, routeOptions } = request;
      this.settings.meters.answered({
        method,
        route: routeOptions.url,
        status: reply.statusCode,
        durationMs: reply.elapsedTime,
      });
      this.settings.log.info('answered', {
        request_id: request.id,
        method: request.method,
        route: request.routeOptions.url ?? '',
        status: reply.statusCode,
        duration_ms: Math.round(reply.elapsedTime),
      });
      done();
    });
  }

  /** What is not of an account, such as /healthz, is answered however much there is to do. */
  #refuse(request: FastifyRequest): Problem | undefined {
    if (!isOfAccount(request)) return undefined;
    return this.settings.admission?.refuse({
      deadline: request.headers[DEADLINE_HEADER],
      startsRun: request.routeOptions.config.startsRun === true,
    });
  }

  /** What Node would do by itself, and not as a problem, or without a word. */
  #guard(server: FastifyInstance['server']): void {
    server.maxConnections = this.patience.connections;
    // Past 2,000 it would leave out the rest unseen; 16 KiB is what bounds them.
    server.maxHeadersCount = 0;
    // Nobody has to fulfil an expectation that is not known (RFC 9110, 10.1.1).
    server.on('checkExpectation', (request, response) => server.emit('request', request, response));
    server.on('connect', (_request, socket: ClientSocket) => {
      this.#answerClientError(new Error('this is no proxy'), socket);
    });
  }

  /** Nothing under this method, but something under another: that is 405. */
  #withAllow(problem: Problem, request: FastifyRequest): Problem {
    // Fastify refuses a QUERY without Content-Type before it looks whether it has such a route.
    const isNowhere = problem.code === 'not-found' || request.method === 'QUERY';
    if (!isNowhere || !request.is404) return problem;
    const allowed = allowedMethods(this.#routes, pathOf(request.url));
    if (allowed.length === 0) return problem;
    return new Problem('method-not-allowed', { headers: { Allow: allowed.join(', ') } });
  }

  #logBug(error: unknown, request: FastifyRequest): void {
    this.settings.log.error('a request ended with an unexpected error', {
      request_id: request.id,
      method: request.method,
      route: request.routeOptions.url ?? '',
      error,
    });
  }

  #commonHeaders(request: FastifyRequest, reply: FastifyReply): void {
    reply.header('Request-Id', request.id);
    reply.header('Cache-Control', 'no-store');
    reply.header('Recourse-Version', request.recourseVersion ?? RECOURSE_VERSION);
    reply.headers(corsHeaders(this.settings.origins, request));
  }

  #answerClientError(error: Error & { code?: string }, socket: ClientSocket): void {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    const answering = socket._httpMessage;
    // What came before the bytes that are broken was a whole request: its answer is not lost.
    if (answering?.req.complete === true) {
      answering.once('close', () => this.#answerClientError(error, socket));
      return;
    }
    // It has its answer, and sends all the same.
    if (socket.writableEnded) return socket.destroySoon();
    const about = { publicUrl: this.publicUrl, requestId: randomUUID() };
    const code = clientErrorCode(error.code);
    this.settings.meters.refused(code);
    socket.end(answerToClientError(code, about));
  }
}

/** A request before it is anybody's. */
interface Asked {
  readonly url?: string | undefined;
}

interface ClientSocket {
  readonly destroyed: boolean;
  readonly writableEnded: boolean;
  /** The answer that is being made on it; of Node’s own, and there is no other way to know. */
  readonly _httpMessage?: FastifyReply['raw'] | null;
  end(text: string): unknown;
  destroySoon(): void;
}

function refuseAtOnce(request: FastifyRequest): Problem | undefined {
  if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
    return new Problem('request-malformed', { detail: 'The Host header is missing.' });
  }
  const doubled = doubledHeader(request.raw.rawHeaders);
  if (doubled !== null) {
    return new Problem('request-malformed', { detail: `The ${doubled} header is there twice.` });
  }
  if (!isOfAccount(request)) return undefined;
  const accepts = request.routeOptions.config.streamsEvents === true ? acceptsEvents : acceptsJson;
  return accepts(request.headers.accept) ? undefined : new Problem('not-acceptable');
}

/** By the route: a path may be spelled in other ways. */
function isOfAccount({ routeOptions, url }: FastifyRequest): boolean {
  return (routeOptions.url ?? url).startsWith('/v1/');
}

function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}
