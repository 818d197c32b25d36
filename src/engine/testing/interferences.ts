import { answerAbandon, answerRetry, factsOfAbandoning } from '../saga/actions.js';
import { answerCancel } from '../saga/cancel.js';
import { append, deadlineTick, tellOfNews, type World } from './world.js';

/** What can come in between from outside, by its name in a schedule. */
export type Interference =
  | 'nothing comes in between'
  | 'a cancel'
  | 'the driver starts anew'
  | 'all stands still until the deadline'
  | 'all stands still for a day'
  | 'an operator says retry now'
  | 'an operator abandons it';

const AFTER_THE_END: readonly Interference[] = ['nothing comes in between', 'a cancel'];
const ALWAYS: readonly Interference[] = [
  ...AFTER_THE_END,
  'the driver starts anew',
  'all stands still for a day',
];

/** All that can come in between, for people. */
export const INTERFERENCES: readonly Interference[] = [
  ...ALWAYS.slice(1),
  'all stands still until the deadline',
  'an operator says retry now',
  'an operator abandons it',
];

/** What can come in between now; the first is that nothing does. */
export function interferencesIn(world: World): readonly Interference[] {
  const { agenda, record, attempts, saga, driver } = world;
  if (record.state.finishedAs !== null) return AFTER_THE_END;
  const isDue = saga.deadlineMs !== null && agenda.now < saga.deadlineMs;
  const ticks = [...driver.ticks, ...deadlineTick(world)];
  const waits = answerRetry(record.state, ticks) === 'accepted';
  const rests = answerAbandon(record.state, attempts.maySend(agenda.now)) === 'accepted';
  return [
    ...ALWAYS,
    ...(isDue ? (['all stands still until the deadline'] as const) : []),
    ...(waits ? (['an operator says retry now'] as const) : []),
    ...(rests ? (['an operator abandons it'] as const) : []),
  ];
}

/** A customer cancels: accepted, it is a promise. */
export function cancel(world: World): void {
  const answer = answerCancel(world.record.state);
  world.cancels.push({ at: world.agenda.now, answer });
  if (answer !== 'accepted') return;
  append(world, { kind: 'cancel-accepted', by: 'customer' });
  tellOfNews(world, 'a cancel');
}

/** What waits for its next try goes on at once. */
export function retryNow(world: World): void {
  append(world, { kind: 'retried', by: 'operator' });
  tellOfNews(world, 'a retry');
}

/** It ends as it is; of what was sent nobody will say what it did. */
export function abandon(world: World): void {
  const { record, attempts } = world;
  attempts.giveUp();
  append(world, ...factsOfAbandoning(record.state));
  tellOfNews(world, 'the end by hand');
}
