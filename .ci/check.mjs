// `npm run check`: everything that needs no server. Two checks run at a time, one for each core of
// a small machine; the longest start first. What a check prints is shown when it fails. One alone:
// `npm run check:types`.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const AT_A_TIME = 2;
const LONGEST_FIRST = ['tests', 'types', 'unused', 'imports', 'type-tests', 'format', 'lint'];

const root = fileURLToPath(new URL('../', import.meta.url));
const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** Runs one check to its end and answers whether it held. */
function run(name) {
  const command = scripts[`check:${name}`];
  const [tool, ...options] = command.split(' ');
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const child = spawn(`node_modules/.bin/${tool}`, options, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NO_COLOR: '1' },
    });
    const printed = [];
    child.stdout.on('data', (chunk) => printed.push(chunk));
    child.stderr.on('data', (chunk) => printed.push(chunk));
    child.on('error', (error) => printed.push(Buffer.from(`${error.message}\n`)));
    child.on('close', (code) => {
      const text = Buffer.concat(printed).toString().trimEnd();
      if (code !== 0) process.stdout.write(`\n── ${name} ── ${command}\n${text}\n\n`);
      process.stdout.write(`${code === 0 ? 'ok    ' : 'FAILED'}  ${name} (${since(startedAt)})\n`);
      resolve(code === 0);
    });
  });
}

const since = (startedAt) => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;

mkdirSync(new URL('../node_modules/.cache/check', import.meta.url), { recursive: true });
const startedAt = performance.now();
const waiting = [...LONGEST_FIRST];
const failed = [];

async function runWaiting() {
  for (let name = waiting.shift(); name; name = waiting.shift()) {
    if (!(await run(name))) failed.push(name);
  }
}

await Promise.all(Array.from({ length: AT_A_TIME }, runWaiting));
const verdict = failed.length === 0 ? 'all held' : `FAILED: ${failed.join(', ')}`;
process.stdout.write(`check: ${verdict} (${since(startedAt)})\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
