import { z } from 'zod';
import { AttemptView, CaseView } from '../cases/case-schema.js';

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

/** A run as an operator reads it. It holds names, states and times, not what was sent. */
export const RunView = z
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
    problem: text,
    problem_step: text,
    unwinding_because: text,
    failure: z.object({ code: z.string(), step: text }).nullable(),
    remains: z.array(z.object({ step: z.string(), direction })),
    steps: z.array(z.object({ name: z.string(), state: z.string(), undo: z.string() })),
    timeline: z.array(LineView),
    attempts: z.array(AttemptView),
    keys: z.array(KeyView),
    cases: z.array(CaseView),
    interventions: z.array(InterventionView),
    created_at: time,
    updated_at: time,
    deadline_at: time.nullable(),
    cancel_requested_at: time.nullable(),
    pivot_begun_at: time.nullable(),
    ended_at: time.nullable(),
  })
  .meta({ id: 'RecordedRun' });
export type RunView = z.infer<typeof RunView>;
export type LineView = z.infer<typeof LineView>;
export type KeyView = z.infer<typeof KeyView>;
export type InterventionView = z.infer<typeof InterventionView>;

/** The record of a run, and what its workflow says of itself at the moment. */
export const LiveRun = RunView.extend({
  temporal: z.object({ workflow_id: z.string(), url: text }),
  live: z.unknown().meta({ description: 'The answer of the workflow’s `state` query, or null.' }),
  live_error: text,
}).meta({ id: 'Run' });
export type LiveRun = z.infer<typeof LiveRun>;
