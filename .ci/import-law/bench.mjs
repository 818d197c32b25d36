// The bench.

import { anyCode, rule } from './places.mjs';

export const bench = [
  rule(
    'nothing-leans-on-the-bench',
    'The bench measures the product and is no part of it. Move what is shared into src.',
    { path: anyCode },
    { path: '^bench/' },
  ),
  rule(
    'the-bench-measures-from-outside',
    'What is measured runs as built processes. Beside them bench/ may import src/local, the ' +
      'migrations, the demo keys and, to measure it alone, the gate.',
    { path: '^bench/' },
    {
      path: ['^(src|workflows|activities|test)/'],
      pathNot: [
        '^src/local/',
        '^src/engine/(database/(migrate|database)|accounts/demo-keys|sealing/seal)\\.ts$',
        '^src/engine/idempotency/(claims\\.store|claims-in-flight|recent-answers)\\.ts$',
      ],
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
