import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { afterAll, expect, test } from 'vitest';
import { cpuMsOf } from '../../bench/measure/cpu.process.js';

/** Has 300 ms of CPU, and says how many milliseconds it has had in all. */
const WORK = `
  while (process.cpuUsage().user < 300000);
  const { user, system } = process.cpuUsage();
  process.stdout.write(Math.floor((user + system) / 1000) + '\\n');
`;
/** A shell does next to nothing itself: of its children the first ends, and the second waits. */
const SCRIPT = '"$0" -e "$1"; "$0" -e "$1 process.stdin.resume()"; true';
const shell = spawn('/bin/sh', ['-c', SCRIPT, process.execPath, WORK], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
afterAll(() => shell.stdin.end());

/** The kernel rounds each of four times of two children to hundredths of a second. */
const ROUNDING_MS = 80;
/** Two starts of node, on a machine whose cores may all be busy. */
const LIMIT_MS = 60_000;

test.runIf(process.platform === 'linux')(
  'a process is charged for its children, living and ended',
  async () => {
    const lines = createInterface({ input: shell.stdout })[Symbol.asyncIterator]();
    const ofEnded = Number((await lines.next()).value);
    const ofLiving = Number((await lines.next()).value);
    const [spent, ofNobody] = cpuMsOf([shell.pid ?? 0, 0x7fffffff]);
    expect(ofEnded).toBeGreaterThanOrEqual(300);
    expect(spent).toBeGreaterThan(ofEnded + ofLiving - ROUNDING_MS);
    expect(ofNobody).toBe(0);
  },
  LIMIT_MS,
);
