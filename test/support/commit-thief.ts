import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A way to Postgres on which the answer to a commit can get lost. */
export interface CommitThief {
  /** The same database, by this way. */
  readonly url: string;
  /**
   * From now on: the first transaction of each of these that says all of its words is committed,
   * and its connection breaks before anybody hears of it.
   */
  steal(...transactions: readonly (readonly string[])[]): void;
  /** How many are still to be stolen. */
  left(): number;
  close(): Promise<void>;
}

/** As the protocol has a simple query: its kind, its length, the statement, a zero. */
const COMMIT = 'commit\0';

/** A parameter of a statement as the protocol has it: its length, then the text. */
export function parameter(text: string): string {
  const length = Buffer.alloc(4);
  length.writeInt32BE(Buffer.byteLength(text));
  return length.toString('latin1') + text;
}

/** Opens a way to a database, for one test. */
export async function startCommitThief(databaseUrl: string): Promise<CommitThief> {
  const target = new URL(databaseUrl);
  const wanted = new Set<readonly string[]>();
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    let said = '';
    let stolen = false;
    near.on('data', (chunk) => {
      said += chunk.toString('latin1');
      const ends = said.endsWith(COMMIT);
      const theft = [...wanted].find((words) => words.every((word) => said.includes(word)));
      if (ends && theft !== undefined) {
        wanted.delete(theft);
        stolen = true;
      }
      if (ends) said = '';
      far.write(chunk);
    });
    // The server's answer shows that the commit stands.
    far.on('data', (chunk) => (stolen ? near.destroy() : near.write(chunk)));
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    steal: (...transactions) => transactions.forEach((words) => wanted.add(words)),
    left: () => wanted.size,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
