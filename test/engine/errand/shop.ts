import { randomBytes } from 'node:crypto';
import type { AnyAct, Call } from '../../../src/engine/saga/act.js';
import { openDatabase } from '../../../src/engine/database/database.js';
import { newId } from '../../../src/engine/ids.js';
import { acceptRun } from '../../support/accept-run.js';
import { openTemporal } from '../../../src/engine/runs/temporal.client.js';
import type { SagaDefinition } from '../../../src/engine/saga/definition.js';
import { done, type Outcome } from '../../../src/engine/saga/outcome.js';
import { Sagas } from '../../../src/engine/sagas.js';
import { createSealer } from '../../../src/engine/sealing/seal.js';
import { startWorkers } from '../../../src/engine/worker/index.js';
import { pollUntil } from '../../../src/local/poll-until.process.js';
import { freshDatabase } from '../../support/postgres.js';
import { freshNamespace, type TestNamespace } from '../../support/temporal.js';
import { ERRANDS } from './errands.js';

/** What a call comes to, by the part of its key behind the run, such as `pack:undo`. */
export type Script = Readonly<Record<string, () => Promise<Outcome<null>> | Outcome<null>>>;

export interface Ended {
  readonly state: string;
  readonly because: string | null;
  readonly steps: readonly { readonly name: string; readonly state: string }[];
  /** The calls in the order in which the journal has them begun, such as `pack:undo`. */
  readonly begun: readonly string[];
}

/** A worker in this process, the record and Temporal around it, and a shop that keeps a log. */
export interface Shop {
  readonly temporal: TestNamespace;
  /** Runs an errand to its end: how it ended, and when each call began and ended. */
  run(saga: SagaDefinition, script: Script): Promise<Ended & { id: string; log: string[] }>;
  close(): Promise<void>;
}

const LIMIT = { limitMs: 60_000 };

/** Opens a shop whose workflows are in a bundle, on the shared Temporal server or another one. */
export async function openShop(bundlePath: string, temporalAddress?: string): Promise<Shop> {
  const home = await freshDatabase();
  const database = openDatabase({ url: home.url, name: 'errands', connections: 10 });
  await database.query(`insert into accounts (id, name) values ('acme', 'Acme')`);
  const temporal = await freshNamespace(temporalAddress);
  const { address, namespace } = temporal;
  const settings = { address, namespace, apiKey: null, tls: null };
  const runs = openTemporal(settings);
  const sealer = createSealer(`test:${randomBytes(32).toString('base64')}`);
  const scripts = new Map<string, { script: Script; log: string[] }>();
  const workers = await startWorkers({
    temporal: settings,
    database,
    runs,
    sagas: shopSagas(async ({ key }) => {
      const [run = '', ...rest] = key.split(':');
      const call = rest.join(':');
      const { script = {}, log = [] } = scripts.get(run) ?? {};
      log.push(`${call} begins`);
      const outcome = (await script[call]?.()) ?? done(null);
      log.push(`${call} ends`);
      return outcome;
    }),
    sealer,
    callTimeoutMs: null,
    bundlePath,
    id: 'shop',
    random: Math.random,
    monotonicMs: () => performance.now(),
    onWaiting: () => undefined,
    onUnchecked: () => undefined,
    onLacking: () => undefined,
  });

  const run: Shop['run'] = async (definition, script) => {
    const id = newId('bk');
    const log: string[] = [];
    scripts.set(id, { script, log });
    await acceptRun({ database, sealer }, { id, definition });
    const { name: saga, version } = definition;
    await runs.startRun({ run: id, saga, version, account: 'acme', deadlineAt: null }, 'first');
    const ended = await pollUntil(async () => {
      const { rows } = await database.query<Ended>(
        `select state, unwinding_because as because, steps,
           (select json_agg((line ->> 'step') ||
                     case line ->> 'direction' when 'undo' then ':undo' else '' end order by seq)
            from journal where journal.run = runs.id and line ->> 'kind' = 'begun') as begun
         from runs
         where id = $1::text and ended_at is not null`,
        [id],
      );
      return rows[0];
    }, LIMIT);
    if (ended === undefined) throw new Error(`${id} has not ended; the shop saw ${log.join(', ')}`);
    return { ...ended, id, log };
  };
  const close = async () => {
    workers.stop();
    await workers.done;
    await Promise.all([runs.close(), temporal.close(), database.end()]);
    await home.drop();
  };
  return { temporal, run, close };
}

/** The errands at a shop that does this with each call. */
export function shopSagas(perform: (call: Call<unknown>) => Promise<Outcome<null>>): Sagas {
  const parse = (): null => null;
  const act = { kind: 'act', provider: 'shop', parse, perform } as const satisfies AnyAct;
  const undo = (of: string) => ({ kind: 'undo', of, parse, perform }) as const satisfies AnyAct;
  const acts = { order: act, pack: act, advertise: act, send: act };
  const undos = { cancelOrder: undo('order'), unpack: undo('pack') };
  return new Sagas({
    sagas: ERRANDS,
    acts: { ...acts, ...undos },
    providers: { shop: { settlesMs: 100, keyWindowMs: null } },
  });
}
