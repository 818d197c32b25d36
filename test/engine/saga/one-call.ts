import type { SagaDefinition } from '../../../src/engine/saga/definition.js';
import { byKey, byPerson, sagaOf, type CallPlan } from './small-sagas.js';
import { Story } from './story.js';

/** A call under test, in one of the four places where a call can stand. */
export interface CallPlace {
  readonly name: string;
  /** Its column in the tables of the page. */
  readonly column: 'before' | 'after' | 'an undo';
  readonly call: string;
  readonly allows: readonly CallPlan['whenUnknown'][];
  /** What comes next once the call is done. */
  readonly next: string;
  /** A saga whose call `subject` is as planned, and the story up to it. */
  readonly story: (plan: CallPlan) => Story;
}

const first = { ...byKey, undo: byKey };
const safe = ['retry-with-key', 'ask-provider', 'ask-person'] as const;
const prefer = ['prefer-duplicate', 'prefer-miss'] as const;

function told(saga: SagaDefinition, ...calls: readonly string[]): Story {
  return new Story(saga).done(...calls);
}

export const callPlaces: readonly CallPlace[] = [
  {
    name: 'before the pivot',
    column: 'before',
    call: 'subject',
    allows: [...safe, ...prefer],
    next: 'send ticket, attempt 1',
    story: (plan) => {
      const ticket = { ...byPerson, place: 'pivot' } as const;
      const saga = sagaOf({ first, subject: plan, ticket });
      return told(saga, 'first');
    },
  },
  {
    name: 'at the pivot',
    column: 'before',
    call: 'subject',
    allows: safe,
    next: 'send receipt, attempt 1',
    story: (plan) => {
      const receipt = { ...byPerson, place: 'after-pivot' } as const;
      const saga = sagaOf({ first, subject: { ...plan, place: 'pivot' }, receipt });
      return told(saga, 'first');
    },
  },
  {
    name: 'after the pivot',
    column: 'after',
    call: 'subject',
    allows: [...safe, ...prefer],
    next: 'finish: completed',
    story: (plan) => {
      const ticket = { ...byPerson, place: 'pivot' } as const;
      const saga = sagaOf({ first, ticket, subject: { ...plan, place: 'after-pivot' } });
      return told(saga, 'first', 'ticket');
    },
  },
  {
    name: 'of an undo',
    column: 'an undo',
    call: 'subject:undo',
    allows: [...safe, 'repeat'],
    next: 'send first:undo, attempt 1',
    story: (plan) => {
      const saga = sagaOf({ first, subject: { ...byPerson, undo: plan } });
      return told(saga, 'first', 'subject').cancelled().turned('cancel');
    },
  },
];

/** The moves of a story without the timer that lets earlier undos pass. */
export function movesBesideTimers(story: Story): readonly string[] {
  return story.moves().filter((move) => !move.startsWith('pass '));
}

export function policyInWords({ whenUnknown, find }: CallPlan): string {
  return find === true ? `${whenUnknown} with find` : whenUnknown;
}
