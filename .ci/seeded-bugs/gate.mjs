// Bugs in the gate: two winners, an answer to somebody else, a dead winner that comes back.
const CLAIMS = 'src/engine/idempotency/claims.store.ts';
const HELD = 'src/engine/idempotency/held-claim.store.ts';
const PHASED = 'src/engine/idempotency/phased-claims.store.ts';
const RECENT = 'src/engine/idempotency/recent-answers.ts';
const days = ['test/engine/claim-days.pg.test.ts'];
const phases = ['test/engine/phased-claims.pg.test.ts'];
const recent = ['test/engine/recent-answers.test.ts'];

export const gate = [
  {
    name: 'two-at-once-under-a-key',
    is: 'A key that somebody has is looked at all the same',
    file: CLAIMS,
    find: 'if (!locked.has(id)) return inProgress();',
    write: '',
    tests: ['test/engine/claims.pg.test.ts'],
  },
  {
    name: 'two-bodies-in-one-group',
    is: 'Two requests under one key are done in one transaction, which does not exclude itself',
    file: 'src/engine/idempotency/group-commit.ts',
    find: 'group.set(one.id, one)',
    write: 'group.set(`${group.size}`, one)',
    tests: ['test/engine/group-commit.pg.test.ts'],
  },
  {
    name: 'one-spoils-its-group',
    is: 'A request that makes its group fail has the others refused with it',
    file: 'src/engine/idempotency/group-commit.ts',
    find: 'group.length === 1 || isDatabaseUnavailable(error)',
    write: 'group.length >= 1',
    tests: ['test/engine/group-commit.pg.test.ts'],
  },
  {
    name: 'a-reference-twice-in-a-group',
    is: 'Two runs that are accepted together may have one reference',
    file: 'src/engine/runs/accept-runs.ts',
    find: 'if (reference !== null) holders.set(reference, run.id);',
    write: '',
    tests: ['test/engine/accept-runs.test.ts'],
  },
  {
    name: 'a-missing-day-is-free',
    is: 'No row counts as no claim although the day of the row is missing',
    file: HELD,
    find: 'if (first?.whole !== true) throw new ClaimDaysMissing();',
    write: 'if (first === undefined) throw new ClaimDaysMissing();',
    tests: days,
  },
  {
    name: 'a-week-of-summer-time',
    is: 'The window is seven days of the calendar where the session lives',
    file: HELD,
    find: "now() + interval '${CLAIM_WINDOW_HOURS} hours')",
    write: "now() + interval '${CLAIM_WINDOW_HOURS / 24} days')",
    tests: days,
  },
  {
    name: 'a-late-winner-writes',
    is: 'Who was taken over writes as if it held the lease',
    file: PHASED,
    find: 'and epoch = $2::bigint\n     for update',
    write: 'and $2::bigint > 0\n     for update',
    tests: ['test/engine/phase-leases.pg.test.ts'],
  },
  {
    name: 'a-refusal-holds-its-key',
    is: 'A handler in phases that refuses leaves its claim behind',
    file: 'src/engine/idempotency/run-phases.process.ts',
    find: 'error.status < 500',
    write: 'error.status < 400',
    tests: phases,
  },
  {
    name: 'memory-for-another-body',
    is: 'A repeat with another body is answered from memory',
    file: RECENT,
    find: ' || !entry.fingerprint.equals(claim.fingerprint)',
    write: '',
    tests: recent,
  },
  {
    name: 'memory-beyond-the-key',
    is: 'An answer is repeated from memory after its key is over',
    file: RECENT,
    find: 'Math.min(RECENT_MS, leftMs - MARGIN_MS)',
    write: 'RECENT_MS',
    tests: recent,
  },
];
