import { z } from 'zod';
import { Words } from '../http/words.js';

export const RUN_ACTIONS = ['retry-now', 'cancel', 'abandon'] as const;

/** How long a reason may be, in characters. */
export const REASON_MOST = 2_000;

/** An action as it is sent. */
export const RunActionRequest = z
  .strictObject({
    action: z.enum(RUN_ACTIONS),
    reason: Words(REASON_MOST).meta({
      description: 'Why you do it; it is kept with who and when.',
    }),
    dry_run: z.boolean().optional().meta({
      description: 'Answer what would happen, and change nothing.',
    }),
  })
  .meta({ id: 'RunActionRequest' });
export type RunActionRequest = z.infer<typeof RunActionRequest>;

/** Actions to begin with. */
export const ACTION_EXAMPLES: Readonly<
  Record<string, { readonly summary: string; readonly value: RunActionRequest }>
> = {
  preview: {
    summary: 'What would a cancel do?',
    value: { action: 'cancel', reason: 'The customer called.', dry_run: true },
  },
  'retry-now': {
    summary: 'What waits for its next try goes on at once',
    value: { action: 'retry-now', reason: 'The provider says that it is well again.' },
  },
  cancel: {
    summary: 'Turn it back, and undo what took effect',
    value: { action: 'cancel', reason: 'The customer called.' },
  },
  abandon: {
    summary: 'Close it as it is: nothing more is done or undone',
    value: { action: 'abandon', reason: 'The provider has closed down; see the letter of 3 May.' },
  },
};

const text = z.string().nullable();
const Stand = z.object({
  state: z.string(),
  direction: z.enum(['forward', 'undo']),
  status: z.string(),
});

/** What remains of a run: a step, or the undo of one. */
export const RemainsView = z
  .object({
    step: z.string(),
    direction: z.enum(['do', 'undo']),
    what: z.enum(['unknown', 'not-undone', 'not-done']).meta({
      description:
        'Whether it took effect is not known; it took effect and was not undone; it was to be ' +
        'done and was not.',
    }),
  })
  .meta({ id: 'Remainder' });

/** Something that will be done, or waited for. Members are null where they mean nothing. */
const ExpectedView = z
  .object({
    turn: z.int().meta({ description: 'Counts from 1; the same turn goes on side by side.' }),
    kind: z.enum(['call', 'learn', 'await', 'ask', 'wait', 'person', 'turn-back', 'end']),
    text: z.string(),
    step: text,
    direction: z.enum(['do', 'undo']).nullable(),
    act: text,
    provider: text,
    attempt: z.int().nullable(),
    only_if: text,
    wait_ms: z.int().nullable(),
    problem: text,
    case: text,
    because: text,
    ends_as: text,
  })
  .meta({ id: 'Expected' });
export type ExpectedView = z.infer<typeof ExpectedView>;

/** What an action or a verdict did, or would do. */
export const ActionView = z
  .object({
    object: z.literal('action'),
    run: z.string(),
    action: z.string(),
    case: text.meta({ description: 'The case that a verdict is about.' }),
    dry_run: z.boolean().meta({ description: 'Nothing was changed: it is what would happen.' }),
    changes: z.boolean().meta({ description: 'False: it was so already.' }),
    before: Stand,
    after: Stand,
    follows: z.array(ExpectedView).meta({
      description: 'What comes next, if every call takes effect, to the end or to a person.',
    }),
    remains: z
      .array(RemainsView)
      .meta({ description: 'What it leaves behind, once it has ended.' }),
  })
  .meta({ id: 'Action' });
export type ActionView = z.infer<typeof ActionView>;
