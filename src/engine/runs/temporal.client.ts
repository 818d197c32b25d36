import { readFileSync } from 'node:fs';
import {
  Client,
  Connection,
  isGrpcServiceError,
  ServiceError,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  type ConnectionOptions,
  type WorkflowExecutionDescription,
  type WorkflowExecutionStatusName,
} from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import {
  RUNS_TASK_QUEUE,
  TemporalFault,
  type ClosedAs,
  type Execution,
  type RunToStart,
  type StartHow,
  type TemporalRuns,
} from './temporal-runs.js';

export interface TemporalSettings {
  /** `host:port`. */
  readonly address: string;
  readonly namespace: string;
  /** For Temporal Cloud. It turns TLS on. */
  readonly apiKey: string | null;
  /** Paths of a client certificate and its key, as PEM. */
  readonly tls: { readonly cert: string; readonly key: string } | null;
}

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
const LOOK_SIGNAL = 'look';
const STATE_QUERY = 'state';

/**
 * Opens the way to Temporal without connecting: the API accepts bookings while Temporal is down.
 * The first call connects, and a lost connection comes back by itself.
 *
 * @throws when a file that `tls` names cannot be read.
 */
export function openTemporal(settings: TemporalSettings): TemporalRuns {
  const connection = Connection.lazy(connectionOptions(settings));
  const client = new Client({ connection, namespace: settings.namespace });

  const call = async <Answer>(name: string, make: () => Promise<Answer>): Promise<Answer> => {
    try {
      return await connection.withDeadline(Date.now() + CALL_LIMIT_MS, make);
    } catch (error) {
      throw faultOf(error, name);
    }
  };

  const handleOf = (run: string) => client.workflow.getHandle(run);

  const runs: TemporalRuns = {
    startRun: (run, how) => call('start', () => start(client, run, how)),
    cancelRun: (run) => call('cancel', () => cancel(client, run)),
    look: (run) =>
      call('look', () => handleOf(run).signal(LOOK_SIGNAL).then(constant('told'), ifGone('gone'))),
    describe: (run) =>
      call('describe', () => handleOf(run).describe().then(executionOf, ifGone(MISSING))),
    queryState: (run, limitMs) =>
      connection
        .withDeadline(Date.now() + limitMs, () => handleOf(run).query(STATE_QUERY))
        .catch(constant(null)),
    isReady: () =>
      connection
        .withDeadline(Date.now() + READY_LIMIT_MS, () =>
          client.workflowService.describeNamespace({ namespace: settings.namespace }),
        )
        .then(constant(true), constant(false)),
    close: () => connection.close(),
  };
  return Object.freeze(runs);
}

function connectionOptions({ address, apiKey, tls }: TemporalSettings): ConnectionOptions {
  return {
    address,
    ...(apiKey === null ? {} : { apiKey }),
    ...(tls === null ? {} : { tls: { clientCertPair: readPair(tls) } }),
    // One layer retries, and it is the outbox.
    interceptors: [],
    channelArgs: {
      'grpc.initial_reconnect_backoff_ms': RECONNECT_FIRST_MS,
      'grpc.max_reconnect_backoff_ms': RECONNECT_MOST_MS,
      'grpc.keepalive_time_ms': PING_EVERY_MS,
      'grpc.keepalive_timeout_ms': PING_LIMIT_MS,
    },
  };
}

function readPair(paths: { cert: string; key: string }): { crt: Buffer; key: Buffer } {
  return { crt: readFileSync(paths.cert), key: readFileSync(paths.key) };
}

async function start(
  client: Client,
  { run, saga, version, account }: RunToStart,
  how: StartHow,
): Promise<'started' | 'already'> {
  try {
    // No time-outs: they would end a run without its undos.
    await client.workflow.start(saga, {
      workflowId: run,
      taskQueue: RUNS_TASK_QUEUE,
      args: [{ run, saga, version }],
      // The default would start an ended run a second time.
      workflowIdReusePolicy: how === 'first' ? 'REJECT_DUPLICATE' : 'ALLOW_DUPLICATE',
      workflowIdConflictPolicy: 'FAIL',
      typedSearchAttributes: [{ key: SAGA_ACCOUNT, value: account }],
      staticSummary:
        `${saga} version ${version}` + (how === 'again' ? ', started again by the sweep' : ''),
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

function executionOf({ runId, status }: WorkflowExecutionDescription): Execution {
  const as = closedAs(status.name);
  return as === null ? { status: 'running', runId } : { status: 'closed', runId, as };
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

/** gRPC's status codes by number. Source: grpc/grpc, doc/statuscodes.md. */
const STATUS = [
  'OK',
  'CANCELLED',
  'UNKNOWN',
  'INVALID_ARGUMENT',
  'DEADLINE_EXCEEDED',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'PERMISSION_DENIED',
  'RESOURCE_EXHAUSTED',
  'FAILED_PRECONDITION',
  'ABORTED',
  'OUT_OF_RANGE',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
  'UNAUTHENTICATED',
] as const;

/** INTERNAL among them: it is what a stream that breaks in the middle of a call looks like. */
const MAY_PASS: ReadonlySet<string> = new Set([
  'CANCELLED',
  'UNKNOWN',
  'DEADLINE_EXCEEDED',
  'RESOURCE_EXHAUSTED',
  'ABORTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
]);

function faultOf(error: unknown, call: string): TemporalFault {
  const cause = error instanceof ServiceError ? error.cause : error;
  if (isGrpcServiceError(cause)) {
    const code = STATUS[cause.code] ?? 'UNKNOWN';
    return new TemporalFault(MAY_PASS.has(code) ? 'unavailable' : 'other', code, call, error);
  }
  const code = error instanceof Error ? error.name : typeof error;
  return new TemporalFault('other', code, call, error);
}
