// Bugs in quotes: a price that is guessed, a token that is good twice, or for another booking.
const ASK = 'src/engine/quotes/ask-providers.process.ts';
const OUTLOOK = 'src/engine/saga/cancel-outlook.ts';
const STORE = 'src/engine/quotes/quotes.store.ts';
const PROVIDER = 'src/engine/quotes/quotes.provider.ts';
const outlook = ['test/engine/saga/cancel-outlook.test.ts'];
const asked = ['test/booking/cancellations.pg.test.ts'];
const confirmed = ['test/booking/confirm-quote.pg.test.ts'];

export const quotes = [
  {
    name: 'a-token-is-good-twice',
    is: 'A token is looked at, and not taken',
    file: STORE,
    find: 'delete from tokens\n       where hash = $1::bytea',
    write: 'update tokens set about = about\n       where hash = $1::bytea',
    tests: confirmed,
  },
  {
    name: 'a-token-is-never-over',
    is: 'A token is good after its time',
    file: STORE,
    find: '\n         and expires_at > clock_timestamp()',
    write: '',
    tests: confirmed,
  },
  {
    name: 'a-token-of-another-quote',
    is: 'A token is good for every quote of the account',
    file: STORE,
    find: 'account = $2::text and about = $3::text',
    write: 'account = $2::text and $3::text is not null',
    tests: confirmed,
  },
  {
    name: 'a-quote-binds-nobody',
    is: 'A booking that has gone on is cancelled by an older quote',
    file: PROVIDER,
    find: 'if (comesToTheSame(quote.comesTo, outlook)) return effect;',
    write: 'if (outlook !== null) return effect;',
    tests: confirmed,
  },
  {
    name: 'a-price-is-guessed',
    is: 'A provider that does not answer counts as "it is there"',
    file: ASK,
    find: 'if (unclear.length === 0) {',
    write: 'if (unclear.length >= 0) {',
    tests: asked,
  },
  {
    name: 'a-quote-believes-at-once',
    is: 'What may still land counts as not happened',
    file: ASK,
    find: "if (landsInMs <= 0) return 'not-there';",
    write: "if (landsInMs !== 0) return 'not-there';",
    tests: asked,
  },
  {
    name: 'an-away-provider-holds-the-key',
    is: 'A quote that a provider did not answer keeps its key',
    file: 'src/engine/idempotency/run-phases.process.ts',
    find: " || error.code === 'unavailable'",
    write: '',
    tests: asked,
  },
  {
    name: 'what-may-be-undone-is-promised',
    is: 'A step that may not have taken effect is said to be undone',
    file: OUTLOOK,
    find: "if (known || held.get(step) === 'there')",
    write: "if (known || held.get(step) !== 'not-there')",
    tests: outlook,
  },
  {
    name: 'a-begun-step-is-no-change',
    is: 'A step that has begun since the quote is undone without having been quoted',
    file: OUTLOOK,
    find: 'case undefined:\n        return false;',
    write: 'case undefined:\n        return true;',
    tests: outlook,
  },
];
