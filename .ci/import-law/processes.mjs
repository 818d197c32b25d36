// Roots, sandbox, local start, CLI and tests.

import { anyCode, engine, domain, roots, tops, door, rule } from './places.mjs';

export const processes = [
  rule(
    'only-roots-join-engine-and-domain',
    'Only src/main, worker, relay, cli, own-installation and recourse.config may import the ' +
      'inside of the engine beside a domain; config enters by the doors.',
    { path: tops, pathNot: roots },
    { path: engine, pathNot: Object.values(door) },
  ),
  rule(
    'nothing-imports-a-root',
    'A composition root is started, not imported. Move the shared part into a folder.',
    { path: anyCode, pathNot: tops },
    { path: roots },
  ),
  rule(
    'the-sandbox-shares-nothing',
    'src/sandbox is a witness against us: it must not share our parser, types or constants.',
    { path: '^src/sandbox/' },
    { path: '^(src|workflows|activities|test)/', pathNot: '^src/sandbox/' },
  ),
  rule(
    'nothing-leans-on-the-sandbox',
    'The sandbox is a process of its own: talk HTTP to it.',
    { path: anyCode, pathNot: '^src/sandbox/' },
    { path: '^src/sandbox/' },
  ),
  rule(
    'the-local-start-knows-no-domain',
    'src/local and src/cli serve every installation: take sagas and acts from ' +
      'recourse.config through src/cli.ts.',
    { path: '^src/(local|cli)/' },
    { path: [...domain, '^src/sandbox/'] },
  ),
  rule(
    'code-never-imports-tests',
    'Move what is shared into src.',
    { path: anyCode },
    { path: '^test/' },
  ),
  rule(
    'engine-tests-know-no-domain',
    'Test the engine with small sagas of its own; the trip is tested in test/booking.',
    { path: '^test/engine/' },
    { path: [...domain, '^test/booking/'] },
  ),
  rule(
    'sandbox-tests-know-no-engine',
    'The sandbox is tested as a stranger would: over HTTP and through its own files.',
    { path: '^test/sandbox/' },
    { path: [engine, '^test/engine/'] },
  ),
];
