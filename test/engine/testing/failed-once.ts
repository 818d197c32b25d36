import type { Schedule } from '../../../src/engine/testing/choices.js';

/** What was wrong when it failed, the saga that showed it, and what went otherwise than well. */
export type FailedOnce = readonly [wrong: string, saga: string, schedule: Schedule];

/**
 * The shortest schedules by which the explorer has found a mistake that was put into a copy of the
 * kernel. They are kept, so that such a mistake is found at once.
 */
export const failedOnce: readonly FailedOnce[] = [
  [
    'Undos run in the order in which the steps were begun',
    'the trip',
    { 'ticket, attempt 1': 'refused' },
  ],
  [
    'A step of which nobody knows whether it happened is undone at once',
    'the smallest saga',
    { 'room, attempt 1': 'refusal comes much later', 'after line 6': 'a cancel' },
  ],
  [
    'On the way back nobody learns any more what an unknown step did',
    'the smallest saga',
    { 'room, attempt 1': 'process stands still, then goes on', 'after line 5': 'a cancel' },
  ],
  [
    'An undo that was refused counts as done',
    'the smallest saga',
    { 'after line 4': 'a cancel', 'charge:undo, attempt 1': 'nothing to undo' },
  ],
  [
    'What goes wrong after the pivot turns the run back',
    'the trip',
    { 'receipt, attempt 1': 'refused' },
  ],
  [
    'A run with an accepted cancel that is refused too ends as undone',
    'the smallest saga',
    { 'room, attempt 1': 'refused', 'after line 5': 'a cancel' },
  ],
  [
    'However long an undo takes, the one before it waits',
    'the smallest saga',
    { 'after line 4': 'a cancel', 'room:undo, attempt 1': 'process stands still, then goes on' },
  ],
  [
    'An undo does not wait at all for the one after it',
    'the trip',
    { 'ticket, attempt 1': 'refused' },
  ],
  [
    "onStuckUndo: 'stop' is forgotten",
    'a saga that waits for its undos',
    { 'room, attempt 1': 'process dies before the call', 'after line 6': 'a cancel' },
  ],
  [
    'A run ends while a person has still to decide',
    'the smallest saga',
    { 'after line 4': 'a cancel', 'charge:undo, attempt 1': 'nothing to undo' },
  ],
  [
    'A run that leaves something behind ends as undone',
    'the trip',
    { 'receipt, attempt 1': 'refused', 'a person looks at receipt': 'left-as-is' },
  ],
  ['A run that was cancelled ends as if it had failed', 'the trip', { 'after line 7': 'a cancel' }],
  [
    'A refusal that follows an unknown attempt counts as "nothing happened"',
    'the smallest saga',
    { 'charge, attempt 1': 'process stands still, then goes on', 'charge, attempt 2': 'refused' },
  ],
  [
    'What only a person can know is simply tried again',
    'the trip',
    { 'hotel, attempt 1': 'refusal comes much later' },
  ],
  [
    'A step past the pivot that is refused is told to nobody',
    'the trip',
    { 'receipt, attempt 1': 'refused' },
  ],
  [
    'A key that its provider has forgotten is sent again all the same',
    'the smallest saga',
    {
      'charge, attempt 1': 'process dies, takes effect late',
      'after line 3': 'all stands still for a day',
    },
  ],
  [
    'A step is begun although the run has turned back meanwhile',
    'the trip',
    { 'after line 7': 'a cancel' },
  ],
  [
    'A step is begun although the deadline has passed meanwhile',
    'the trip with a deadline',
    { 'after line 7': 'all stands still for a day' },
  ],
  [
    'What is on its way when the run turns back is owed no undo',
    'the smallest saga',
    { 'room, attempt 1': 'process stands still, then goes on', 'after line 4': 'a cancel' },
  ],
  [
    'What nobody knows when the run turns back counts as not happened',
    'the smallest saga',
    { 'room, attempt 1': 'process stands still, then goes on', 'after line 6': 'a cancel' },
  ],
  [
    'A later "nothing happened" clears what an earlier attempt left unknown',
    'the smallest saga',
    { 'charge, attempt 1': 'process stands still, then goes on', 'charge, attempt 2': 'refused' },
  ],
  [
    'Steps side by side are undone by when they were done, not by when they began',
    'the trip with two steps side by side',
    { 'after line 5': 'a cancel' },
  ],
  [
    'A step that certainly did nothing is tried again although the run has turned back',
    'the smallest saga',
    { 'charge, attempt 1': 'refusal comes much later', 'after line 3': 'a cancel' },
  ],
  [
    'Once a person has denied it, "it took effect" is dropped',
    'the smallest saga',
    {
      'room, attempt 1': 'process stands still, then goes on',
      'a person looks at room': 'undone-by-hand',
      'after line 7': 'all stands still for a day',
    },
  ],
  [
    'On the way back a message is sent again only to learn whether it was sent',
    'a saga that sends messages first',
    { 'hello, attempt 1': 'process dies after the call', 'after line 2': 'a cancel' },
  ],
  [
    'A cancel that was accepted is forgotten when the step on its way is done',
    'the trip',
    { 'after line 7': 'a cancel' },
  ],
  [
    'A cancel is accepted while nobody knows whether the pivot took effect',
    'the trip',
    {
      'charge, attempt 1': 'certainly nothing happened',
      'ticket, attempt 1': 'answer lost',
      'asked about ticket': 'holds something else',
      'after line 12': 'a cancel',
    },
  ],
  [
    'When one undo is slow, none is waited for any more',
    'the trip',
    {
      'flight, attempt 1': 'process dies, takes effect late',
      'asked about flight': 'is silent',
      'after line 8': 'a cancel',
      'after line 11': 'all stands still for a day',
    },
  ],
  [
    'A cancel is accepted while the pivot is on its way',
    'the trip',
    { 'after line 8': 'a cancel' },
  ],
  [
    'A fact that speaks against a verdict does not come to the desk',
    'the smallest saga',
    {
      'room, attempt 1': 'process stands still, then goes on',
      'a person looks at room': 'left-as-is',
      'after line 8': 'all stands still for a day',
    },
  ],
  [
    'A pivot that took effect after the run had turned away is told to nobody',
    'the trip with a deadline',
    {
      'ticket, attempt 1': 'request lost',
      'after line 11': 'all stands still until the deadline',
    },
  ],
  [
    'What a person has denied stays denied, whatever its provider says later',
    'the trip',
    { 'hotel, attempt 1': 'refusal comes much later' },
  ],
  [
    'What its provider did not find is not believed when it shows itself later',
    'the trip',
    { 'ticket, attempt 1': 'refusal comes much later' },
  ],
  [
    'An operator who says "now" gives a call all its attempts back',
    'a saga that waits for its undos',
    {
      'room, attempt 1': 'process dies before the call',
      'seat, attempt 1': 'answer comes much later',
      'settle, attempt 1': 'answer comes much later',
      'file, attempt 1': 'request lost',
      'file, attempt 2': 'process dies, takes effect late',
      'after line 20': 'an operator says retry now',
      'file, attempt 3': 'certainly nothing happened',
    },
  ],
  [
    'The retry policy allows one attempt more than it says',
    'a saga that waits for its undos',
    {
      'file, attempt 1': 'request lost',
      'file, attempt 2': 'process dies, takes effect late',
      'file, attempt 3': 'certainly nothing happened',
    },
  ],
  [
    '"Did not happen" sends a step again although the run has turned back',
    'the smallest saga',
    { 'room, attempt 1': 'refusal comes much later', 'after line 6': 'a cancel' },
  ],
];
