import { z } from 'zod';
import { AttemptView, CaseView } from '../cases/case-schema.js';
import { PageQuery } from '../http/page-query.js';
import { AnyText } from '../http/words.js';
import type { Problem } from '../saga/journal.js';
import { PROBLEM_WORDS } from '../saga/reason-words.js';
import { RemainsView } from './action-schema.js';

const time = z.string().meta({ format: 'date-time' });
const text = z.string().nullable();
const direction = z.enum(['do', 'undo']);

/** One line of a run's journal: the fact, and the fact in words. */
const LineView = z
  .object({ seq: z.int(), at: time, text: z.string(), line: z.looseObject({ kind: z.string() }) })
  .meta({ id: 'TimelineLine' });

const KeyView = z
  .object({
    step: z.string(),
    direction,
    key: z.string(),
    provider_id: text,
    first_sent_at: time.nullable(),
    asked_at: time.nullable(),
    asked: z.int(),
    closed_at: time.nullable(),
  })
  .meta({ id: 'StepKey' });

const InterventionView = z
  .object({
    at: time,
    who: z.string(),
    action: z.string(),
    case: text,
    reason: text,
    evidence: text,
  })
  .meta({ id: 'Intervention' });

export const RUN_STATES = [
  'running',
  'undoing',
  'needs_reconciliation',
  'completed',
  'undone',
  'cancelled',
  'closed_by_hand',
] as const;

/** What can keep a run from going on by itself. */
export const PROBLEMS_OF_RUNS = Object.keys(PROBLEM_WORDS) as readonly Problem[];

/** Where a run stands, as it is listed. It holds names, states and times, not what was sent. */
export const RunHead = z
  .object({
    object: z.literal('run'),
    id: z.string(),
    account: z.string(),
    saga: z.string(),
    version: z.int(),
    reference: text,
    state: z.string(),
    direction: z.enum(['forward', 'undo']),
    status: z.string(),
    step: text.meta({ description: 'The step with the problem, else the last one begun.' }),
    problem: text,
    problem_step: text,
    stuck_since: time.nullable().meta({ description: 'Since when a person is needed.' }),
    unwinding_because: text,
    failure: z.object({ code: z.string(), step: text }).nullable(),
    remains: z.array(RemainsView),
    steps: z.array(z.object({ name: z.string(), state: z.string(), undo: z.string() })),
    created_at: time,
    updated_at: time.meta({ description: 'Its last news.' }),
    deadline_at: time.nullable(),
    cancel_requested_at: time.nullable(),
    pivot_begun_at: time.nullable(),
    ended_at: time.nullable(),
    temporal: z.object({ workflow_id: z.string(), url: text }),
  })
  .meta({ id: 'RunHead' });
export type RunHead = z.infer<typeof RunHead>;

/** A page of runs. */
export const RunPage = z
  .object({ data: z.array(RunHead), has_more: z.boolean(), next_cursor: text })
  .meta({ id: 'RunPage' });
export type RunPage = z.infer<typeof RunPage>;

const NAME_MOST = 100;

/** Which runs are listed. */
export const RunsQuery = PageQuery.extend({
  state: z.enum(RUN_STATES).optional(),
  problem: z
    .enum([...PROBLEMS_OF_RUNS, 'any'])
    .optional()
    .meta({
      description: 'Those that wait for a person because of this; `any`: whatever for.',
    }),
  saga: AnyText(NAME_MOST).min(1).optional(),
  account: AnyText(NAME_MOST).min(1).optional(),
  silent_since: z.iso.datetime({ offset: true }).optional().meta({
    description: 'Those that live and have had no news since this instant.',
  }),
});
export type RunsQuery = z.infer<typeof RunsQuery>;

/** A run as an operator reads it: where it stands, and how it came there. */
export const RunView = RunHead.extend({
  timeline: z.array(LineView),
  attempts: z.array(AttemptView),
  keys: z.array(KeyView),
  cases: z.array(CaseView),
  interventions: z.array(InterventionView),
}).meta({ id: 'RecordedRun' });
export type RunView = z.infer<typeof RunView>;
export type LineView = z.infer<typeof LineView>;
export type KeyView = z.infer<typeof KeyView>;
export type InterventionView = z.infer<typeof InterventionView>;

/** The record of a run, and what its workflow says of itself at the moment. */
export const LiveRun = RunView.extend({
  live: z.unknown().meta({ description: 'The answer of the workflow’s `state` query, or null.' }),
  live_error: text,
}).meta({ id: 'Run' });
export type LiveRun = z.infer<typeof LiveRun>;
