// What a file may touch, by its name.

import { anyCode, domain, tops, impure, nestFile, npm, core, rule } from './places.mjs';

export const suffixes = [
  rule(
    'postgres-only-in-stores',
    'Put the query into a *.store.ts; take `Db` or `Tx` from database.ts as an argument.',
    { path: anyCode, pathNot: '(\\.store|/database|/migrate)\\.ts$' },
    { path: npm('pg|node-pg-migrate') },
  ),
  rule(
    'network-only-in-clients',
    'Put the call into a *.client.ts.',
    { path: anyCode, pathNot: ['\\.client\\.ts$', '^src/(sandbox|local)/'] },
    { path: [core('http|https|http2|net|tls|dgram|dns'), npm('undici')] },
  ),
  rule(
    'a-store-calls-nobody',
    'No network call inside a transaction: commit first, then call, then a second short ' +
      'transaction.',
    { path: '\\.store\\.ts$' },
    { path: ['\\.client\\.ts$', npm('@temporalio/(client|worker)')] },
  ),
  rule(
    'nest-only-at-the-edge',
    'Keep Nest to *.controller, guard, interceptor, middleware, filter, module, provider, ' +
      'pipe and decorator files, and main.ts.',
    { path: anyCode, pathNot: [nestFile, '^src/main\\.ts$', '^src/sandbox/'] },
    { path: npm('@nestjs|fastify|@fastify|rxjs|reflect-metadata') },
  ),
  rule(
    'temporal-client-only-in-clients',
    'Put the call into a *.client.ts and give it a small interface.',
    { path: anyCode, pathNot: ['\\.client\\.ts$', tops] },
    { path: npm('@temporalio/client') },
  ),
  rule(
    'temporal-worker-only-in-the-worker',
    'Only src/engine/worker and the roots build workers.',
    { path: anyCode, pathNot: ['^src/engine/worker/', tops] },
    { path: npm('@temporalio/worker') },
  ),
  rule(
    'temporal-packages-stay-on-their-side',
    '@temporalio/workflow belongs to workflows/, @temporalio/activity to activities/.',
    { path: '^src/' },
    { path: npm('@temporalio/(workflow|activity)') },
  ),
  rule(
    'metrics-only-in-telemetry',
    'Tell it to the meters of src/engine/telemetry/meters.ts, which cost nothing where nobody ' +
      'watches.',
    { path: anyCode, pathNot: '^src/engine/telemetry/' },
    { path: npm('prom-client') },
  ),
  rule(
    'a-file-without-suffix-is-pure',
    'Name it *.store, *.client or *.process and keep decisions apart, or take the value as an ' +
      'argument.',
    { path: ['^src/engine/', ...domain], pathNot: [impure, '/(database|migrate)\\.ts$'] },
    { path: core('fs|child_process|cluster|worker_threads|timers|process|os|readline|repl') },
  ),
];
