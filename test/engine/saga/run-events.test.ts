import { describe, expect, test } from 'vitest';
import { eventsOfLine, statusChanges } from '../../../src/engine/saga/run-events.js';
import { emptyRun, foldJournal } from '../../../src/engine/saga/run-state.js';
import { viewRun, type StepView } from '../../../src/engine/saga/run-view.js';
import { trip } from './small-sagas.js';
import { Story } from './story.js';

const start = new Story(trip).add({ kind: 'accepted' });

/** Journals that go every way a trip can. */
const STORIES: Readonly<Record<string, Story>> = {
  completed: start.done('charge', 'flight', 'hotel', 'ticket', 'receipt').finished('completed'),
  undone: start
    .done('charge', 'flight')
    .refused('hotel')
    .turned('refused')
    .done('flight:undo', 'charge:undo')
    .finished('undone'),
  cancelled: start
    .done('charge')
    .cancelled()
    .turned('cancel')
    .done('charge:undo')
    .finished('cancelled'),
  'decided by a person': start
    .done('charge', 'flight')
    .unknown('hotel')
    .cased()
    .verdict('hotel', 'happened')
    .done('ticket', 'receipt')
    .finished('completed'),
};

describe.each(Object.entries(STORIES))('a run that is %s', (_how, story) => {
  const { lines } = story;
  const { events } = lines.reduce(
    ({ run, events: before }, line) => {
      const after = eventsOfLine(run, line);
      return { run: after.run, events: [...before, ...after.events] };
    },
    { run: emptyRun(trip), events: [] as ReturnType<typeof eventsOfLine>['events'] },
  );

  test('is shown by its events as it stands, at any line', () => {
    for (const { seq } of lines) {
      const view = viewRun(foldJournal(trip, lines.slice(0, seq)));
      const until = events.filter((event) => event.seq <= seq);
      expect(until.findLast(({ step }) => step === null)?.status).toBe(view.status);
      expect(stepsBy(until)).toEqual(view.steps);
    }
  });

  test('has each of its events under a number of its own', () => {
    const numbers = events.map(({ seq, nth }) => `${seq}.${nth}`);
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(events.every(({ nth }, index) => nth === 1 || events[index - 1]?.nth === nth - 1)).toBe(
      true,
    );
  });

  test('has the same changes of status where they are stored', () => {
    const changes = events.filter(({ step }) => step === null);
    const stored = statusChanges(emptyRun(trip), lines);
    expect(stored).toEqual(changes.map(({ seq, status, failure }) => ({ seq, status, failure })));
    for (const { seq } of lines) {
      const from = foldJournal(trip, lines.slice(0, seq));
      const later = statusChanges(from, lines.slice(seq));
      expect(later).toEqual(stored.filter((change) => change.seq > seq));
    }
  });
});

/** The steps as somebody has them who only hears of changes. */
function stepsBy(events: readonly { readonly step: StepView | null }[]): readonly StepView[] {
  return viewRun(emptyRun(trip)).steps.map(
    (step) => events.findLast((event) => event.step?.name === step.name)?.step ?? step,
  );
}

test('what changes no view is no event', () => {
  const { lines } = start.done('charge');
  const run = foldJournal(trip, lines);
  const line = { kind: 'cancel-refused', why: 'past-pivot', seq: lines.length + 1 } as const;
  expect(eventsOfLine(run, line).events).toEqual([]);
});
