import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A question that a provider was asked. */
export interface Question {
  readonly method: string;
  /** Such as `/payments/charges`. */
  readonly path: string;
  readonly reference: string;
}

/** A status without a body, or the list that is answered. */
type Said = number | readonly object[];

/** Payments and flights, as far as they can be asked, in the test's own process. */
export interface AskableProviders {
  readonly url: string;
  readonly questions: readonly Question[];
  /** Decides about each question; null: it is never answered. By itself everything is there. */
  decide: (question: Question) => Said | null | Promise<Said | null>;
  close(): Promise<void>;
}

/** What there is of a booking where all went well. */
export function allThere({ path, reference }: Question): readonly object[] {
  if (path === '/payments/charges') {
    const money = { amount: 240_000, currency: 'INR' };
    return [{ id: 'ch_1', status: 'succeeded', ...money, reference }];
  }
  return [{ id: 'or_1', status: 'held', reference }];
}

export async function startAskableProviders(): Promise<AskableProviders> {
  const questions: Question[] = [];
  const server = createServer((request, response) => {
    const question = questionOf(request);
    questions.push(question);
    void answer(response, providers.decide(question));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const providers: AskableProviders = {
    url: `http://127.0.0.1:${port}`,
    questions,
    decide: allThere,
    close: async () => {
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
    },
  };
  return providers;
}

function questionOf({ method = '', url = '' }: IncomingMessage): Question {
  const { pathname, searchParams } = new URL(url, 'http://provider');
  return { method, path: pathname, reference: searchParams.get('reference') ?? '' };
}

async function answer(
  response: ServerResponse,
  decided: ReturnType<AskableProviders['decide']>,
): Promise<void> {
  const said = await decided;
  if (said === null) return;
  const status = typeof said === 'number' ? said : 200;
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(typeof said === 'number' ? {} : { data: said }));
}
