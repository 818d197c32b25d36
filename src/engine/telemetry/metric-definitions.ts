/** One metric of ours: the contract that `docs/metrics.md` tells, row by row. */
export interface MetricDefinition {
  readonly name: `recourse_${string}`;
  /** The processes that report it. */
  readonly part: 'every' | 'api' | 'worker' | 'relay' | 'api, worker';
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** Each takes few values, known from the code or the configuration: never an id or an account. */
  readonly labels: readonly string[];
  readonly help: string;
}

/**
 * Every metric of ours, beside those of Node and of Temporal's SDK. Names end in their unit, which
 * is a base unit, or in `_total` for what only grows.
 */
export const METRICS = [
  {
    name: 'recourse_database_connections',
    part: 'every',
    type: 'gauge',
    labels: ['state'],
    help: 'Connections of this process to Postgres, in use or idle.',
  },
  {
    name: 'recourse_database_connections_max',
    part: 'every',
    type: 'gauge',
    labels: [],
    help: 'How many connections this process opens at most.',
  },
  {
    name: 'recourse_database_waiting',
    part: 'every',
    type: 'gauge',
    labels: [],
    help: 'Who waits for a connection because all are in use.',
  },
  {
    name: 'recourse_http_request_duration_seconds',
    part: 'api',
    type: 'histogram',
    labels: ['method', 'route', 'status'],
    help:
      'Requests until they were answered, by class of status; one that was held (Prefer: ' +
      'wait) counts with its waiting.',
  },
  {
    name: 'recourse_http_problems_total',
    part: 'api',
    type: 'counter',
    labels: ['code'],
    help: 'Requests answered with a problem, by its code.',
  },
  {
    name: 'recourse_requests_turned_away_total',
    part: 'api',
    type: 'counter',
    labels: ['reason'],
    help:
      'Requests refused before anything was done: 503 because of the event loop, the wait for a ' +
      'connection, the backlog, the deadline of the caller, or what is in flight; 429 because of ' +
      'a limit of the account.',
  },
  {
    name: 'recourse_runs_accepted_total',
    part: 'api',
    type: 'counter',
    labels: ['saga'],
    help: 'Runs accepted; a request that was repeated under its key counts once.',
  },
  {
    name: 'recourse_starts_left_to_relay_total',
    part: 'api',
    type: 'counter',
    labels: [],
    help: 'Accepted runs that Temporal could not be told of at once.',
  },
  {
    name: 'recourse_interventions_total',
    part: 'api',
    type: 'counter',
    labels: ['kind'],
    help:
      'Runs whose course an operator changed: by a verdict, retry-now, cancel or abandon; a dry ' +
      'run does not count.',
  },
  {
    name: 'recourse_provider_call_duration_seconds',
    part: 'api, worker',
    type: 'histogram',
    labels: ['provider', 'act', 'direction', 'outcome'],
    help:
      'Calls to providers, by what they came to; direction find: what the provider answered ' +
      'when it was asked.',
  },
  {
    name: 'recourse_provider_answers_total',
    part: 'api, worker',
    type: 'counter',
    labels: ['provider', 'answer'],
    help:
      'Requests to providers: the class of the status (429 apart), or why no whole answer ' +
      'came.',
  },
  {
    name: 'recourse_attempt_record_duration_seconds',
    part: 'worker',
    type: 'histogram',
    labels: ['phase'],
    help: 'Writing an attempt into the record: begin, before its call, and end, after it.',
  },
  {
    name: 'recourse_attempts_unrecorded_total',
    part: 'worker',
    type: 'counter',
    labels: ['phase'],
    help:
      'Postgres did not take it in time: at begin nothing was sent, at end Temporal carries ' +
      'the outcome sealed.',
  },
  {
    name: 'recourse_runs_ended_total',
    part: 'worker',
    type: 'counter',
    labels: ['saga', 'ending'],
    help: 'Runs that this process brought to their end.',
  },
  {
    name: 'recourse_runs_lacked',
    part: 'worker',
    type: 'gauge',
    labels: ['version'],
    help:
      'Runs that have not ended and whose version this worker lacks, while another may have ' +
      'it. Absent when there is none.',
  },
  {
    name: 'recourse_outbox_messages_total',
    part: 'relay',
    type: 'counter',
    labels: ['kind', 'result'],
    help:
      'Messages that Temporal was to be told: sent, unavailable (tried again), refused ' +
      '(tried again, but look).',
  },
  {
    name: 'recourse_loop_turns_total',
    part: 'relay',
    type: 'counter',
    labels: ['loop', 'result'],
    help:
      'Turns of the relay, which sends the outbox, and of the sweep, which looks after ' +
      'silent runs.',
  },
  {
    name: 'recourse_sweep_looks_total',
    part: 'relay',
    type: 'counter',
    labels: ['found'],
    help:
      'Silent runs that were looked at: running, unsent, held on the desk, closed or missing ' +
      'in Temporal and so started again, or replaced because they could not go on. Three show an ' +
      'older record: ended there, older than what an execution knows, and forgotten, of which ' +
      'Temporal has an execution and the record nothing.',
  },
  {
    name: 'recourse_database_up',
    part: 'relay',
    type: 'gauge',
    labels: [],
    help: 'Whether Postgres answered within 500 ms; at 0 the metrics below are absent.',
  },
  {
    name: 'recourse_runs',
    part: 'relay',
    type: 'gauge',
    labels: ['state'],
    help: 'Runs that have not ended.',
  },
  {
    name: 'recourse_run_age_max_seconds',
    part: 'relay',
    type: 'gauge',
    labels: ['state'],
    help: 'How long ago the oldest of them was accepted.',
  },
  {
    name: 'recourse_run_silence_max_seconds',
    part: 'relay',
    type: 'gauge',
    labels: ['state'],
    help: 'The longest time that one of them has been without any news.',
  },
  {
    name: 'recourse_open_cases',
    part: 'relay',
    type: 'gauge',
    labels: ['problem', 'direction'],
    help: 'Cases that wait for a person; direction undo: an undo is stuck or in doubt.',
  },
  {
    name: 'recourse_open_case_age_max_seconds',
    part: 'relay',
    type: 'gauge',
    labels: ['problem', 'direction'],
    help: 'How long the oldest of them has been open.',
  },
  {
    name: 'recourse_outbox_waiting',
    part: 'relay',
    type: 'gauge',
    labels: ['kind'],
    help: 'Messages that Temporal has not been told yet.',
  },
  {
    name: 'recourse_outbox_lag_seconds',
    part: 'relay',
    type: 'gauge',
    labels: [],
    help: 'How long the oldest of them has been waiting.',
  },
  {
    name: 'recourse_workers',
    part: 'relay',
    type: 'gauge',
    labels: [],
    help: 'Workers that gave a sign of life in the last 30 s.',
  },
  {
    name: 'recourse_runs_without_worker',
    part: 'relay',
    type: 'gauge',
    labels: ['version'],
    help:
      'Runs that have not ended and whose version no living worker has: deploy one that ' +
      'has. Absent when there is none.',
  },
  {
    name: 'recourse_claim_days_missing',
    part: 'relay',
    type: 'gauge',
    labels: [],
    help:
      'Days that claims may lie on and whose table is missing: no Idempotency-Key can be ' +
      'claimed, and every POST is answered 503, until a person has seen to it.',
  },
] as const satisfies readonly MetricDefinition[];

type Defined = (typeof METRICS)[number];

/** The names of all metrics of one type. */
export type NameOf<Type extends MetricDefinition['type']> = Extract<
  Defined,
  { readonly type: Type }
>['name'];

/** The labels of one metric. */
export type LabelOf<Name extends Defined['name']> = Extract<
  Defined,
  { readonly name: Name }
>['labels'][number];

/** Whether a process of this part reports a metric. */
export function isOfPart(metric: Pick<MetricDefinition, 'part'>, part: string): boolean {
  return metric.part === 'every' || metric.part.split(', ').includes(part);
}

/** The definition of one metric; throws a RangeError for a name that is none. */
export function metricNamed(name: Defined['name']): MetricDefinition {
  const definition = METRICS.find((metric) => metric.name === name);
  if (definition === undefined) throw new RangeError(`there is no metric ${name}`);
  return definition;
}
