// Bugs in who is let in: a limit that is passed, a refusal that is none, one account before others.
const RATES = 'src/engine/admission/request-rates.ts';
const PLACES = 'src/engine/database/migrations/0013_active_runs.sql';
const WINDOWS = 'src/engine/database/migrations/0014_request_windows.sql';
const runs = ['test/engine/active-runs.pg.test.ts'];
const windows = ['test/engine/request-windows.pg.test.ts'];

export const admission = [
  {
    name: 'one-run-too-many',
    is: 'A run that has to wait for a place takes one that is not there any more',
    file: PLACES,
    find: 'if wanted > 0 and free < 0 then',
    write: 'if wanted > 0 and free < -1 then',
    tests: runs,
  },
  {
    name: 'a-group-takes-more-than-a-share-has',
    is: 'Runs that are accepted together take places that are not there',
    file: PLACES,
    find: 'most - taken >= wanted',
    write: 'most - taken >= 1',
    tests: runs,
  },
  {
    name: 'who-waits-for-places-holds-some',
    is: 'Two acceptances at the last places wait for each other',
    file: PLACES,
    find: 'if earlier is not null\n    or count',
    write: 'if count',
    tests: runs,
  },
  {
    name: 'a-place-is-never-given-back',
    is: 'A run that ends keeps its place',
    file: PLACES,
    find: 'then 1 else -1 end',
    write: 'then 1 else 0 end',
    tests: runs,
  },
  {
    name: 'a-lower-limit-opens-places',
    is: 'A limit that is changed forgets where the places are taken',
    file: PLACES,
    find: 'dealt.taken + free / 32',
    write: 'free / 32',
    tests: runs,
  },
  {
    name: 'each-process-has-the-limit',
    is: 'What one process has taken of a window is left for the others',
    file: WINDOWS,
    find: 'used = spent + granted',
    write: 'used = spent',
    tests: windows,
  },
  {
    name: 'a-part-outlives-its-window',
    is: 'What was leased for a window is used after it has ended',
    file: RATES,
    find: 'const endsAtMs = askedAtMs + endsInMs;',
    write: 'const endsAtMs = askedAtMs + endsInMs * 2;',
    tests: ['test/engine/admission/request-rates.test.ts'],
  },
  {
    name: 'a-deadline-is-not-kept',
    is: 'A request is worked on whose caller is gone before its turn',
    file: 'src/engine/admission/shedding.ts',
    find: 'signals.wallMs() + waitMs >= deadlineMs',
    write: 'signals.wallMs() >= deadlineMs',
    tests: ['test/engine/admission/shedding.test.ts'],
  },
  {
    name: 'opening-is-overload',
    is: 'A pool that opens its first connections counts as one that is used up',
    file: 'src/engine/database/watched-pool.store.ts',
    find: 'Math.max(sinceMs, this.#lastOpenedAtMs)',
    write: 'Math.min(sinceMs, this.#lastOpenedAtMs)',
    tests: ['test/engine/admission/watched-pool.pg.test.ts'],
  },
  {
    name: 'another-body-is-the-same-work',
    is: 'A crowd with one key and many bodies passes the line',
    file: 'src/engine/admission/work-places.ts',
    find: 'found !== undefined && isSame(found.work, work)',
    write: 'found !== undefined',
    tests: ['test/engine/admission/work-places.test.ts'],
  },
  {
    name: 'one-key-on-many-paths-is-one-work',
    is: 'A client takes all connections by one key on many paths',
    file: 'src/engine/admission/work-places.ts',
    find: 'one.asks === other.asks && ',
    write: '',
    tests: ['test/engine/admission/work-places.test.ts'],
  },
  {
    name: 'blanks-are-read-again-and-again',
    is: 'A header of blanks holds the process',
    file: 'src/engine/http/entity-tag.ts',
    find: '"[ \\t]*)?(,|$)/y',
    write: '")?[ \\t]*(,|$)/y',
    tests: ['test/engine/entity-tag.test.ts'],
  },
  {
    name: 'another-spelling-passes-the-shedding',
    is: 'A path that is spelled in another way is let in whatever there is to do',
    file: 'src/engine/http/front-door.provider.ts',
    find: '(routeOptions.url ?? url).startsWith',
    write: 'url.startsWith',
    tests: ['test/booking/admission.pg.test.ts'],
  },
];
