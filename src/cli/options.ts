/** What several verbs take, and say in their help. */
export const JSON_OPTION = ['--json', 'print JSON'] as const;

export const NAMED_SAGA = [
  '<saga>',
  'its name, such as book-trip (the newest version) or book-trip@1',
] as const;

export const DATABASE_OPTION = [
  '--database-url <url>',
  'the database, instead of DATABASE_URL',
] as const;

export const DATABASE_HELP = `
Without --database-url and DATABASE_URL it is the Postgres of the local start, while that runs.`;

export const API_HELP = `
Asks the API at RECOURSE_URL with the operator’s key in RECOURSE_KEY. Without them it is the local
start of this clone (else http://127.0.0.1:3000), with its own operator’s key.`;
