import type { JournalLine } from '../../src/engine/saga/journal.js';
import {
  DRIVER,
  TemporalFault,
  type Execution,
  type RunToStart,
  type StartHow,
  type TemporalRuns,
} from '../../src/engine/runs/temporal-runs.js';

export interface FakeTemporal extends TemporalRuns {
  /** What was asked about each run, in order; a question that failed is not among them. */
  readonly asked: Map<string, string[]>;
  /** What Temporal has of each run; a run that is not here is missing. */
  readonly executions: Map<string, Execution>;
  /** What executions of a run have learned of its journal; a run that is not here knows nothing. */
  readonly knows: Map<string, readonly JournalLine[]>;
  /** Asked before each call; what it throws or takes is what the call throws or takes. */
  before: (call: string, run: string) => void | Promise<void>;
}

/** Temporal as far as the relay and the sweep can tell, with its rules about starting twice. */
export function fakeTemporal(): FakeTemporal {
  const asked = new Map<string, string[]>();
  const executions = new Map<string, Execution>();
  const knows = new Map<string, readonly JournalLine[]>();
  const ask = async (call: string, run: string): Promise<Execution> => {
    await fake.before(call, run);
    asked.set(run, [...(asked.get(run) ?? []), call]);
    return executions.get(run) ?? { status: 'missing' };
  };
  const fake: FakeTemporal = {
    asked,
    executions,
    knows,
    before: () => undefined,
    async startRun({ run }: RunToStart, how: StartHow) {
      const { status } = await ask(how === 'first' ? 'start' : `start ${how}`, run);
      if (status === 'running' && how !== 'instead') return 'already';
      if (status === 'closed' && how === 'first') return 'already';
      executions.set(run, {
        status: 'running',
        runId: `execution of ${run}`,
        driver: DRIVER,
        taskAttempts: 0,
        activities: 0,
      });
      return 'started';
    },
    async cancelRun(run) {
      return (await ask('cancel', run)).status === 'running' ? 'requested' : 'gone';
    },
    async look(run) {
      return (await ask('look', run)).status === 'running' ? 'told' : 'gone';
    },
    describe: (run) => ask('describe', run),
    async terminate(run, runId) {
      if ((await ask('terminate', run)).status !== 'running') return 'gone';
      executions.set(run, { status: 'closed', runId, as: 'TERMINATED' });
      return 'terminated';
    },
    async learned(run) {
      await fake.before('learned', run);
      return [{ runId: `execution of ${run}`, lines: knows.get(run) ?? [] }];
    },
    async listExecutions(which) {
      await fake.before('executions', which);
      const ofThese = [...executions].filter(([, { status }]) => status === which);
      return { runs: ofThese.map(([run]) => run), next: null };
    },
    queryState: async () => null,
    isReady: async () => true,
    problem: async () => null,
    close: async () => undefined,
  };
  return fake;
}

/** What a call gets from a Temporal that is away. */
export function away(call: string): TemporalFault {
  return new TemporalFault('unavailable', 'UNAVAILABLE', call, undefined);
}
