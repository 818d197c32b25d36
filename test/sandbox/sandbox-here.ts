import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSandbox } from '../../src/sandbox/server.process.js';
import type { SandboxClient, SandboxProvider } from '../support/sandbox.js';
import { providerUrls, sandboxClient } from '../support/sandbox.js';

/** A sandbox within the test's own process, with a clock that the test can turn forward. */
export interface SandboxHere extends SandboxClient {
  readonly url: string;
  readonly providers: Readonly<Record<SandboxProvider, string>>;
  readonly turnClock: (ms: number) => void;
  /** Ends it and opens it again from its files; the URLs change. Throws as `close` does. */
  readonly reopen: () => Promise<SandboxHere>;
  /** Ends it and deletes its folder. Throws when the sandbox found itself broken meanwhile. */
  readonly close: () => Promise<void>;
}

/** Opens a sandbox in a folder of its own, which `close` deletes. */
export function openSandboxHere(): Promise<SandboxHere> {
  return open(mkdtempSync(join(tmpdir(), 'recourse-sandbox-')), 0);
}

async function open(dataDir: string, startMs: number): Promise<SandboxHere> {
  let turnedMs = startMs;
  let ids = 0;
  const born = Date.now();
  const broken: unknown[] = [];
  const { url, close } = await openSandbox({
    dataDir,
    host: '127.0.0.1',
    port: 0,
    now: () => new Date(Date.now() + turnedMs),
    newId: () => `${born.toString(36)}${(ids += 1)}`,
    onBroken: (error) => broken.push(error),
  });
  const end = async () => {
    await close();
    if (broken.length > 0) throw new AggregateError(broken, 'the sandbox found itself broken');
  };
  return {
    ...sandboxClient(url),
    url,
    providers: providerUrls(url),
    turnClock: (ms) => void (turnedMs += ms),
    reopen: async () => {
      await end();
      return open(dataDir, turnedMs);
    },
    close: async () => {
      await end();
      rmSync(dataDir, { recursive: true });
    },
  };
}
