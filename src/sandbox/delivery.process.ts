import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Manner } from './fault-plan.js';
import type { Answer } from './world/answer.js';

const CHUNK_BYTES = 64 * 1024;

/** A drip comes at most this often, so that a fast one does not need a timer a byte. */
const DRIPS_PER_SECOND = 10;

/**
 * Sends an answer in the manner asked for. Resolves when nothing more will be sent; for `hang` that
 * is at once, with the connection left open until the caller gives up.
 */
export async function deliver(
  response: ServerResponse,
  answer: Answer,
  manner: Manner,
  closing: AbortSignal,
): Promise<void> {
  if (response.destroyed) return;
  switch (manner.how) {
    case 'plain':
      return sendWhole(response, answer);
    case 'hang':
      return;
    case 'reset':
      return resetConnection(response);
    case 'malformed_json':
      return sendText(response, answer, textOf(answer).slice(0, -1));
    case 'truncated_body':
      return sendHalf(response, answer);
    case 'huge_body':
      return sendHuge(response, answer, manner.bytes);
    case 'slow_drip':
      return sendSlowly(response, answer, manner.bytesPerSecond, closing);
  }
}

/** Ends the caller's connection with a TCP reset: no answer, no orderly end. */
export function resetConnection(response: ServerResponse): void {
  response.socket?.resetAndDestroy();
}

function sendWhole(response: ServerResponse, answer: Answer): void {
  if (answer.body !== null) return sendText(response, answer, textOf(answer));
  response.writeHead(answer.status).end();
}

function sendText(response: ServerResponse, answer: Answer, text: string): void {
  writeHead(response, answer, Buffer.byteLength(text));
  response.end(text);
}

async function sendHalf(response: ServerResponse, answer: Answer): Promise<void> {
  const bytes = Buffer.from(textOf(answer));
  writeHead(response, answer, bytes.length);
  const half = bytes.subarray(0, Math.ceil(bytes.length / 2));
  await new Promise((resolve) => response.write(half, resolve));
  response.socket?.destroy();
}

// Valid JSON without an announced length, so that only a cap on what is read stops a reader.
async function sendHuge(response: ServerResponse, answer: Answer, bytes: number): Promise<void> {
  writeHead(response, answer, null);
  const [head, tail] = textOf({ ...answer, body: { ...answer.body, padding: '|' } }).split('|');
  response.write(head ?? '');
  for (let left = bytes; left > 0 && !response.destroyed; left -= CHUNK_BYTES) {
    const roomy = response.write('x'.repeat(Math.min(left, CHUNK_BYTES)));
    if (!roomy) await roomOrEnd(response);
  }
  response.end(tail);
}

async function sendSlowly(
  response: ServerResponse,
  answer: Answer,
  bytesPerSecond: number,
  closing: AbortSignal,
): Promise<void> {
  const bytes = Buffer.from(textOf(answer));
  writeHead(response, answer, bytes.length);
  const drip = Math.max(1, Math.round(bytesPerSecond / DRIPS_PER_SECOND));
  for (let sent = 0; sent < bytes.length && !response.destroyed; sent += drip) {
    response.write(bytes.subarray(sent, sent + drip));
    await sleep((drip / bytesPerSecond) * 1000, undefined, { signal: closing });
  }
  response.end();
}

function writeHead(response: ServerResponse, answer: Answer, length: number | null): void {
  // 204 carries no body, so an answer that must have one to be spoilt becomes a 200.
  const status = answer.body === null ? 200 : answer.status;
  response.setHeader('content-type', 'application/json');
  if (length !== null) response.setHeader('content-length', length);
  response.writeHead(status);
}

function textOf(answer: Answer): string {
  return JSON.stringify(answer.body ?? {});
}

function roomOrEnd(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.once('drain', done);
    response.once('close', done);
  });
}
