/** All that the ready card tells; what is `undefined` is left out. */
export interface ReadyFacts {
  readonly apiUrl: string;
  readonly temporalUiUrl: string | undefined;
  readonly temporalAddress: string;
  readonly namespace: string;
  readonly sandboxUrl: string | undefined;
  /** Without a password. */
  readonly databaseUrl: string;
  readonly customerKey: string;
  readonly operatorKey: string;
  readonly keysFile: string;
  readonly dataFolder: string;
  readonly logsFolder: string;
  /** What a command line in a second terminal begins with. */
  readonly cli: string;
  /** The path of a team's configuration; `undefined`: the example runs. */
  readonly configuration: string | undefined;
  /** Where its password lies; `undefined` when a real one was named. */
  readonly databaseSecret: string | undefined;
  /** Where the Temporal CLI is and came from; `undefined` when a real server was named. */
  readonly temporalCliFrom: string | undefined;
}

const TRIP = {
  traveller: { name: 'Ada Byron', email: 'ada@example.com' },
  flight: { offer: 'BLR-LHR-0417' },
  hotel: { offer: 'H-204', nights: 2 },
  payment: { amount: 240_000, currency: 'INR', source: 'tok_visa' },
};

const LABEL_WIDTH = 15;

/** The text that a complete start ends with: where everything is, and what to try first. */
export function readyCard(facts: ReadyFacts): string {
  const rows: readonly (readonly [label: string, value: string | undefined])[] = [
    ['Sagas', facts.configuration],
    ['API', facts.apiUrl],
    ['API docs', `${facts.apiUrl}/docs   also as ${facts.apiUrl}/openapi.json`],
    ['Temporal UI', uiLink(facts)],
    ['Temporal', facts.temporalAddress],
    ['Temporal CLI', facts.temporalCliFrom],
    ['Sandbox', facts.sandboxUrl && `${facts.sandboxUrl}/_sandbox/effects   what providers did`],
    ['Postgres', postgresAt(facts)],
    ['Customer key', facts.customerKey],
    ['Operator key', `${facts.operatorKey}   (both in ${facts.keysFile})`],
    ['Command line', `${facts.cli} --help   in a second terminal, in this folder`],
    ['Data', facts.dataFolder],
    ['Logs', facts.logsFolder],
  ];
  const table = rows.flatMap(([label, value]) =>
    value === undefined ? [] : [`  ${label.padEnd(LABEL_WIDTH)}${value}`],
  );
  return [
    '',
    'Recourse is ready.',
    '',
    ...table,
    '',
    ...(facts.configuration === undefined ? tripLines(facts) : []),
    'Stop all of it: Ctrl-C',
    '',
  ].join('\n');
}

function postgresAt({ databaseUrl, databaseSecret }: ReadyFacts): string {
  return databaseSecret === undefined
    ? databaseUrl
    : `${databaseUrl}   (postgres_password in ${databaseSecret})`;
}

function uiLink({ temporalUiUrl, namespace }: ReadyFacts): string | undefined {
  return temporalUiUrl && `${temporalUiUrl}/namespaces/${namespace}/workflows`;
}

function tripLines(facts: ReadyFacts): string[] {
  const { apiUrl, customerKey, temporalUiUrl } = facts;
  return [
    'Book a trip:',
    '',
    bookingLine(facts),
    '',
    `See it: curl -s ${apiUrl}/v1/bookings -H 'Authorization: Bearer ${customerKey}'` +
      (temporalUiUrl === undefined ? '' : ', and in the Temporal UI'),
  ];
}

/** One line, so that it can be copied whole; the key changes by the second. */
function bookingLine({ apiUrl, customerKey }: ReadyFacts): string {
  return [
    `curl -s ${apiUrl}/v1/bookings`,
    `-H 'Authorization: Bearer ${customerKey}'`,
    '-H "Idempotency-Key: trip-$(date +%s)"',
    "-H 'Content-Type: application/json'",
    `-d '${JSON.stringify(TRIP)}'`,
  ].join(' ');
}
