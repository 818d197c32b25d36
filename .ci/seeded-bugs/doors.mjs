// Bugs at the door: who is let in for too long, or as somebody else.
const RING = 'src/engine/accounts/key-ring.process.ts';
const USE = 'src/engine/accounts/key-use.store.ts';
const ACCOUNTS = 'src/engine/accounts/accounts.store.ts';
const ring = ['test/engine/key-ring.pg.test.ts'];
const accounts = ['test/engine/accounts.pg.test.ts'];

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
];
