// The import law. Every rule says in its comment what to do instead; ARCHITECTURE.md tells why.

import { bench } from './.ci/import-law/bench.mjs';
import { domains } from './.ci/import-law/domains.mjs';
import { hygiene } from './.ci/import-law/hygiene.mjs';
import { layers } from './.ci/import-law/layers.mjs';
import { processes } from './.ci/import-law/processes.mjs';
import { suffixes } from './.ci/import-law/suffixes.mjs';

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
