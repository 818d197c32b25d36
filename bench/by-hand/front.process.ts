import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, Connection } from '@temporalio/client';
import { settingsIn } from './settings.js';

// The thinnest front that lets somebody book: POST starts a workflow and answers its id, GET waits
// for its result. It checks nothing and keeps nothing.
const { address, namespace, taskQueue } = settingsIn(process.argv[2]);
const client = new Client({ connection: await Connection.connect({ address }), namespace });
const workflows: Readonly<Record<string, string>> = {
  '/trips': 'tripByHand',
  '/trips-on-queues': 'tripOnQueues',
  '/empty': 'doNothing',
};

const KEEP_ALIVE_MS = 60_000;
const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    send(response, 500, { error: error instanceof Error ? error.message : String(error) });
  });
});
// Node's five seconds end in the middle of somebody's next request.
server.keepAliveTimeout = KEEP_ALIVE_MS;
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ ready: true, url: `http://127.0.0.1:${port}` })}\n`);
});
process.once('SIGTERM', () => process.exit(0));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = request.url ?? '';
  const workflow = workflows[url];
  if (request.method === 'POST' && workflow !== undefined) {
    const workflowId = randomUUID();
    const args = [await readJson(request)];
    await client.workflow.start(workflow, { workflowId, taskQueue, args });
    return send(response, 202, { id: workflowId });
  }
  const id = url.split('/').at(-1) ?? '';
  const result: unknown = await client.workflow.getHandle(id).result();
  send(response, 200, { id, result });
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString());
}

function send(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(text);
}
