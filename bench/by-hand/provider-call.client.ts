import { Agent, request } from 'node:http';
import { ApplicationFailure } from '@temporalio/activity';
import type { ProviderName } from './queues.js';

/** Where the four providers are. */
export type ProviderUrls = Readonly<Record<ProviderName, string>>;

export interface ProviderRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  /** What the provider knows the request by. */
  readonly key: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Below the activity's own time-out, so that the activity says itself what went wrong. */
const CALL_LIMIT_MS = 10_000;

const agent = new Agent({ keepAlive: true });

/**
 * One call to a provider, with the headers that the engine's calls carry. Throws an
 * ApplicationFailure: one that is not to be retried for a refusal, a plain one otherwise.
 */
export async function callProvider({ method, url, key, body }: ProviderRequest): Promise<unknown> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const answer = await exchange(method, url, headersOf(key, text), text);
  const { status } = answer;
  if (status >= 200 && status < 300) return answer.text === '' ? null : JSON.parse(answer.text);
  throw ApplicationFailure.create({
    message: `${method} ${url} was answered ${status}`,
    nonRetryable: status >= 400 && status < 500 && status !== 408 && status !== 429,
  });
}

function headersOf(key: string, body: string | undefined): Record<string, string | number> {
  return {
    accept: 'application/json',
    'accept-encoding': 'identity',
    'idempotency-key': key,
    'recourse-deadline': new Date(Date.now() + CALL_LIMIT_MS).toISOString(),
    'user-agent': 'by-hand',
    ...(body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
  };
}

function exchange(
  method: string,
  url: string,
  headers: Record<string, string | number>,
  body: string | undefined,
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, method, headers, timeout: CALL_LIMIT_MS }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() });
      });
    });
    sent.once('timeout', () => sent.destroy(new Error('the provider did not answer in time')));
    sent.on('error', reject);
    sent.end(body);
  });
}
