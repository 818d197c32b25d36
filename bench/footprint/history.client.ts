import { Client, Connection } from '@temporalio/client';

/** The history of one workflow. */
export interface History {
  readonly events: number;
  readonly bytes: number;
}

/** A look into Temporal that is not part of what is measured. */
export interface Histories {
  of(workflowId: string): Promise<History>;
  serverVersion(): Promise<string>;
  close(): Promise<void>;
}

/** Opens one connection to look through. */
export async function openHistories(at: {
  readonly address: string;
  readonly namespace: string;
}): Promise<Histories> {
  const connection = await Connection.connect({ address: at.address });
  const client = new Client({ connection, namespace: at.namespace });
  return {
    of: async (workflowId) => {
      const handle = client.workflow.getHandle(workflowId);
      const { historyLength, historySize = 0 } = await handle.describe();
      return { events: historyLength, bytes: historySize };
    },
    serverVersion: async () => {
      const { serverVersion } = await client.workflowService.getSystemInfo({});
      return serverVersion ?? 'unknown';
    },
    close: () => connection.close(),
  };
}
