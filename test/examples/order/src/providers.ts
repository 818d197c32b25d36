import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { argv } from 'node:process';

/** Something that really happened at a provider, such as `stock/reservations`. */
type Effect = Record<string, unknown> & { readonly kind: string; readonly reference: string };
type Body = Record<string, unknown> & { readonly reference: string };
type Reply = readonly [status: number, body: unknown];

/**
 * Three providers in one that remember what really happened: only payments knows keys, all can be
 * asked by reference. What has `-SOLDOUT` or `tok_declined` in it is refused; what has `-LOST` in
 * it takes effect, and the first time nobody is told.
 */
export function createProviders(): Server {
  const effects: Effect[] = [];
  const lost = new Set<string>();

  function perform(kind: string, body: Body): Reply {
    const said = JSON.stringify(body);
    if (said.includes('-SOLDOUT')) return [409, { error: { code: 'sold_out' } }];
    if (said.includes('tok_declined')) return [402, { error: { code: 'declined' } }];
    const released = /^stock\/reservations\/(.+)\/release$/.exec(kind)?.[1];
    if (released !== undefined) return release(released, body);
    const knowsKeys = kind.startsWith('payments/');
    const before = effects.find((one) => one.kind === kind && one.reference === body.reference);
    if (knowsKeys && before !== undefined) return [201, before];
    const effect = { ...body, kind, id: randomUUID(), status: 'held' };
    effects.push(effect);
    return [201, effect];
  }

  function release(id: string, { reference }: Body): Reply {
    const held = effects.find((one) => one['id'] === id);
    if (held === undefined) return [404, { error: { code: 'no_such_reservation' } }];
    if (held['status'] === 'held') effects.push({ kind: 'stock/releases', id, reference });
    Object.assign(held, { status: 'released' });
    return [200, held];
  }

  async function reply(request: IncomingMessage): Promise<Reply | 'nothing'> {
    const url = new URL(request.url ?? '/', 'http://providers');
    const kind = url.pathname.slice(1);
    if (request.method === 'GET') {
      const asked = url.searchParams.get('reference') ?? '';
      const data = effects.filter((one) => one.kind === kind && one.reference === asked);
      if (kind !== 'effects') return [200, { data }];
      return [200, effects.filter(({ reference }) => reference.startsWith(asked))];
    }
    const body = await readBody(request);
    const result = perform(kind, body);
    const key = `${kind} ${body.reference}`;
    if (!JSON.stringify(body).includes('-LOST') || lost.has(key)) return result;
    lost.add(key);
    return 'nothing';
  }

  return createServer((request, response) => {
    const hangUp = () => void request.socket.destroy();
    reply(request).then((result) => {
      if (result === 'nothing') return hangUp();
      const [status, body] = result;
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    }, hangUp);
  });
}

async function readBody(request: IncomingMessage): Promise<Body> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return JSON.parse(text) as Body;
}

if (import.meta.filename === argv[1]) createProviders().listen(Number(argv[2] ?? 4020));
