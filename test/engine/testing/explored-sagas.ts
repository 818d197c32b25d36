import type { SagaDefinition } from '../../../src/engine/saga/definition.js';
import {
  byAsking,
  byKey,
  byKeyAlone,
  byPerson,
  byRepeating,
  hurriedTrip,
  roundTrip,
  sagaOf,
  trip,
  widerTrip,
} from '../saga/small-sagas.js';

/** A saga that only knows keys, and waits for an undo however long it takes. */
const strict = sagaOf({
  charge: { ...byKeyAlone, undo: byKeyAlone },
  room: { ...byPerson, undo: byPerson, onStuckUndo: 'stop' },
  seat: { ...byAsking, undo: byRepeating },
  settle: { ...byKeyAlone, place: 'pivot' },
  file: { ...byKey, place: 'after-pivot', retry: { attempts: 3 } },
  tell: { whenUnknown: 'prefer-miss', place: 'after-pivot' },
});

/** A saga whose messages go out before anything is certain. */
const chatty = sagaOf({
  hello: { whenUnknown: 'prefer-duplicate' },
  charge: { ...byKey, undo: byAsking, retry: { attempts: 3, withinMs: 60_000 } },
  note: { whenUnknown: 'prefer-miss' },
  sign: { ...byPerson, place: 'pivot' },
});

/** Everything begins at once. */
const crowd = sagaOf({
  charge: { ...byKey, group: 0, undo: byKey },
  room: { ...byPerson, group: 0, undo: byAsking },
  seat: { ...byAsking, group: 0, undo: byRepeating },
});

/** Sagas that together hold every policy in every place. */
export const exploredSagas: readonly (readonly [string, SagaDefinition])[] = [
  ['the trip', trip],
  ['the trip with a deadline', hurriedTrip],
  ['the trip with two steps side by side', widerTrip],
  ['a saga without a pivot', roundTrip],
  ['a saga that waits for its undos', strict],
  ['a saga that sends messages first', chatty],
  ['a saga whose steps all run side by side', crowd],
];

/** The smallest saga that can fail in every way: two steps, of which one cannot be asked. */
export const smallest = sagaOf({
  charge: { ...byKey, undo: byKey },
  room: { ...byPerson, undo: byRepeating },
});

/** So many random runs of each: seconds of work. */
export const WALKS = 400;
