import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface QuoteCall {
  readonly path: string;
  readonly key: string;
  readonly thing: string;
}

type Answer = { readonly status: number; readonly amount?: number };

/** A provider of prices and fees, in the test's own process: it can be held, and keeps calls. */
export interface QuoteProvider {
  readonly url: string;
  readonly calls: readonly QuoteCall[];
  /** Decides about each call; null: it is never answered. By itself it is answered at once. */
  decide: (call: QuoteCall, nth: number) => Promise<Answer | null> | Answer | null;
  close(): Promise<void>;
}

export async function startQuoteProvider(): Promise<QuoteProvider> {
  const calls: QuoteCall[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const { thing } = JSON.parse(text) as { thing: string };
      const key = String(request.headers['idempotency-key']);
      const call = { path: (request.url ?? '').slice(1), key, thing };
      calls.push(call);
      void answer(response, provider.decide(call, calls.length));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const provider: QuoteProvider = {
    url: `http://127.0.0.1:${port}`,
    calls,
    decide: () => ({ status: 200 }),
    close: async () => {
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
    },
  };
  return provider;
}

async function answer(
  response: ServerResponse,
  decided: ReturnType<QuoteProvider['decide']>,
): Promise<void> {
  const come = await decided;
  if (come === null) return;
  response.writeHead(come.status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ amount: come.amount ?? 700 }));
}
