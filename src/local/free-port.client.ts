import { createServer } from 'node:net';

/** Whether a server may listen there now. @throws what is not a question of a port in use. */
export async function isPortFree(host: string, port: number): Promise<boolean> {
  return (await tryToListen(host, port)) !== undefined;
}

/** A port that nobody listens on, chosen by the system. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  const port = await tryToListen(host, 0);
  if (port === undefined) throw new Error(`${host} has no free port`);
  return port;
}

/** The wished port when it is free, else another one. */
export async function preferPort(host: string, wished: number): Promise<number> {
  return (await tryToListen(host, wished)) ?? (await freePort(host));
}

function tryToListen(host: string, port: number): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE' || error.code === 'EACCES';
      return taken ? resolve(undefined) : reject(error);
    });
    server.listen({ host, port, exclusive: true }, () => {
      const address = server.address();
      const got = typeof address === 'object' && address !== null ? address.port : port;
      server.close(() => resolve(got));
    });
  });
}
