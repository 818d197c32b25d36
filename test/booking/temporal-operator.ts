import { randomUUID } from 'node:crypto';
import { DRIVER } from '../../src/engine/runs/temporal-runs.js';
import type { House } from '../support/house.js';

/** An event of a history: its number, and the kind of its attributes. */
export interface SeenEvent {
  readonly id: number;
  readonly kind: string;
}

export interface SeenExecution {
  readonly runId: string;
  readonly status: string;
}

/** What begins a workflow task, and what ends one. */
const TASK_BEGINS: ReadonlySet<string> = new Set(['WorkflowTaskScheduled', 'WorkflowTaskStarted']);
const TASK_ENDS: ReadonlySet<string> = new Set([
  'WorkflowTaskCompleted',
  'WorkflowTaskFailed',
  'WorkflowTaskTimedOut',
]);

/**
 * The events that a reset can end at: those that follow while a workflow task is scheduled or in
 * hand, whatever they tell (a signal, an activity that ends beside it). The server refuses others.
 */
export function resetPoints(history: readonly SeenEvent[]): ReadonlySet<number> {
  const points = new Set<number>();
  let isInTask = false;
  for (const { id, kind } of history) {
    if (isInTask) points.add(id);
    isInTask = TASK_BEGINS.has(kind) || (isInTask && !TASK_ENDS.has(kind));
  }
  return points;
}

/** What of the events after the reset point is applied once more. */
export type Reapply = 'all' | 'none';

/** What is left out, by its number in the protocol: signals, updates, Nexus events and cancels. */
const LEFT_OUT: Readonly<Record<Reapply, number[]>> = { all: [], none: [1, 2, 3, 4] };

/** The number that gRPC has for it. */
const INVALID_ARGUMENT = 3;
/** Time for the execution that somebody started by hand with a time-out. */
const RUN_TIMEOUT = '1 s';

/** Somebody who may do at Temporal whatever its pages and its command line offer. */
export class TemporalOperator {
  constructor(private readonly house: House) {}

  private get namespace(): string {
    return this.house.temporal.namespace;
  }

  handle(id: string, runId?: string) {
    return this.house.temporal.client.workflow.getHandle(id, runId);
  }

  /** The newest execution of a run; null when Temporal has none. */
  async execution(id: string): Promise<SeenExecution | null> {
    const found = await this.handle(id)
      .describe()
      .catch(() => null);
    return found && { runId: found.runId, status: found.status.name };
  }

  async events(id: string, runId?: string): Promise<readonly SeenEvent[]> {
    const history = await this.handle(id, runId).fetchHistory();
    return (history.events ?? []).map((event) => {
      const name = Object.keys(event).find((key) => key.endsWith('EventAttributes')) ?? '';
      const kind = name.charAt(0).toUpperCase() + name.slice(1, -'EventAttributes'.length);
      return { id: Number(event.eventId), kind };
    });
  }

  /**
   * Resets one execution to an event and answers the new one; null where the server says that the
   * event is none that it resets to.
   */
  async reset(id: string, runId: string, event: number, reapply: Reapply): Promise<string | null> {
    const { client } = this.house.temporal;
    const answer = await client.workflowService
      .resetWorkflowExecution({
        namespace: this.namespace,
        workflowExecution: { workflowId: id, runId },
        reason: 'from outside',
        requestId: randomUUID(),
        // The protocol's 64-bit number; a plain one is sent just as well.
        workflowTaskFinishEventId: event as never,
        resetReapplyExcludeTypes: LEFT_OUT[reapply],
      })
      .catch((error: Error & { readonly code?: unknown }) => {
        if (error.code === INVALID_ARGUMENT) return null;
        throw error;
      });
    return answer === null ? null : answer.runId;
  }

  /** Resets the newest execution to its first workflow task, or to its last. */
  async resetTo(which: 'first' | 'last', id: string, reapply: Reapply): Promise<void> {
    const now = await this.execution(id);
    if (now === null) throw new Error(`Temporal has no execution of ${id}`);
    const events = await this.events(id, now.runId);
    const tasks = events.filter(({ kind }) => kind === 'WorkflowTaskCompleted');
    const task = which === 'first' ? tasks.at(0) : tasks.at(-1);
    if (task === undefined) throw new Error(`${id} has completed no workflow task`);
    await this.reset(id, now.runId, task.id, reapply);
  }

  async terminate(id: string): Promise<void> {
    await this.handle(id).terminate('from outside');
  }

  async delete(id: string): Promise<void> {
    await this.house.temporal.client.workflowService.deleteWorkflowExecution({
      namespace: this.namespace,
      workflowExecution: { workflowId: id },
    });
  }

  /**
   * Starts an execution by hand in the place of the one that runs, and gives it a time-out: an
   * execution that runs cannot be given one, and the product starts none that has one.
   */
  async startWithTimeout(id: string): Promise<void> {
    const { rows } = await this.house.db.query<{ saga: string; version: number }>(
      `select saga, version from runs where id = $1::text`,
      [id],
    );
    const [run] = rows;
    if (run === undefined) throw new Error(`the record has no run ${id}`);
    await this.house.temporal.client.workflow.start(run.saga, {
      workflowId: id,
      taskQueue: 'recourse',
      workflowIdConflictPolicy: 'TERMINATE_EXISTING',
      workflowRunTimeout: RUN_TIMEOUT,
      memo: { driver: DRIVER },
      args: [{ run: id, ...run, deadline_at: null }],
    });
  }
}
