import { connect } from 'node:net';
import { Client, Connection } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import pg from 'pg';
import { expect, test } from 'vitest';
import { startOwnPostgres } from '../support/processes.js';
import { freshDatabase } from '../support/postgres.js';
import { freshNamespace, startOwnTemporal } from '../support/temporal.js';

const SAGA_STATE = defineSearchAttributeKey('SagaState', 'KEYWORD');

async function ask<T>(url: string, sql: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows as T[];
  } finally {
    await client.end();
  }
}

test('each test has a migrated database of its own', async () => {
  const [one, other] = await Promise.all([freshDatabase(), freshDatabase()]);
  await ask(one.url, 'create table only_here (n int)');
  await expect(ask(other.url, 'select 1 from only_here')).rejects.toThrow('does not exist');
  expect(await ask(other.url, 'select 1 from runs')).toEqual([]);
  await Promise.all([one.drop(), other.drop()]);
  await expect(ask(one.url, 'select 1')).rejects.toThrow('does not exist');
});

test('a Postgres that is killed keeps what was committed', async () => {
  const postgres = await startOwnPostgres();
  await ask(postgres.url, 'create table kept (n int)');
  await postgres.kill9();
  await postgres.start();
  expect(await ask(postgres.url, 'select n from kept')).toEqual([]);
  await postgres.stop();
});

test('a Temporal server that is killed keeps its runs in its file', async () => {
  const server = await startOwnTemporal({ dbFile: true });
  const mine = await freshNamespace(server.address);
  await mine.client.workflow.start('w', {
    workflowId: 'a',
    taskQueue: 'q',
    typedSearchAttributes: [{ key: SAGA_STATE, value: 'running' }],
  });
  await mine.close();
  await server.kill9();
  await expect(reachable(server.address)).resolves.toBe(false);
  await server.start();
  const connection = await Connection.connect({ address: server.address });
  const client = new Client({ connection, namespace: mine.namespace });
  const run = await client.workflow.getHandle('a').describe();
  expect(run.status.name).toBe('RUNNING');
  await connection.close();
  await server.stop();
});

function reachable(address: string): Promise<boolean> {
  const [host, port] = address.split(':');
  return new Promise((resolve) => {
    const socket = connect({ host: host ?? '', port: Number(port) });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('close', () => socket.destroy());
  });
}
