// What the rules of the import law speak of.

export const anyCode = '^(src|workflows|activities)/';
export const kernel = '^src/engine/saga/';
export const engine = '^(src|workflows|activities)/engine/';
/** A domain is every folder beside `engine` that is not one of the installation's own parts. */
export const srcDomain = '^src/(?!(?:engine|local|cli|sandbox)/)[^/]+/';
export const domain = [srcDomain, '^(workflows|activities)/(?!engine/)[^/]+/'];
export const roots =
  '^src/(main|worker|relay|cli|end-with-words|own-installation|recourse\\.config)\\.ts$';
export const tops = '^src/[^/]+\\.ts$';
/** A suffix that lets a file touch the world; no suffix, or any other, means pure. */
export const impure = '\\.(store|client|process|log|command)\\.ts$';
export const nestFile =
  '\\.(controller|guard|interceptor|middleware|filter|module|provider|pipe|decorator)\\.ts$';

export const door = {
  definitions: '^src/engine/index\\.ts$',
  workflow: '^workflows/engine/index\\.ts$',
  activity: '^activities/engine/index\\.ts$',
  nest: '^src/engine/(nest|engine\\.module)\\.ts$',
  config: '^src/engine/configuration/index\\.ts$',
  worker: '^src/engine/worker/index\\.ts$',
  testing: '^src/engine/testing/index\\.ts$',
};
export const npm = (names) => `(^|/)node_modules/(@types/)?(${names})/`;
export const core = (names) => `^(node:)?(${names})(/promises)?$`;
export const anyPackage = '(^|/)node_modules/';

export const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });
