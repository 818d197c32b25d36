import { NativeConnection } from '@temporalio/worker';
import { setTimeout as pause } from 'node:timers/promises';
import { temporalConnection, type TemporalSettings } from '../runs/temporal-connection.client.js';
import type { TemporalRuns } from '../runs/temporal-runs.js';
import { checkSearchAttributes, SearchAttributesMissing } from './search-attributes.client.js';

export interface ToReach {
  readonly temporal: TemporalSettings;
  /** The client's connection, which knows why the worker's does not come about. */
  readonly runs: TemporalRuns;
  readonly onWaiting: (error: unknown) => void;
  readonly onUnchecked: (error: unknown) => void;
}

/** A worker that is started before its Temporal server, or its namespace, waits for it. */
const AGAIN_MS = 1_000;

/**
 * Connects the worker, and looks whether its namespace has the search attributes. Whatever is
 * missing but those is waited for, and told each time.
 *
 * @throws SearchAttributesMissing, TemporalTlsInvalid: a person has to do something first.
 */
export async function reachTemporal(to: ToReach): Promise<NativeConnection> {
  const options = temporalConnection(to.temporal);
  const connection = await untilItWorks(to, () => NativeConnection.connect(options));
  await untilItWorks(to, async () => {
    const refusal = await checkSearchAttributes(connection, to.temporal.namespace);
    if (refusal === null) return;
    // Refused this question, or refused altogether?
    const problem = await to.runs.problem();
    if (problem !== null) throw problem;
    to.onUnchecked(refusal);
  });
  return connection;
}

async function untilItWorks<Result>(
  { runs, onWaiting }: ToReach,
  work: () => Promise<Result>,
): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof SearchAttributesMissing) throw error;
      onWaiting((await runs.problem()) ?? error);
      await pause(AGAIN_MS);
    }
  }
}
