// Bugs in the workflow: it asks the kernel, has moves done, and must not be interrupted.
const RUN = 'workflows/engine/run-saga.ts';
const PERFORM = 'workflows/engine/perform-move.ts';
const driven = ['test/engine/driver.e2e.test.ts'];
const outside = ['test/booking/from-outside.e2e.test.ts'];

export const driver = [
  {
    name: 'key-with-the-attempt-number',
    is: 'The key says which attempt it is, so its provider takes each for another call',
    file: PERFORM,
    find: 'const key = stepKey(ask.run, move.step, move.direction);',
    write: 'const key = `${stepKey(ask.run, move.step, move.direction)}:${move.attempt}`;',
    tests: driven,
  },
  {
    name: 'one-at-a-time',
    is: 'Steps side by side go one after another',
    file: RUN,
    find: "if (move.kind !== 'wait') this.#perform(move);",
    write: "if (move.kind !== 'wait' && this.#busy.size === 0) this.#perform(move);",
    tests: driven,
  },
  {
    name: 'timers-are-put-away-too-soon',
    is: 'A timer is put away while it is still waited for',
    file: RUN,
    find: 'if (!wanted.has(name)) {',
    write: 'if (wanted.has(name)) {',
    tests: driven,
  },
  {
    name: 'cancel-is-not-shielded',
    is: "Temporal's cancel reaches the activities: TRY_CANCEL, the SDK's default",
    file: RUN,
    find: 'const outcome = await CancellationScope.nonCancellable(() => driver.drive());',
    write: 'const outcome = await driver.drive();',
    tests: outside,
    named: "a cancel from Temporal's own page",
  },
  {
    name: 'cancel-from-outside-is-ignored',
    is: "A cancel from Temporal's own page is not taken as an event",
    file: RUN,
    find: 'root.cancelRequested.catch(() => driver.cancelIsRequested());',
    write: 'root.cancelRequested.catch(() => undefined);',
    tests: outside,
    named: "a cancel from Temporal's own page",
  },
  {
    name: 'cancelled-closes-as-completed',
    is: 'A cancelled run closes as Completed',
    file: RUN,
    find: "if (outcome === 'cancelled' && root.consideredCancelled) {",
    write: "if (outcome === 'undone' && root.consideredCancelled) {",
    tests: outside,
    named: "a cancel from Temporal's own page",
  },
  {
    name: 'outcome-in-hand-is-dropped',
    is: 'An outcome that Temporal carries is not written',
    file: PERFORM,
    find: 'answer.sealed === undefined ? answer',
    write: 'answer.sealed === undefined || answer.lines.length === 0 ? answer',
    tests: ['test/booking/abandoned-in-flight.e2e.test.ts'],
  },
];
