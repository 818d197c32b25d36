import { isGrpcServiceError, type Client } from '@temporalio/client';
import type { JournalLine } from '../saga/journal.js';
import { RUNS_TASK_QUEUE, type ExecutionsPage, type Learned } from './temporal-runs.js';

/** Those that ended long ago know no more than those after them, which have read the journal. */
const NEWEST = 10;
/** The number that gRPC has for it. */
const NOT_FOUND = 5;

/** The newest executions of a run, as far as Temporal's list has heard of them. */
export async function newestExecutions(client: Client, run: string): Promise<readonly string[]> {
  const { executions } = await client.workflowService.listWorkflowExecutions({
    namespace: client.options.namespace,
    pageSize: NEWEST,
    query: `WorkflowId = '${run}'`,
  });
  return executions.map(({ execution }) => execution?.runId ?? '');
}

/**
 * What an execution has learned of the journal, from the answers of its activities: nothing, if it
 * was deleted.
 */
export async function learnedBy(client: Client, run: string, runId: string): Promise<Learned> {
  const history = await client.workflow
    .getHandle(run, runId)
    .fetchHistory()
    .catch((error: unknown) => {
      const code: number | null = isGrpcServiceError(error) ? error.code : null;
      if (code === NOT_FOUND) return { events: [] };
      throw error;
    });
  const answers = (history.events ?? []).flatMap(
    (event) => event.activityTaskCompletedEventAttributes?.result?.payloads ?? [],
  );
  return { runId, lines: journalOf(answers.map(({ data }) => linesIn(data))) };
}

/** What a history holds was written by this product or an older one; some answers have no lines. */
function linesIn(data: Uint8Array | null | undefined): readonly JournalLine[] {
  const answer: unknown = data == null ? null : JSON.parse(Buffer.from(data).toString('utf8'));
  if (typeof answer !== 'object' || answer === null || !('lines' in answer)) return [];
  return Array.isArray(answer.lines) ? (answer.lines as readonly JournalLine[]) : [];
}

/** Answers may overlap, and one that was asked for earlier may come later. */
function journalOf(answers: readonly (readonly JournalLine[])[]): readonly JournalLine[] {
  const bySeq = new Map(answers.flat().map((line) => [line.seq, line]));
  return [...bySeq.values()].toSorted((one, other) => one.seq - other.seq);
}

/** Temporal lists the running ones by their start and the others by their end, the newest first. */
export async function pageOfExecutions(
  client: Client,
  which: 'running' | 'closed',
  after: Uint8Array | null,
): Promise<ExecutionsPage> {
  const is = which === 'running' ? '=' : '!=';
  const { executions, nextPageToken } = await client.workflowService.listWorkflowExecutions({
    namespace: client.options.namespace,
    pageSize: PAGE,
    nextPageToken: after,
    query: `TaskQueue = '${RUNS_TASK_QUEUE}' and ExecutionStatus ${is} 'Running'`,
  });
  const runs = new Set(executions.map(({ execution }) => execution?.workflowId ?? ''));
  return { runs: [...runs], next: nextPageToken.length === 0 ? null : nextPageToken };
}

const PAGE = 500;
