// Bugs at the front door: a write by an old state, an answer that is taken for another one, a page
// of a stranger that reads along, a client that never ends.
const TAGS = 'src/engine/http/entity-tag.ts';
const DOOR = 'src/engine/http/front-door.provider.ts';
const tags = ['test/engine/entity-tag.test.ts'];
const conditional = ['test/booking/conditional.pg.test.ts'];

export const clients = [
  {
    name: 'a-weak-tag-is-strong',
    is: 'If-Match takes a weak tag, which says nothing about the bytes',
    file: TAGS,
    find: 'return weak || revision === undefined',
    write: 'return revision === undefined',
    tests: tags,
  },
  {
    name: 'known-by-its-revision',
    is: 'A reader is told that nothing changed though only the revision is the same',
    file: TAGS,
    find: '`"${revision}-${digest.slice(0, DIGEST_CHARACTERS)}"`',
    write: '`"${revision}-${digest.slice(0, 0).padEnd(DIGEST_CHARACTERS, "x")}"`',
    tests: conditional,
  },
  {
    name: 'a-cancel-by-an-old-state',
    is: 'A cancel does not look at its If-Match',
    file: 'src/engine/runs/runs.provider.ts',
    find: 'refuseChanged(ifMatch, record.state.lastSeq);',
    write: 'refuseChanged(undefined, record.state.lastSeq);',
    tests: conditional,
  },
  {
    name: 'every-page-reads-along',
    is: 'An origin that is not allowed is named as if it were',
    file: 'src/engine/http/cors.ts',
    find: 'return allowed.includes(origin) ? origin : null;',
    write: 'return origin;',
    tests: ['test/engine/cors.pg.test.ts'],
  },
  {
    name: 'slow-clients-are-not-looked-for',
    is: 'How often it is looked for slow clients is left to Node, which does it twice a minute',
    file: DOOR,
    find: 'connectionsCheckingInterval: checkEveryMs,',
    write: '',
    tests: ['test/engine/slow-clients.pg.test.ts'],
  },
  {
    name: 'bytes-behind-it-take-its-answer',
    is: 'A booking that was accepted is answered 400 for what came behind it on the connection',
    file: DOOR,
    find: 'if (answering?.req.complete === true) {',
    write: 'if (answering?.req.complete === null) {',
    tests: ['test/booking/bad-inputs.pg.test.ts'],
  },
  {
    name: 'half-a-request-keeps-it-open',
    is: 'A server that closes waits for a client that never ends its request',
    file: 'src/engine/http/drain.provider.ts',
    find: 'server.closeAllConnections()',
    write: 'server.closeIdleConnections()',
    tests: ['test/engine/closing.pg.test.ts'],
  },
  {
    name: 'the-first-of-two-authorizations',
    is: 'Of two Authorization lines the first counts, and a proxy may have read the other',
    file: DOOR,
    find: 'if (doubled !== null) {',
    write: 'if (doubled === "Host") {',
    tests: ['test/engine/front-door.pg.test.ts'],
  },
];
