// Bugs at the door: who is let in for too long, or as somebody else.
const RING = 'src/engine/accounts/key-ring.process.ts';
const USE = 'src/engine/accounts/key-use.store.ts';
const ACCOUNTS = 'src/engine/accounts/accounts.store.ts';
const ring = ['test/engine/key-ring.pg.test.ts'];
const accounts = ['test/engine/accounts.pg.test.ts'];
const RUNS = 'src/engine/runs/runs.provider.ts';
const LOCKED = ['test/booking/forgotten-predicates.pg.test.ts'];
const LOCK = ['test/engine/second-lock.pg.test.ts'];

export const doors = [
  {
    name: 'another-secret-is-let-in',
    is: 'What is remembered of a key counts for every key of its id',
    file: RING,
    find: 'known === undefined || !isSameHash(known.hash, hash)',
    write: 'known === undefined || hash.length === 0',
    tests: ring,
  },
  {
    name: 'a-key-is-let-in-beyond-its-end',
    is: 'A key is remembered for 20 s although it expires before',
    file: RING,
    find: 'Math.min(this.everyMs, leftMs)',
    write: 'this.everyMs',
    tests: ring,
  },
  {
    name: 'a-lost-connection-forgets-no-key',
    is: 'What was being asked while a connection was lost is remembered all the same',
    file: RING,
    find: 'if (asOf.monotonicMs <= this.#since) return caller;',
    write: '',
    tests: ring,
  },
  {
    name: 'a-stream-outlives-its-key',
    is: 'Who watches goes on watching after the key was revoked',
    file: RING,
    find: 'ended.forEach((id) => this.#end(id));',
    write: 'ended.forEach((id) => this.#known.delete(id));',
    tests: ring,
  },
  {
    name: 'an-expired-key-is-found',
    is: 'A key that is over is let in',
    file: USE,
    find: 'and (expires_at is null or expires_at > clock_timestamp())`,',
    write: '`,',
    tests: accounts,
  },
  {
    name: 'an-old-key-is-made-to-live-longer',
    is: 'A rotation gives an old key that would have ended sooner more time',
    file: ACCOUNTS,
    find: 'set expires_at = least(expires_at,',
    write: 'set expires_at = coalesce(',
    tests: accounts,
  },
  {
    name: 'a-third-key',
    is: 'A key that finds both places taken is made beside them',
    file: ACCOUNTS,
    find: "interval '1 millisecond'), place\n",
    write: "interval '1 millisecond'), nullif(place, 2)\n",
    tests: accounts,
  },
  {
    name: 'a-customer-is-let-in-as-an-operator',
    is: 'No role is asked for',
    file: 'src/engine/accounts/api-key.guard.ts',
    find: 'roles !== undefined && !roles.includes(caller.role)',
    write: 'roles !== undefined && roles.length === 0',
    tests: ['test/booking/identities.pg.test.ts'],
  },
  {
    name: 'another-account-is-told-apart',
    is: 'A booking of another account is refused, where one that is not there is not found',
    file: RUNS,
    find: "if (run === null) throw new Problem('not-found');",
    write:
      'if (run === null) {\n' +
      '      const { database: all, sealer } = this.engine;\n' +
      '      const any = await readRun(all, sealer, { id, account: null });\n' +
      "      throw new Problem(any === null ? 'not-found' : 'forbidden');\n" +
      '    }',
    tests: ['test/booking/identities.pg.test.ts'],
  },
  {
    name: 'a-booking-is-read-without-the-lock',
    is: 'A booking is read as who sees every account',
    file: RUNS,
    find: 'return this.#read(this.#reader(account), account, id);',
    write: 'return this.#read(this.engine.database, account, id);',
    tests: LOCKED,
  },
  {
    name: 'bookings-are-listed-without-the-lock',
    is: 'Bookings are listed as who sees every account',
    file: RUNS,
    find: 'return listRuns(this.#reader(filter.account), ',
    write: 'return listRuns(this.engine.database, ',
    tests: LOCKED,
  },
  {
    name: 'events-are-listed-without-the-lock',
    is: 'Events are listed as who sees every account',
    file: RUNS,
    find: 'const reader = this.#reader(filter.account);',
    write: 'const reader = this.engine.database;',
    tests: LOCKED,
  },
  {
    name: 'a-claim-reaches-everybody',
    is: 'A request of a customer may touch the rows of every account',
    file: 'src/engine/idempotency/claims.store.ts',
    find: "const opening = reach === 'own' ?",
    write: "const opening = reach === 'all' ?",
    tests: LOCKED,
  },
  {
    name: 'a-table-is-not-locked',
    is: 'Messages of other accounts can be written by who knows the id of a run',
    file: 'src/engine/database/migrations/0012_second_lock.sql',
    find: 'alter table outbox enable row level security;',
    write: '',
    tests: LOCK,
  },
  {
    name: 'nobody-is-everybody',
    is: 'Who takes the role and does not say for whom sees what is of any run',
    file: 'src/engine/database/migrations/0012_second_lock.sql',
    find: "where id = run and account is distinct from current_setting('recourse.account', true));",
    write: "where id = run and account <> current_setting('recourse.account', true));",
    tests: LOCK,
  },
  {
    name: 'a-failed-lock-is-passed',
    is: 'What fails to lock is told by what comes after it',
    file: 'src/engine/database/in-account.store.ts',
    find: "if (begun.status === 'rejected') throw begun.reason;",
    write: '',
    tests: LOCK,
  },
];
