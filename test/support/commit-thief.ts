import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A way to Postgres on which the answer to a commit can get lost. */
export interface CommitThief {
  /** The same database, by this way. */
  readonly url: string;
  /**
   * From now on: the first transaction of each of these that says all of its words is committed,
   * and its connection breaks before anybody hears of it. A statement outside of a transaction is
   * one of its own.
   */
  steal(...transactions: readonly (readonly string[])[]): void;
  /** How many are still to be stolen. */
  left(): number;
  close(): Promise<void>;
}

/** A parameter of a statement as the protocol has it: its length, then the text. */
export function parameter(text: string): string {
  const length = Buffer.alloc(4);
  length.writeInt32BE(Buffer.byteLength(text));
  return length.toString('latin1') + text;
}

/**
 * Hears what a client says, message by message, and tells what each transaction has said when it
 * commits: the texts of its statements, prepared before or not, with their parameters.
 */
function overhear(committed: (said: string) => void): (chunk: Buffer) => void {
  const prepared = new Map<string, string>();
  let heard = Buffer.alloc(0);
  let isStarted = false;
  let isOpen = false;
  let said = '';
  const hear = (kind: string, body: string): void => {
    const [first = '', second = ''] = body.split('\0');
    if (kind === 'P') prepared.set(first, second);
    if (kind === 'B') said += (prepared.get(second) ?? '') + body;
    if (kind === 'Q') said += first;
    if (kind === 'Q' && first === 'begin') isOpen = true;
    const ends = kind === 'Q' ? first === 'commit' : kind === 'S' && !isOpen;
    if (ends) committed(said);
    if (ends || (kind === 'Q' && first === 'rollback')) {
      isOpen = false;
      said = '';
    }
  };
  return (chunk) => {
    heard = Buffer.concat([heard, chunk]);
    for (;;) {
      // The first message of a connection has no letter before its length.
      const at = isStarted ? 1 : 0;
      if (heard.length < at + 4) return;
      const end = at + heard.readInt32BE(at);
      if (heard.length < end) return;
      const kind = isStarted ? String.fromCharCode(heard[0] ?? 0) : '';
      hear(kind, heard.subarray(at + 4, end).toString('latin1'));
      heard = heard.subarray(end);
      isStarted = true;
    }
  };
}

/** Opens a way to a database, for one test. */
export async function startCommitThief(databaseUrl: string): Promise<CommitThief> {
  const target = new URL(databaseUrl);
  const wanted = new Set<readonly string[]>();
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    let stolen = false;
    const hear = overhear((said) => {
      const theft = [...wanted].find((words) => words.every((word) => said.includes(word)));
      if (theft === undefined) return;
      wanted.delete(theft);
      stolen = true;
    });
    near.on('data', (chunk) => {
      hear(chunk);
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
