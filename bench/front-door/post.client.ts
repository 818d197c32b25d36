import { Pool } from 'undici';

/** A request as it is put on the wire. */
export interface Asked {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What came of it. */
export interface Answered {
  readonly status: number;
  readonly text: string;
}

/** Kept connections to one server. */
export interface Client {
  /** Throws when there is no answer at all. */
  ask(asked: Asked): Promise<Answered>;
  close(): Promise<void>;
}

/** Opens up to so many connections to the server of a URL; one request at a time on each. */
export function openClient(url: string, connections: number): Client {
  const pool = new Pool(url, { connections, pipelining: 1 });
  return {
    async ask({ method, path, headers, body }) {
      const answer = await pool.request({ method, path, headers, body: body ?? null });
      return { status: answer.statusCode, text: await answer.body.text() };
    },
    close: () => pool.close(),
  };
}
