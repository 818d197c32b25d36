import { randomBytes } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { inject } from 'vitest';
import { SEARCH_ATTRIBUTES } from '../../src/local/temporal-server.process.js';
import { startTemporal, type OwnTemporal, type TemporalWishes } from './start-servers.js';

export type { OwnTemporal } from './start-servers.js';

export interface TestNamespace {
  readonly address: string;
  readonly namespace: string;
  readonly client: Client;
  /** Closes the client's connection; the namespace goes with the server. */
  close(): Promise<void>;
}

const DAY_S = 86_400;

/** The numbers that the protocol has for the types of search attributes. */
const TYPE_NUMBERS = { Keyword: 2, Datetime: 6 } as const;

/**
 * A namespace of one's own, with our search attributes, on the shared Temporal server (or on
 * another one). Ready in about 50 ms. For the project `whole`.
 */
export async function freshNamespace(address?: string): Promise<TestNamespace> {
  const at = address ?? inject('temporalAddress');
  const namespace = `test-${randomBytes(6).toString('hex')}`;
  const connection = await Connection.connect({ address: at });
  await connection.workflowService.registerNamespace({
    namespace,
    // The protocol's 64-bit number; a plain one is sent just as well.
    workflowExecutionRetentionPeriod: { seconds: DAY_S as never },
  });
  await connection.operatorService.addSearchAttributes({
    namespace,
    searchAttributes: Object.fromEntries(
      Object.entries(SEARCH_ATTRIBUTES).map(([name, type]) => [name, TYPE_NUMBERS[type]]),
    ),
  });
  return {
    address: at,
    namespace,
    client: new Client({ connection, namespace }),
    close: () => connection.close(),
  };
}

/** A Temporal server of one's own, for tests that kill it. */
export function startOwnTemporal(wishes: TemporalWishes = {}): Promise<OwnTemporal> {
  return startTemporal(wishes);
}
