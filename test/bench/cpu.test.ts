import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { cpuMsOf } from '../../bench/measure/cpu.process.js';

/** Has 300 ms of CPU in a child that ends and 300 ms in one that lives, and then only waits. */
const PARENT = `
  const { spawnSync, spawn } = require('node:child_process');
  const work = 'while (process.cpuUsage().user < 300_000);';
  spawnSync(process.execPath, ['-e', work]);
  spawn(process.execPath, ['-e', work + 'process.stdout.write("x");process.stdin.resume()'], {
    stdio: ['pipe', 'inherit', 'inherit'],
  });
`;
const child = spawn(process.execPath, ['-e', PARENT], { stdio: ['ignore', 'pipe', 'inherit'] });
afterEach(() => child.kill('SIGKILL'));

/** Three starts of node, on a machine whose cores may all be busy. */
const LIMIT_MS = 60_000;
const isLinux = process.platform === 'linux';

test.runIf(isLinux)(
  'a process is charged for its children, living and ended',
  async () => {
    await once(child.stdout, 'data');
    const [spent = 0, ofNobody] = cpuMsOf([child.pid ?? 0, 0x7fffffff]);
    // The kernel rounds each of the times to hundredths of a second.
    expect(spent).toBeGreaterThan(560);
    expect(ofNobody).toBe(0);
  },
  LIMIT_MS,
);
