import { Agent, request } from 'node:http';

/** An idle connection is closed by us, long before a server does: its end would meet a request. */
const IDLE_MS = 4_000;
const agent = new Agent({ keepAlive: true, maxSockets: Infinity, timeout: IDLE_MS });

/** One request over a kept connection. Throws when it is refused. */
export function askJson(
  method: 'GET' | 'POST',
  url: string,
  headers: Readonly<Record<string, string>>,
  body?: unknown,
): Promise<Readonly<Record<string, unknown>>> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const about =
    text === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, method, headers: { ...headers, ...about } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        const said = Buffer.concat(chunks).toString();
        const { statusCode = 0 } = response;
        if (statusCode < 300) resolve(JSON.parse(said) as Record<string, unknown>);
        else reject(new Error(`${method} ${url} was answered ${statusCode}: ${said}`));
      });
    });
    sent.on('error', reject);
    sent.end(text);
  });
}
