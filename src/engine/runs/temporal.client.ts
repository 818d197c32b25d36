import {
  Client,
  Connection,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  type WorkflowExecutionDescription,
  type WorkflowExecutionStatusName,
} from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import type { RunStart } from '../saga/activity-messages.js';
import { learnedBy, newestExecutions, pageOfExecutions } from './known-to-temporal.client.js';
import {
  DRIVER,
  RUNS_TASK_QUEUE,
  TemporalFault,
  type ClosedAs,
  type Execution,
  type Learned,
  type RunToStart,
  type StartHow,
  type TemporalRuns,
} from './temporal-runs.js';
import {
  temporalConnection,
  type TemporalConnection,
  type TemporalSettings,
} from './temporal-connection.client.js';
import { faultOf } from './temporal-fault.client.js';
import { handshakeFailure } from './temporal-handshake.client.js';

/**
 * A healthy server answers in milliseconds. Three seconds ride out a slow moment, and a customer
 * whose booking is stored already can wait that long; the relay tries again anyway.
 */
const CALL_LIMIT_MS = 3_000;
/** A probe that is asked every few seconds must not pile up behind a server that hangs. */
const READY_LIMIT_MS = 1_000;
/** gRPC's own pause between connection attempts grows to two minutes: too long after a restart. */
const RECONNECT_FIRST_MS = 100;
const RECONNECT_MOST_MS = 1_000;
/** Temporal refuses pings more frequent than every 10 s; a dead line shows within 20 s. */
const PING_EVERY_MS = 15_000;
const PING_LIMIT_MS = 5_000;

const SAGA_ACCOUNT = defineSearchAttributeKey('SagaAccount', 'KEYWORD');
const SAGA_STATE = defineSearchAttributeKey('SagaState', 'KEYWORD');
const SAGA_DIRECTION = defineSearchAttributeKey('SagaDirection', 'KEYWORD');
const LOOK_SIGNAL = 'look';
const STATE_QUERY = 'state';

/**
 * Opens the way to Temporal without connecting: the API accepts bookings while Temporal is down.
 * The first call connects, and a lost connection comes back by itself.
 *
 * @throws TemporalTlsInvalid.
 */
export function openTemporal(settings: TemporalSettings): TemporalRuns {
  const to = temporalConnection(settings);
  const connection = Connection.lazy({ ...to, ...NO_RETRIES, channelArgs: PATIENCE });
  const client = new Client({ connection, namespace: settings.namespace });

  const call = async <Answer>(name: string, make: () => Promise<Answer>): Promise<Answer> => {
    try {
      return await connection.withDeadline(Date.now() + CALL_LIMIT_MS, make);
    } catch (error) {
      throw await explained(faultOf(error, name), to);
    }
  };

  const namespaceKnown = () =>
    client.workflowService.describeNamespace({ namespace: settings.namespace });
  const handleOf = (run: string) => client.workflow.getHandle(run);

  const runs: TemporalRuns = {
    startRun: (run, how) => call('start', () => start(client, run, how)),
    cancelRun: (run) => call('cancel', () => cancel(client, run)),
    look: (run) =>
      call('look', () => handleOf(run).signal(LOOK_SIGNAL).then(constant('told'), ifGone('gone'))),
    describe: (run) =>
      call('describe', () => handleOf(run).describe().then(executionOf, ifGone(MISSING))),
    terminate: (run, runId) =>
      call('terminate', () =>
        client.workflow
          .getHandle(run, runId)
          .terminate('its run has ended')
          .then(constant('terminated'), ifGone('gone')),
      ),
    learned: async (run, known) => {
      const listed = await call('executions', () => newestExecutions(client, run));
      const learned: Learned[] = [];
      // One after another, each with its own limit: a history may have thousands of events.
      for (const runId of new Set([...known, ...listed])) {
        learned.push(await call('learned', () => learnedBy(client, run, runId)));
      }
      return learned;
    },
    listExecutions: (which, after) =>
      call('executions', () => pageOfExecutions(client, which, after)),
    queryState: (run, limitMs) =>
      connection
        .withDeadline(Date.now() + limitMs, () => handleOf(run).query(STATE_QUERY))
        .catch(constant(null)),
    isReady: () =>
      connection
        .withDeadline(Date.now() + READY_LIMIT_MS, namespaceKnown)
        .then(constant(true), constant(false)),
    problem: () =>
      call('namespace', namespaceKnown).then(constant(null), (fault: TemporalFault) => fault),
    close: () => connection.close(),
  };
  return Object.freeze(runs);
}

/** One layer retries, and it is the outbox. */
const NO_RETRIES = { interceptors: [] };

const PATIENCE = {
  'grpc.initial_reconnect_backoff_ms': RECONNECT_FIRST_MS,
  'grpc.max_reconnect_backoff_ms': RECONNECT_MOST_MS,
  'grpc.keepalive_time_ms': PING_EVERY_MS,
  'grpc.keepalive_timeout_ms': PING_LIMIT_MS,
};

async function start(
  client: Client,
  { run, saga, version, account, deadlineAt }: RunToStart,
  how: StartHow,
): Promise<'started' | 'already'> {
  const args: [RunStart] = [
    { run, saga, version, deadline_at: deadlineAt === null ? null : deadlineAt.toISOString() },
  ];
  try {
    // No time-outs: they would end a run without its undos.
    await client.workflow.start(saga, {
      workflowId: run,
      taskQueue: RUNS_TASK_QUEUE,
      args,
      // The default would start an ended run a second time.
      workflowIdReusePolicy: how === 'first' ? 'REJECT_DUPLICATE' : 'ALLOW_DUPLICATE',
      workflowIdConflictPolicy: how === 'instead' ? 'TERMINATE_EXISTING' : 'FAIL',
      memo: { driver: DRIVER },
      typedSearchAttributes: [
        { key: SAGA_ACCOUNT, value: account },
        { key: SAGA_STATE, value: 'running' },
        { key: SAGA_DIRECTION, value: 'forward' },
      ],
      staticSummary:
        `${saga} version ${version}` + (how === 'first' ? '' : ', started again by the sweep'),
      staticDetails: `What happened in it: \`npx recourse runs show ${run}\``,
    });
    return 'started';
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return 'already';
    throw error;
  }
}

/**
 * Temporal (1.32) takes the cancel of a closed execution for granted and answers as for a running
 * one, so what became of it has to be asked.
 */
async function cancel(client: Client, run: string): Promise<'requested' | 'gone'> {
  const handle = client.workflow.getHandle(run);
  try {
    await handle.cancel();
    const { status } = executionOf(await handle.describe());
    return status === 'running' ? 'requested' : 'gone';
  } catch (error) {
    return ifGone('gone')(error);
  }
}

const MISSING: Execution = Object.freeze({ status: 'missing' });

function executionOf({ runId, status, memo, raw }: WorkflowExecutionDescription): Execution {
  const as = closedAs(status.name);
  if (as !== null) return { status: 'closed', runId, as };
  const driver = typeof memo?.['driver'] === 'number' ? memo['driver'] : 1;
  const taskAttempts = raw.pendingWorkflowTask?.attempt ?? 0;
  const activities = raw.pendingActivities?.length ?? 0;
  return { status: 'running', runId, driver, taskAttempts, activities };
}

/** Null for what is not known to be closed: a run is never started again on a guess. */
function closedAs(status: WorkflowExecutionStatusName): ClosedAs | null {
  switch (status) {
    case 'COMPLETED':
    case 'FAILED':
    case 'CANCELLED':
    case 'TERMINATED':
    case 'TIMED_OUT':
      return status;
    case 'RUNNING':
    case 'PAUSED':
    case 'CONTINUED_AS_NEW':
    case 'UNSPECIFIED':
    case 'UNKNOWN':
      return null;
  }
}

function constant<const Value>(value: Value): () => Value {
  return () => value;
}

/** A closed execution cannot be told anything: Temporal answers that as it does a missing one. */
function ifGone<const Gone>(gone: Gone): (error: unknown) => Gone {
  return (error) => {
    // A missing namespace is an error of another class: it makes no run look missing.
    if (error instanceof WorkflowNotFoundError) return gone;
    throw error;
  };
}

/** Who reads the log must be able to tell a server that is away from a wrong certificate. */
async function explained(fault: TemporalFault, to: TemporalConnection): Promise<TemporalFault> {
  if (fault.code !== 'UNAVAILABLE') return fault;
  const code = await handshakeFailure(to);
  return code === null ? fault : new TemporalFault(fault.kind, code, fault.call, fault.cause);
}
