import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../src/local/free-port.client.js';
import { pollUntil } from '../../src/local/poll-until.process.js';
import type { OwnedProcess } from '../support/owned-process.js';
import { packedProject, RECOURSE, type PackedProject } from '../support/packed-project.js';
import { createProviders } from './order/src/providers.js';
import { filesOfPage } from './page.js';

// What docs/sagas.md has its reader do, done: its files, in an empty folder, with the package as it
// is packed.

let project: PackedProject;

beforeAll(async () => {
  project = await packedProject(filesOfPage());
  await project.run('typescript/bin/tsc');
}, 400_000);

describe('the package', () => {
  test('has nothing of tests, bench or workshop in it', () => {
    const home = /^(dist\/(src|workflows|activities)\/|docs\/(problems\/)?[a-zA-Z-]+\.md$)/;
    const stray = project.packed.filter((path) => !home.test(path));
    expect(stray.toSorted()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'dist/workflow-bundle.js',
      'package.json',
    ]);
    expect(project.packed.filter((path) => /\btests?\b|\.ts$/.test(path))).toEqual(
      project.packed.filter((path) => path.endsWith('.d.ts')),
    );
  });

  test('has every door, with its types', () => {
    const manifest = join(project.folder, 'node_modules/recourse/package.json');
    const { exports } = JSON.parse(readFileSync(manifest, 'utf8')) as { exports: object };
    const doors = Object.values(exports as Record<string, string>).filter(isCode);
    expect(doors.length).toBeGreaterThan(5);
    for (const door of doors) {
      const file = door.replace('./', '');
      expect(project.packed).toContain(file);
      expect(project.packed).toContain(file.replace(/\.js$/, '.d.ts'));
    }
  });

  test('needs at run time, or for its types, only packages that come with it', () => {
    const home = join(project.folder, 'node_modules/recourse');
    const manifest = readFileSync(join(home, 'package.json'), 'utf8');
    const { dependencies } = JSON.parse(manifest) as { dependencies: object };
    const named = project.packed
      .filter((path) => /\.(js|d\.ts)$/.test(path) && path !== 'dist/workflow-bundle.js')
      .flatMap((path) => packagesIn(readFileSync(join(home, path), 'utf8'), path));
    const lacking = named.filter(({ name }) => !(name in dependencies));
    expect(lacking).toEqual([]);
  });

  test('lets only what compiles be used', async () => {
    const saga = join(project.folder, 'src/order-goods.v1.saga.ts');
    const right = readFileSync(saga, 'utf8');
    writeFileSync(saga, right.replace(/ {8}undo: \{\n[^]*?\n {8}\},\n/, ''));
    const wrong = project.run('typescript/bin/tsc', '--noEmit');
    await expect(wrong).rejects.toThrow("Property 'nothingToUndo' is missing");
    writeFileSync(saga, right);
  });
});

/** Packages whose types are another package. */
const UNTYPED: ReadonlySet<string> = new Set(['pg']);

/** The packages that a file imports; of types alone also those that bring the types. */
function packagesIn(
  text: string,
  path: string,
): { readonly path: string; readonly name: string }[] {
  const imports = text.matchAll(/^(?:import|export)\b[^;]*?from ['"]([^'"]+)['"]/gm);
  const names = [...imports]
    .map(([, from = '']) => /^(@[^/]+\/)?[^/]+/.exec(from)?.[0] ?? '')
    .filter((name) => !/^(\.|node:|recourse$)/.test(name));
  const typed = names.filter((name) => path.endsWith('.d.ts') && UNTYPED.has(name));
  return [...names, ...typed.map((name) => `@types/${name}`)].map((name) => ({ path, name }));
}

const isCode = (file: string) => file.endsWith('.js');

test('its sagas are listed, drawn and explored where its configuration is', async () => {
  expect(await project.run(RECOURSE, 'sagas')).toMatch(/^order-goods@1 +4 +capture +10 min/m);
  expect(await project.run(RECOURSE, 'graph', 'order-goods')).toMatch(/^flowchart/);
  const once = ['--faults', '1', '--walks', '20', '--threads', '1', '--no-page'];
  const explored = await project.run(RECOURSE, 'explore', 'order-goods', ...once);
  expect(explored).toContain('Every promise was kept');
});

describe('started with one command', () => {
  let providers: Server;
  let shopUrl: string;
  let port: number;
  let start: OwnedProcess;

  beforeAll(async () => {
    await project.run(RECOURSE, 'bundle');
    providers = createProviders().listen(0, '127.0.0.1');
    await once(providers, 'listening');
    shopUrl = `http://127.0.0.1:${(providers.address() as AddressInfo).port}`;
    port = await freePort();
    const { RECOURSE_TEMPORAL_CLI, XDG_CACHE_HOME } = process.env;
    start = await project.start(['start'], {
      ...{ RECOURSE_TEMPORAL_CLI, XDG_CACHE_HOME },
      RECOURSE_DATA_DIR: join(project.folder, 'data'),
      PORT: String(port),
      SHOP_URL: shopUrl,
    });
    const isReady = () => start.output().includes('Recourse is ready.');
    if (await pollUntil(isReady, { limitMs: 100_000 })) return;
    throw new Error(`no ready card; it printed:\n${start.output()}`);
  }, 180_000);

  afterAll(async () => {
    await start.stop();
    providers.close();
  });

  const customer = () => {
    const file = join(project.folder, 'data/dev-keys.json');
    const { customer: key } = JSON.parse(readFileSync(file, 'utf8')) as { customer: string };
    return { authorization: `Bearer ${key}` };
  };

  interface Order {
    readonly id: string;
    readonly status: string;
  }

  /** Orders a mug, and answers the order as it has ended. */
  async function orderMug(name: string, changes: object = {}): Promise<Order> {
    const order = {
      goods: { sku: 'MUG-7', quantity: 1 },
      payment: { amount: 4500, currency: 'EUR', source: 'tok_visa' },
      address: '12 Mill Lane',
      ...changes,
    };
    const url = `http://127.0.0.1:${port}/v1/orders`;
    const headers = { ...customer(), 'content-type': 'application/json', 'idempotency-key': name };
    const accepted = await fetch(url, { method: 'POST', headers, body: JSON.stringify(order) });
    expect(accepted.status).toBe(202);
    const { id } = (await accepted.json()) as Order;
    const ended = await pollUntil(
      async () => {
        const answer = await fetch(`${url}/${id}`, { headers: customer() });
        const read = (await answer.json()) as Order;
        return ['pending', 'failing'].includes(read.status) ? undefined : read;
      },
      { limitMs: 60_000, everyMs: 200 },
    );
    if (ended === undefined) throw new Error(`${id} has not ended:\n${start.output()}`);
    return ended;
  }

  /** What really happened for an order, kind by kind, in no order of its own. */
  async function effectsOf({ id }: Order, count: number): Promise<readonly string[]> {
    const kinds = async () => {
      const answer = await fetch(`${shopUrl}/effects?reference=${id}`);
      return ((await answer.json()) as { kind: string }[]).map(({ kind }) => kind).toSorted();
    };
    await pollUntil(async () => (await kinds()).length >= count, { limitMs: 30_000 });
    return kinds();
  }

  const ALL = ['payments/authorisations', 'payments/captures', 'shipping/parcels'];

  test('its card names the configuration, and no sandbox is there', () => {
    expect(start.output()).toContain(join(project.folder, 'recourse.config.js'));
    expect(start.output()).not.toMatch(/sandbox|Book a trip/i);
  });

  test('an order is confirmed, and each step took effect once', async () => {
    const order = await orderMug('one');
    expect(order.status).toBe('confirmed');
    expect(await effectsOf(order, 4)).toEqual([...ALL, 'stock/reservations']);
  });

  test('a declined card releases what was reserved, and nothing else happened', async () => {
    const payment = { amount: 4500, currency: 'EUR', source: 'tok_declined' };
    const order = await orderMug('two', { payment });
    expect(order).toMatchObject({ status: 'failed', failure: { step: 'authorise' } });
    const effects = await effectsOf(order, 0);
    // The reservation is taken back if it was made; the refusal may have come first.
    expect([[], ['stock/releases', 'stock/reservations']]).toContainEqual(effects);
  });

  test('goods that are sold out void the card', async () => {
    const order = await orderMug('three', { goods: { sku: 'MUG-7-SOLDOUT', quantity: 1 } });
    expect(order).toMatchObject({ status: 'failed', failure: { step: 'stock', code: 'sold_out' } });
    const effects = await effectsOf(order, 0);
    expect([[], ['payments/authorisations', 'payments/voids']]).toContainEqual(effects);
  });

  test('a parcel whose answer was lost is asked after, and not sent twice', async () => {
    const order = await orderMug('four', { address: '12 Mill Lane-LOST' });
    expect(order.status).toBe('confirmed');
    const shipped = async () => (await effectsOf(order, 4)).filter((kind) => /parcels/.test(kind));
    expect(await shipped()).toEqual(['shipping/parcels']);
  });

  test('the command line finds the start by its folder', async () => {
    const env = { RECOURSE_DATA_DIR: join(project.folder, 'data') };
    const runs = await project.start(['runs', 'list'], env);
    expect(await runs.exit).toMatchObject({ code: 0 });
    expect(runs.output()).toMatch(/ord_[a-z2-7]{26} +order-goods v1/);
  });

  test('it ends when it is asked to', async () => {
    await start.stop(60_000);
    expect(await start.exit).toMatchObject({ code: 0 });
  });
});
