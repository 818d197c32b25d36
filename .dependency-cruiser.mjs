// The import law. Every rule says in its comment what to do instead; ARCHITECTURE.md tells why.

const anyCode = '^(src|workflows|activities)/';
const kernel = '^src/engine/saga/';
const engine = '^(src|workflows|activities)/engine/';
/** A domain is every folder beside `engine` that is not one of the installation's own parts. */
const srcDomain = '^src/(?!(?:engine|local|cli|sandbox)/)[^/]+/';
const domain = [srcDomain, '^(workflows|activities)/(?!engine/)[^/]+/'];
const roots = '^src/(main|worker|relay|cli|end-with-words|recourse\\.config)\\.ts$';
const tops = '^src/[^/]+\\.ts$';
/** A suffix that lets a file touch the world; no suffix, or any other, means pure. */
const impure = '\\.(store|client|process|log|command)\\.ts$';
const nestFile =
  '\\.(controller|guard|interceptor|middleware|filter|module|provider|pipe|decorator)\\.ts$';

const door = {
  definitions: '^src/engine/index\\.ts$',
  workflow: '^workflows/engine/index\\.ts$',
  activity: '^activities/engine/index\\.ts$',
  nest: '^src/engine/(nest|engine\\.module)\\.ts$',
  worker: '^src/engine/worker/index\\.ts$',
};
const npm = (names) => `(^|/)node_modules/(@types/)?(${names})/`;
const core = (names) => `^(node:)?(${names})(/promises)?$`;
const anyPackage = '(^|/)node_modules/';

const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

const layers = [
  rule(
    'kernel-imports-nothing',
    'src/engine/saga runs in the API, in the workflow sandbox and in tests: it imports no ' +
      'package and no node: module. Pass what it needs as an argument.',
    { path: kernel },
    { pathNot: kernel },
  ),
  rule(
    'definitions-door-is-safe-everywhere',
    'src/engine/index.ts is imported by workflows: it re-exports values from src/engine/saga ' +
      'only, and types from src/engine.',
    { path: door.definitions },
    { pathNot: kernel, dependencyTypesNot: ['type-only'] },
  ),
  rule(
    'workflows-stay-in-the-sandbox',
    'workflows/ may import src/engine/saga, @temporalio/workflow, types of ' +
      '@temporalio/common, the doors recourse and recourse/workflow, and types of activities/. ' +
      'Move everything else into an activity.',
    { path: '^workflows/' },
    {
      pathNot: [
        '^(workflows|activities)/',
        kernel,
        door.definitions,
        npm('@temporalio/(workflow|common)'),
      ],
    },
  ),
  rule(
    'workflows-know-only-the-types-of-activities',
    'Write `import type`: an activity must not be bundled into a workflow.',
    { path: '^workflows/' },
    { path: '^activities/', dependencyTypesNot: ['type-only'] },
  ),
  rule(
    'a-saga-file-is-pure',
    'A *.saga.ts is data that API, worker and tests load: it imports the door recourse and ' +
      'types, no package and no driver.',
    { path: '^workflows/.*\\.saga\\.ts$' },
    { path: [anyPackage, '^workflows/engine/'] },
  ),
  rule(
    'activities-know-the-engine-and-nothing-else-of-ours',
    'activities/ may import src/engine except its Nest files, and never workflows/: ' +
      'definitions are handed in by the worker.',
    { path: '^activities/' },
    { path: ['^workflows/', '^src/(?!engine/)', `^src/engine/.*${nestFile}`, '^test/'] },
  ),
  rule(
    'engine-never-knows-a-domain',
    'The library must work for a team we never met: take what differs as an argument or from ' +
      'recourse.config.',
    { path: engine },
    { path: [...domain, '^src/(local|cli|sandbox)/', roots, '^src/app\\.module\\.ts$', '^test/'] },
  ),
  rule(
    'library-and-driver-meet-in-the-worker',
    'Only src/engine/worker may import what workflows/engine and activities/engine do; ' +
      'elsewhere use `import type`.',
    { path: '^src/engine/', pathNot: '^src/engine/worker/' },
    { path: '^(workflows|activities)/', dependencyTypesNot: ['type-only'] },
  ),
];

const domains = [
  rule(
    'a-domain-enters-by-the-doors',
    'Import from recourse, recourse/nest, recourse/workflow or recourse/activity. What they ' +
      'lack, the engine has to export.',
    { path: domain },
    { path: engine, pathNot: Object.values(door) },
  ),
  rule(
    'a-door-is-named-by-the-package',
    "Write 'recourse/…' instead of a relative path, as another team would have to.",
    { path: domain },
    { path: Object.values(door), dependencyTypesNot: ['aliased'] },
  ),
  rule(
    'the-http-face-of-a-domain',
    'src/<domain> may import the doors recourse and recourse/nest and its own ' +
      'workflows/<domain>/*.saga.ts; never activities, workflows or the worker.',
    { path: '^src/(?!(?:engine|local|cli|sandbox)/)([^/]+)/' },
    {
      path: ['^(src|workflows|activities|test)/'],
      pathNot: ['^src/$1/', '^workflows/$1/[^/]+\\.saga\\.ts$', door.definitions, door.nest],
    },
  ),
  rule(
    'the-acts-of-a-domain',
    'activities/<domain> may import the doors recourse and recourse/activity.',
    { path: '^activities/(?!engine/)[^/]+/' },
    { path: [door.nest, door.worker, door.workflow] },
  ),
];

const processes = [
  rule(
    'only-roots-join-engine-and-domain',
    'Only src/main, worker, relay, cli and recourse.config may import the inside of the ' +
      'engine beside a domain; app.module and config enter by the doors.',
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

const bench = [
  rule(
    'nothing-leans-on-the-bench',
    'The bench measures the product and is no part of it. Move what is shared into src.',
    { path: anyCode },
    { path: '^bench/' },
  ),
  rule(
    'the-bench-measures-from-outside',
    'What is measured runs as built processes. Beside them bench/ may import src/local, the ' +
      'migrations and the demo keys.',
    { path: '^bench/' },
    {
      path: ['^(src|workflows|activities|test)/'],
      pathNot: ['^src/local/', '^src/engine/(database/migrate|accounts/demo-keys)\\.ts$'],
    },
  ),
  rule(
    'the-saga-by-hand-shares-nothing',
    'bench/by-hand is what a team writes that does not have us: it imports its own folder and ' +
      'packages.',
    { path: '^bench/by-hand/' },
    { path: '^(src|workflows|activities|test|bench)/', pathNot: '^bench/by-hand/' },
  ),
];

const suffixes = [
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
      'pipe and decorator files, main.ts and app.module.ts.',
    { path: anyCode, pathNot: [nestFile, '^src/(main|app\\.module)\\.ts$', '^src/sandbox/'] },
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

const hygiene = [
  rule('no-cycles', 'Move the shared part into a third file.', {}, { circular: true }),
  rule(
    'no-orphans',
    'Nothing imports this file and it imports nothing: delete it.',
    {
      orphan: true,
      pathNot: ['\\.d\\.ts$', '^test/.*\\.test(-d)?\\.ts$', '^test/local/stand-ins/'],
    },
    {},
  ),
  rule('resolvable', 'This import leads nowhere.', {}, { couldNotResolve: true }),
  rule(
    'no-test-packages-in-code',
    'Move the package from devDependencies to dependencies, or stop using it here.',
    { path: anyCode, pathNot: '^src/local/' },
    { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['npm', 'type-only'] },
  ),
];

export default {
  forbidden: [...layers, ...domains, ...processes, ...bench, ...suffixes, ...hygiene],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    webpackConfig: { fileName: '.ci/doors.mjs' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
