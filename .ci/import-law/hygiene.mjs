// Of every file.

import { anyCode, rule } from './places.mjs';

export const hygiene = [
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
