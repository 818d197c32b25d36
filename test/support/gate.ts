import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import type { GateAnswer, GateQuestion } from './worker-gate.js';

/** An activity of a worker that waits for leave to go on. */
export interface Waiting extends GateQuestion {
  /** By the monotonic clock of this process, in milliseconds. */
  readonly since: number;
  /** Lets it go on. */
  readonly answer: (answer: GateAnswer) => void;
  /** Its process is gone, or it has been answered. */
  readonly isOver: () => boolean;
}

/** The gate that the activities of a worker ask. */
export interface Gate {
  /** What a worker is started with, so that its activities ask here. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Opens a gate; `onWaiting` is told of each activity that asks, which then waits. */
export async function openGate(onWaiting: (waiting: Waiting) => void): Promise<Gate> {
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => onWaiting(waitingOf(JSON.parse(text) as GateQuestion, response)));
    request.on('error', () => undefined);
  });
  // Longer than the worker keeps an idle connection: a question must not meet one that closes.
  server.keepAliveTimeout = 3_600_000;
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    env: {
      WORKER_GATE_URL: `http://127.0.0.1:${port}`,
      NODE_OPTIONS: `--import=${pathToFileURL(gateScript()).href}`,
    },
    close: async () => {
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
    },
  };
}

function waitingOf(question: GateQuestion, response: ServerResponse): Waiting {
  return {
    ...question,
    since: performance.now(),
    answer: (answer) => void response.end(JSON.stringify(answer)),
    isOver: () => response.destroyed || response.writableEnded,
  };
}

/** The path of worker-gate.ts as a program that node can load. */
function gateScript(): string {
  const source = readFileSync(join(import.meta.dirname, 'worker-gate.ts'), 'utf8');
  const version = createHash('sha256').update(source).digest('hex').slice(0, 16);
  // Below the project, because it uses the project's packages.
  const folder = resolve(import.meta.dirname, '../../node_modules/.cache/recourse-worker-gate');
  const path = join(folder, `${version}.mjs`);
  if (existsSync(path)) return path;
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 };
  mkdirSync(folder, { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, ts.transpileModule(source, { compilerOptions }).outputText);
  renameSync(unfinished, path);
  return path;
}
