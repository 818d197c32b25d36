// What a team adds beside the engine.

import { engine, domain, door, rule } from './places.mjs';

export const domains = [
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
    { path: [...domain, '^test/examples/[^/]+/'] },
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
  rule(
    'an-example-is-a-stranger',
    'A project in test/examples is copied by people who have only the package: it imports its ' +
      'own files, packages and the doors, by their names.',
    { path: '^test/examples/([^/]+)/' },
    {
      path: '^(src|workflows|activities|test|bench)/',
      pathNot: ['^test/examples/$1/', ...Object.values(door)],
    },
  ),
];
