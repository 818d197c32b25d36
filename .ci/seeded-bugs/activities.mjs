// Bugs in what an activity does about one attempt: begin, call, end, ask, read.
const BEGIN = 'activities/engine/begin-attempt.ts';
const END = 'activities/engine/end-attempt.ts';
const READ = 'activities/engine/read-attempt.ts';
const OWN = 'activities/engine/own-run.ts';
const attempts = ['test/engine/attempts.pg.test.ts'];
const settling = ['test/engine/settling.pg.test.ts'];
const calling = ['test/engine/make-call.test.ts'];

export const activities = [
  {
    name: 'tombstone-is-ignored',
    is: 'A closed key lets an attempt through',
    file: BEGIN,
    find: 'if (record.state.finishedAs !== null || key?.closedAt != null) return answer();',
    write: 'if (record.state.finishedAs !== null) return answer();',
    tests: settling,
  },
  {
    name: 'undo-leaves-the-key-open',
    is: 'When an undo begins, the key of its step stays open',
    file: BEGIN,
    find: "keys: direction === 'undo' ? [opened, closed] : [opened],",
    write: "keys: direction === 'undo' && step.group < 0 ? [opened, closed] : [opened],",
    tests: settling,
  },
  {
    name: 'deadline-by-the-wrong-clock',
    is: 'A begin that was decided in time is written after the deadline',
    file: BEGIN,
    find: 'before: lastMoment(record, ask, tooOldAt),',
    write: 'before: tooOldAt ?? (lastMoment(record, ask, null) && null),',
    tests: attempts,
  },
  {
    name: 'crash-counts-as-unknown-too-soon',
    is: 'An attempt counts as unknown while its request can still land',
    file: READ,
    find: 'const landsUntil = row.sendBy.getTime() + context.sagas.settlesMs(at);',
    write: 'const landsUntil = row.sendBy.getTime() + 0 * context.sagas.settlesMs(at);',
    tests: settling,
  },
  {
    name: 'crash-counts-as-nothing-happened',
    is: 'An attempt whose process died counts as certainly not sent',
    file: READ,
    find: 'if (unsent) return {',
    write: 'if (unsent || ask) return {',
    tests: settling,
  },
  {
    name: 'late-fact-is-dropped',
    is: 'What becomes known after "unknown" is not written',
    file: END,
    find: "(before === 'unknown' && ended.outcome !== 'unknown')",
    write: 'false',
    tests: ['test/engine/abandoned.pg.test.ts'],
  },
  {
    name: 'late-fact-wakes-nobody',
    is: 'The run is not told of an outcome that an old execution has brought',
    file: END,
    find: "looks: before === 'unknown' || !isOwner,",
    write: "looks: before === 'unknown',",
    tests: attempts,
  },
  {
    name: 'old-execution-ends-the-run',
    is: 'An execution that was replaced ends the run behind the back of the new one',
    file: END,
    find: 'facts: isOwner ? [fact, ...closing(record, fact)] : [fact],',
    write: 'facts: [fact, ...closing(record, fact)],',
    tests: attempts,
  },
  {
    name: 'outcome-lost-with-the-database',
    is: 'An outcome that cannot be written is forgotten instead of travelling on',
    file: END,
    find: "return { lines: [], sealed: sealed.toString('base64') };",
    write: 'return { lines: [], hold_ms: sealed.length };',
    tests: attempts,
  },
  {
    name: 'older-record-is-believed',
    is: 'A record that was restored from an older copy is decided by',
    file: OWN,
    find: 'return ask.knows <= record.state.lastSeq;',
    write: 'return ask.knows < Infinity || record.lines.length > 0;',
    tests: attempts,
  },
  {
    name: 'stray-execution-goes-on',
    is: 'An execution that was replaced goes on calling providers',
    file: OWN,
    find: 'return record.execution === null || record.execution === calling.execution;',
    write: "return record.execution !== '' || record.execution === calling.execution;",
    tests: attempts,
  },
  {
    name: 'not-there-is-believed-at-once',
    is: '"Not there" counts although the call can still land',
    file: 'activities/engine/find-activity.ts',
    find: "if (asking.settlesInMs > 0) return askAgain('not-settled', asking.settlesInMs);",
    write: '',
    tests: settling,
  },
  {
    name: 'thrown-counts-as-nothing-happened',
    is: 'An act that throws counts as "certainly nothing happened"',
    file: 'activities/engine/make-call.ts',
    find: "unknown('act-threw'),",
    write: "{ kind: 'again', reason: 'act-threw' },",
    tests: calling,
  },
  {
    name: 'unreadable-counts-as-refused',
    is: 'An answer that nobody can read counts as a refusal',
    file: 'activities/engine/make-call.ts',
    find: "return unknown('value-unreadable');",
    write: "return { kind: 'refused', code: 'value-unreadable' };",
    tests: calling,
  },
  {
    name: 'hangs-with-its-provider',
    is: 'A call that ignores its time-out is waited for without end',
    file: 'activities/engine/make-call.ts',
    find: 'leave = setTimeout(resolve, LAST_LOOK_MS, overrun);',
    write: '',
    tests: calling,
  },
  {
    name: 'input-is-computed-anew',
    is: 'A later attempt sends another input under the same key',
    file: 'activities/engine/call-input.ts',
    find: 'if (key?.input != null) return { input: sealer.open(key.input, place), sealed: null };',
    write: '',
    tests: ['test/engine/call-input.test.ts'],
  },
];
