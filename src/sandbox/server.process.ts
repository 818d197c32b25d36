import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { deliver } from './delivery.process.js';
import type { RawRequest } from './incoming.js';
import { readIncoming } from './incoming.js';
import type { Entry } from './memory.js';
import { emptyMemory, remember } from './memory.js';
import { decideOwn } from './own-routes.js';
import type { Stage } from './perform.process.js';
import { performRequest } from './perform.process.js';
import { openRecordLog } from './record.log.js';
import { createRecorder } from './recorder.js';

/** No request of the protocol comes near it. */
export const BODY_LIMIT_BYTES = 64 * 1024;

/** A caller that sends more than this after the limit is cut off instead of being listened to. */
const LISTEN_LIMIT_BYTES = 16 * BODY_LIMIT_BYTES;

/**
 * Longer than any client keeps an idle connection, so that the client is the one to close it: a
 * request must never meet a connection that the server is just closing, as it would look lost.
 */
const KEEP_ALIVE_MS = 75_000;

export interface SandboxOptions {
  readonly dataDir: string;
  readonly host: string;
  /** 0: one that the system gives. */
  readonly port: number;
  readonly now: () => Date;
  /** A part of an id, never the same twice: lower-case letters and digits. */
  readonly newId: () => string;
  /** Told once when the record cannot be written, or of a bug: a witness must then end. */
  readonly onBroken: (error: unknown) => void;
}

export interface RunningSandbox {
  readonly url: string;
  /** Ends at once, whatever hangs: effects that had not landed never will. */
  readonly close: () => Promise<void>;
}

/**
 * Opens the record, rebuilds everything from it and serves the four providers and `/_sandbox`.
 *
 * @throws RecordDamaged; the system's error when the address cannot be listened on
 */
export async function openSandbox(options: SandboxOptions): Promise<RunningSandbox> {
  const memory = emptyMemory();
  // The file is ours and append-only: what a former process wrote is trusted to be entries.
  const takeIn = (line: unknown) => remember(memory, line as Entry);
  const log = await openRecordLog(options.dataDir, takeIn, options.onBroken);
  const closing = new AbortController();
  const { now, newId } = options;
  const record = createRecorder(memory, log, now);
  const stage: Stage = { memory, record, now, newId, closing: closing.signal };
  const server = createServer((request, response) => {
    serve(stage, request, response).catch((error: unknown) => {
      response.socket?.resetAndDestroy();
      if (!closing.signal.aborted) options.onBroken(error);
    });
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  const close = async () => {
    closing.abort();
    const closed = new Promise((resolve) => server.close(resolve));
    await log.settled().catch(() => {});
    server.closeAllConnections();
    await closed;
    await log.close().catch(() => {});
  };
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(options.port, options.host, resolve);
    });
  } catch (error) {
    await log.close();
    throw error;
  }
  return { url: urlOf(options.host, (server.address() as AddressInfo).port), close };
}

function urlOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

async function serve(
  stage: Stage,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // A caller that has gone is no error of ours; what it asked for goes on.
  response.on('error', () => {});
  const raw = await readWhole(request);
  // Who hung up before the last byte has not made a request.
  if (raw === null) return;
  const incoming = readIncoming(raw);
  if (incoming !== null) return performRequest(stage, incoming, response);
  const { drafts, answer } = decideOwn(stage.memory, raw);
  const recorded = stage.record(...drafts);
  const shown = answer();
  await recorded;
  return deliver(response, shown, { how: 'plain' }, stage.closing);
}

async function readWhole(request: IncomingMessage): Promise<RawRequest | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of request as AsyncIterable<Uint8Array>) {
      length += chunk.length;
      if (length <= BODY_LIMIT_BYTES) chunks.push(chunk);
      if (length > LISTEN_LIMIT_BYTES) return null;
    }
  } catch {
    return null;
  }
  return {
    method: request.method ?? '',
    target: request.url ?? '',
    headers: request.headers,
    body: length > BODY_LIMIT_BYTES ? null : Buffer.concat(chunks),
  };
}
