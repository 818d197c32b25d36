import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command, CommanderError } from 'commander';
import { addVerbs } from '../../src/cli/add-verbs.js';
import { createCli } from '../../src/cli/create-cli.js';
import { lookInto } from '../../src/cli/local-start.process.js';

const ROOT = resolve(import.meta.dirname, '../..');
const CLI = resolve(ROOT, 'dist/src/cli.js');
/** Holds nothing, so that no local start of this machine is found. */
const DATA_DIR = '/nowhere';

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

type Env = Readonly<Record<string, string>>;

/** Runs one verb to its end in this process, with nobody there to be asked. */
export async function runHere(args: readonly string[], env: Env = {}): Promise<Ended> {
  let [code, stdout, stderr] = [0, '', ''];
  const data = (text: string) => void (stdout += text);
  const say = (text: string) => void (stderr += text);
  const program = new Command('recourse')
    .exitOverride()
    .configureOutput({ writeOut: data, writeErr: say });
  const cli = createCli({
    env,
    terminal: {
      data: (text) => data(`${text}\n`),
      say: (text) => say(`${text}\n`),
      canAsk: false,
      ask: async () => '',
    },
    findLocalStart: () => lookInto(DATA_DIR),
    endWith: (failed) => void (code = failed),
  });
  addVerbs(program, cli);
  await program.parseAsync(args, { from: 'user' }).catch((error: unknown) => {
    if (!(error instanceof CommanderError)) throw error;
    code = error.exitCode === 0 ? 0 : 2;
  });
  return { code, stdout, stderr };
}

/** A verb loads its packages and asks once; two cores may be busy. It is killed after this. */
const LIMIT_MS = 60_000;

/** Runs one verb of the built CLI (`npm run build` first) to its end, without a terminal. */
export function runCli(args: readonly string[], env: Env = {}): Promise<Ended> {
  if (!existsSync(CLI)) throw new Error(`${CLI} is not there: run npm run build first`);
  const { PATH, HOME } = process.env;
  const options = {
    cwd: ROOT,
    env: { PATH, HOME, RECOURSE_DATA_DIR: DATA_DIR, ...env },
    timeout: LIMIT_MS,
  };
  return new Promise((answer, reject) => {
    execFile(process.execPath, [CLI, ...args], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code;
      if (typeof code === 'number') answer({ code, stdout, stderr });
      else reject(new Error(`recourse ${args.join(' ')} did not end by itself`, { cause: error }));
    });
  });
}

/** The one line that a verb which failed has said. Throws when it said more, or printed data. */
export function onlyLine({ stdout, stderr }: Ended): string {
  const lines = stderr.trimEnd().split('\n');
  if (stdout !== '' || lines.length !== 1) throw new Error(`not one line:\n${stdout}\n${stderr}`);
  return lines[0] ?? '';
}
