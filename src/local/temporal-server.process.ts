import { pollUntil } from './poll-until.process.js';
import type { Command, Environment } from './start-child.process.js';
import { namespaceAnswers } from './temporal-answers.client.js';

/** What a run can be found by in Temporal; the worker checks at start that they are registered. */
export const SEARCH_ATTRIBUTES = {
  SagaState: 'Keyword',
  SagaDirection: 'Keyword',
  SagaStep: 'Keyword',
  SagaAccount: 'Keyword',
  SagaProblem: 'Keyword',
  SagaStuckSince: 'Datetime',
} as const;

export interface TemporalServerPlan {
  readonly cli: string;
  readonly port: number;
  /** `undefined`: without the web page. */
  readonly uiPort: number | undefined;
  /** Made at start when it is missing. */
  readonly namespace: string;
  /** `undefined`: in memory. */
  readonly databaseFile: string | undefined;
  readonly env: Environment;
}

/** The dev server needs a moment to close its database file. */
export const END_TEMPORAL_WITH = ['SIGTERM', 'SIGKILL'] as const;

/** It starts in half a second; a busy machine, or a large database file, may need much longer. */
const READY_LIMIT_MS = 60_000;

/** Temporal's own server for one machine, with our search attributes, on 127.0.0.1 only. */
export function temporalServerCommand(plan: TemporalServerPlan): Command {
  const attributes = Object.entries(SEARCH_ATTRIBUTES).flatMap(([name, type]) => [
    '--search-attribute',
    `${name}=${type}`,
  ]);
  return {
    file: plan.cli,
    args: [
      ...['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(plan.port)],
      ...['--namespace', plan.namespace],
      ...(plan.uiPort === undefined ? ['--headless'] : ['--ui-port', String(plan.uiPort)]),
      ...(plan.uiPort === undefined ? [] : ['--ui-disable-news-fetch']),
      ...(plan.databaseFile === undefined ? [] : ['--db-filename', plan.databaseFile]),
      ...['--log-level', 'warn', '--log-format', 'json', ...attributes],
    ],
    // The CLI reads a configuration of the user's that is meant for other servers.
    env: { PATH: plan.env.PATH, HOME: plan.env.HOME, TEMPORAL_CONFIG_FILE: '/dev/null' },
  };
}

/**
 * Waits until the server answers and its namespace is there.
 * @throws when it has not within a minute, or when the signal is aborted.
 */
export async function waitForTemporal(
  address: string,
  namespace: string,
  signal?: AbortSignal,
): Promise<void> {
  const ready = await pollUntil(() => namespaceAnswers(address, namespace), {
    limitMs: READY_LIMIT_MS,
    everyMs: 100,
    ...(signal && { signal }),
  });
  if (!ready) throw new Error(`the Temporal server at ${address} did not answer in a minute`);
}
