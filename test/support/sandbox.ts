import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pollUntil } from '../../src/local/poll-until.process.js';
import { describeExit } from '../../src/local/start-child.process.js';
import type { OwnedProcess } from './owned-process.js';
import { ownFolder, startOwned } from './owned-process.js';

const ROOT = resolve(import.meta.dirname, '../..');
const PROGRAM = 'dist/src/sandbox/main.js';

/** It reads its record and opens one port: ten seconds are plenty on a busy machine, too. */
const READY_LIMIT_MS = 10_000;

export type SandboxProvider = 'payments' | 'flights' | 'hotels' | 'messages';

/** A fault to script; src/sandbox/main.ts lists the operations and every `do`. */
export interface FaultWish {
  readonly provider: SandboxProvider;
  readonly operation: string;
  readonly match?: { readonly reference?: string; readonly attempt?: number };
  /** @default 1; null strikes always. */
  readonly times?: number | null;
  readonly do: string | Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface SandboxFault extends FaultWish {
  readonly id: string;
  readonly used: number;
}

export interface SandboxRequest {
  readonly sequence: number;
  readonly at: string;
  readonly provider: SandboxProvider;
  readonly operation: string | null;
  readonly method: string;
  readonly path: string;
  readonly key: string | null;
  readonly reference: string | null;
  readonly deadline: string | null;
  readonly body_hash: string | null;
  readonly body: unknown;
  readonly attempt: number | null;
  /** The id of the scripted fault that struck it. */
  readonly fault: string | null;
}

export interface SandboxEffect {
  /** One sequence counts requests and effects, so their order is known. */
  readonly sequence: number;
  readonly at: string;
  readonly provider: SandboxProvider;
  readonly operation: string;
  readonly kind:
    'charge' | 'refund' | 'hold' | 'release' | 'ticket' | 'reserve' | 'cancel' | 'message';
  readonly id: string;
  readonly reference: string;
  readonly amount?: number;
  readonly currency?: string;
  readonly charge?: string;
  readonly offer?: string;
  readonly ticket?: string;
}

/** What a test may ask of any running sandbox. Every answer that is not 2xx is thrown. */
export interface SandboxClient {
  fault(wish: FaultWish): Promise<SandboxFault>;
  faults(): Promise<SandboxFault[]>;
  clearFaults(): Promise<void>;
  /** All effects whose reference begins with the prefix, in order. */
  effects(prefix?: string): Promise<SandboxEffect[]>;
  /** All requests received whose reference begins with the prefix, in order. */
  requests(prefix?: string): Promise<SandboxRequest[]>;
}

export interface TestSandbox extends SandboxClient {
  readonly url: string;
  /** The base URL of each provider: PAYMENTS_URL and so on. */
  readonly providers: Readonly<Record<SandboxProvider, string>>;
  readonly dataDir: string;
  /** kill -9; answers when it is gone. */
  kill(): Promise<void>;
  /** SIGTERM; answers when it is gone. */
  stop(): Promise<void>;
  /** Comes back on the same port with the same data; one that still runs is stopped first. */
  restart(): Promise<void>;
}

/**
 * Starts the built sandbox as a process of its own (`npm run build` first), on a port of the
 * system's choice. It ends with the test run, however that goes.
 *
 * @throws when it does not say in ten seconds that it is ready; with what it printed.
 */
export async function startSandbox(wishes: { dataDir?: string } = {}): Promise<TestSandbox> {
  const dataDir = wishes.dataDir ?? ownFolder('sandbox');
  let running = await startProcess(dataDir, 0);
  const { url } = running;
  const stop = () => running.child.stop();
  const restart = async () => {
    await stop();
    running = await startProcess(dataDir, Number(new URL(url).port));
  };
  const kill = () => running.child.kill9();
  const providers = providerUrls(url);
  return { ...sandboxClient(url), url, providers, dataDir, kill, stop, restart };
}

/** The URLs of the four providers of a sandbox. */
export function providerUrls(url: string): Record<SandboxProvider, string> {
  return {
    payments: `${url}/payments`,
    flights: `${url}/flights`,
    hotels: `${url}/hotels`,
    messages: `${url}/messages`,
  };
}

/** Speaks to the `/_sandbox` side of a sandbox that runs at a URL. */
export function sandboxClient(url: string): SandboxClient {
  const ask = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`${url}/_sandbox/${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} /_sandbox/${path}: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  const list = async <T>(path: string) => ((await ask('GET', path)) as { data: T[] }).data;
  return {
    fault: async (wish) => (await ask('POST', 'faults', wish)) as SandboxFault,
    faults: () => list('faults'),
    clearFaults: async () => void (await ask('DELETE', 'faults')),
    effects: (prefix = '') => list(`effects?reference=${encodeURIComponent(prefix)}`),
    requests: (prefix = '') => list(`requests?reference=${encodeURIComponent(prefix)}`),
  };
}

async function startProcess(
  dataDir: string,
  port: number,
): Promise<{ readonly url: string; readonly child: OwnedProcess }> {
  const file = resolve(ROOT, PROGRAM);
  if (!existsSync(file)) throw new Error(`${file} is not there: run npm run build first`);
  const child = await startOwned('sandbox', {
    file: process.execPath,
    args: ['--enable-source-maps', file, 'recourse-sandbox'],
    env: { PATH: process.env.PATH, SANDBOX_DATA_DIR: dataDir, SANDBOX_PORT: String(port) },
    cwd: ROOT,
  });
  const url = await Promise.race([
    pollUntil(() => readyUrl(child.lines()), { limitMs: READY_LIMIT_MS, everyMs: 10 }),
    child.exit.then((exit) => ({ ended: describeExit(exit) })),
  ]);
  if (typeof url === 'string') return { url, child };
  await child.kill9();
  const reason = url?.ended ?? `was not ready in ${READY_LIMIT_MS} ms`;
  throw new Error(`the sandbox ${reason}; it printed:\n${child.output()}`);
}

function readyUrl(lines: readonly string[]): string | undefined {
  const line = lines.find((one) => one.startsWith('{"ready":true'));
  return line === undefined ? undefined : (JSON.parse(line) as { url: string }).url;
}
