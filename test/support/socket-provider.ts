import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

/** A provider that is nothing but a socket, so that it can answer wrongly in every way. */
export interface SocketProvider {
  readonly url: string;
  readonly port: number;
  /** What arrived, one text for each connection, in the order they were opened. */
  readonly received: readonly string[];
  readonly openConnections: () => number;
  readonly stop: () => Promise<void>;
}

/** Starts one on a free port; `answer` is called with each whole request, head and body. */
export async function startSocketProvider(
  answer: (socket: Socket, request: string) => void,
): Promise<SocketProvider> {
  const received: string[] = [];
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    const mine = received.push('') - 1;
    let pending = '';
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    // Many tests break the connection on purpose.
    socket.on('error', () => {});
    socket.on('data', (bytes: Buffer) => {
      received[mine] += bytes.toString('latin1');
      pending += bytes.toString('latin1');
      if (!isWhole(pending)) return;
      const request = pending;
      pending = '';
      answer(socket, request);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    received,
    openConnections: () => open.size,
    async stop() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function isWhole(request: string): boolean {
  const end = request.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const length = /^content-length: (\d+)\r$/im.exec(request)?.[1] ?? '0';
  return request.length - end - 4 >= Number(length);
}

/** A whole answer as bytes on the wire. */
export function httpAnswer(
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): string {
  const all = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Said\r\n${lines.join('')}\r\n${body}`;
}
