import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DecidableCase } from '../../engine/cases/case-schema.js';
import type { LiveRun } from '../../engine/runs/run-schema.js';
import type { Effect } from './demo-story.js';

export interface DemoPlace {
  /** Where the API listens, as this machine reaches it. */
  readonly apiUrl: string;
  readonly sandboxUrl: string;
  readonly keys: { readonly customer: string; readonly operator: string };
  /** Aborted when the start is stopped: whatever is asked then is broken off. */
  readonly signal: AbortSignal;
}

/** The API as the demo's customer and operator use it, and the sandbox's own record. */
export interface DemoApi {
  /** Orders something, once, and answers its id. */
  order(path: string, body: unknown): Promise<string>;
  cancel(path: string): Promise<void>;
  run(id: string): Promise<LiveRun>;
  case(id: string): Promise<DecidableCase>;
  /** What the providers did for a run. */
  effects(run: string): Promise<readonly Effect[]>;
}

/** A part that died is back within this. */
const KEEP_TRYING_MS = 30_000;
const TRY_EVERY_MS = 500;
const TIME_OUT_MS = 10_000;

/** Thrown when an answer is none that trying again would better; its message is one line. */
class Refused extends Error {}

/**
 * Speaks to the API that was just started. Each POST has a key of its own, under which it is sent
 * again while nobody answers: it takes effect once. Every call throws an Error of one line when it
 * was refused, was not answered in half a minute, or is broken off by the signal.
 */
export function openDemoApi(place: DemoPlace): DemoApi {
  const { apiUrl, sandboxUrl, keys, signal } = place;
  const post = (path: string, body: unknown) =>
    persist(signal, `POST ${path}`, `${apiUrl}${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: {
        Authorization: `Bearer ${keys.customer}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': `demo-${randomUUID()}`,
      },
    });
  const read = (path: string) =>
    persist(signal, `GET ${path}`, `${apiUrl}${path}`, {
      headers: { Authorization: `Bearer ${keys.operator}` },
    });
  return {
    order: async (path, body) => ((await post(path, body)) as { id: string }).id,
    cancel: async (path) => void (await post(path, {})),
    run: async (id) => (await read(`/v1/runs/${id}`)) as LiveRun,
    case: async (id) => (await read(`/v1/cases/${id}`)) as DecidableCase,
    effects: async (run) => {
      const path = `/_sandbox/effects?reference=${run}:`;
      const answer = await persist(signal, `GET ${path}`, `${sandboxUrl}${path}`, {});
      return (answer as { data: Effect[] }).data;
    },
  };
}

async function persist(
  signal: AbortSignal,
  name: string,
  url: string,
  init: RequestInit,
): Promise<unknown> {
  const until = performance.now() + KEEP_TRYING_MS;
  for (;;) {
    try {
      return await ask(signal, name, url, init);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof Refused || performance.now() > until) throw error;
    }
    await sleep(TRY_EVERY_MS, undefined, { signal });
  }
}

async function ask(
  signal: AbortSignal,
  name: string,
  url: string,
  init: RequestInit,
): Promise<unknown> {
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(TIME_OUT_MS)]);
  const response = await fetch(url, { ...init, signal: bounded }).catch((error: unknown) => {
    throw new Error(`${name} was not answered`, { cause: error });
  });
  const body = (await response.json().catch(() => ({}))) as { code?: string; detail?: string };
  if (response.ok) return body;
  const said = `${name} was answered ${response.status} ${body.code ?? ''}: ${body.detail ?? ''}`;
  throw response.status === 503 || body.code === 'in-progress'
    ? new Error(said)
    : new Refused(said);
}
