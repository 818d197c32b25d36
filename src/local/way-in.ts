import { resolve } from 'node:path';
import type { Environment } from './start-child.process.js';

/** Where this machine reaches what listens on `host`, which may stand for every address of it. */
export function ownUrl(host: string, port: number): string {
  const every: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
  const one = every[host] ?? host;
  return `http://${one.includes(':') ? `[${one}]` : one}:${port}`;
}

/**
 * What a command line in a second terminal begins with, so that it finds this start: it looks where
 * a start keeps its data, and does not know a port that was left to the system.
 */
export function commandLine(env: Environment, url: string): string {
  const said = [
    ['RECOURSE_DATA_DIR', env.RECOURSE_DATA_DIR && resolve(env.RECOURSE_DATA_DIR)],
    ['RECOURSE_URL', env.PORT === '0' ? url : undefined],
  ] as const;
  const set = said.flatMap(([name, value]) => (value ? [`${name}=${quoted(value)}`] : []));
  return [...set, 'npx recourse'].join(' ');
}

function quoted(value: string): string {
  return /^[\w./:@-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;
}
