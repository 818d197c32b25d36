import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pollUntil } from '../../src/local/poll-until.process.js';
import {
  identityOf,
  isAlive,
  type ProcessRecord,
} from '../../src/local/process-identity.process.js';
import type { OwnedProcess } from '../support/owned-process.js';
import { spawnNode } from '../support/processes.js';

export interface LocalStartProcess extends OwnedProcess {
  readonly url: string;
  readonly customerKey: string;
}

/** Two cores may be busy with everything else, and the first start makes a database. */
const READY_LIMIT_MS = 100_000;

/** Runs `recourse start` as a person would, and answers when its ready card is there. */
export async function startCli(
  folder: string,
  port: number,
  flags: readonly string[] = [],
): Promise<LocalStartProcess> {
  const start = await spawnStart(folder, port, flags);
  const died = start.exit.then(() => 'died' as const);
  const card = () => start.output().includes('Recourse is ready.') && 'ready';
  const became = await Promise.race([pollUntil(card, { limitMs: READY_LIMIT_MS }), died]);
  if (became !== 'ready') {
    await start.stop();
    throw new Error(`no ready card; it printed:\n${start.output()}`);
  }
  const keys = JSON.parse(readFileSync(join(folder, 'dev-keys.json'), 'utf8')) as {
    customer: string;
  };
  return { ...start, url: `http://127.0.0.1:${port}`, customerKey: keys.customer };
}

/** The same, without waiting for anything. */
export function spawnStart(
  folder: string,
  port: number,
  flags: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<OwnedProcess> {
  const { RECOURSE_TEMPORAL_CLI, XDG_CACHE_HOME } = process.env;
  return spawnNode('cli', ['start', ...flags], {
    ...env,
    ...{ RECOURSE_TEMPORAL_CLI, XDG_CACHE_HOME },
    RECOURSE_DATA_DIR: folder,
    PORT: String(port),
  });
}

/** Its four trips take a few seconds; two cores may be busy with everything else. */
const DEMO_LIMIT_MS = 120_000;

/** Waits until the demo of a start has told its stories. @throws with what it printed. */
export async function untilDemoIsOver(start: OwnedProcess): Promise<void> {
  const isOver = () => start.output().includes('The demo is over');
  if (await pollUntil(isOver, { limitMs: DEMO_LIMIT_MS })) return;
  throw new Error(`the demo did not end; it printed:\n${start.output()}`);
}

/** The parts that a start has running, by name, as it has written them down. */
export function partsOf(folder: string): Map<string, ProcessRecord> {
  const records = JSON.parse(readFileSync(join(folder, 'parts.json'), 'utf8')) as ProcessRecord[];
  return new Map(records.map((record) => [record.name, record]));
}

export const PARTS = ['postgres', 'temporal', 'sandbox', 'api', 'worker', 'relay'];

/** Waits until a part runs again as another process. */
export async function newProcessOf(
  folder: string,
  old: ProcessRecord,
): Promise<ProcessRecord | undefined> {
  return pollUntil(
    () => {
      const now = partsOf(folder).get(old.name);
      return now !== undefined && now.identity !== old.identity && isAlive(now) ? now : undefined;
    },
    { limitMs: 30_000 },
  );
}

/** Those of the recorded processes that are still there after a moment. */
export async function remains(records: Iterable<ProcessRecord>): Promise<string[]> {
  const alive = () => [...records].filter((record) => identityOf(record.pid) === record.identity);
  await pollUntil(() => alive().length === 0, { limitMs: 15_000 });
  return alive().map(({ name, pid }) => `${name} ${pid}`);
}
