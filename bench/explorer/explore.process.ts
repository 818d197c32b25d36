import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { spreadOf, type Spread } from '../result/numbers.js';

/** How fast the explorer tries the schedules of the trip. */
export interface ExplorerFigures {
  /** With its version. */
  readonly saga: string;
  /** In one thread, with nothing else to do on the machine. */
  readonly one_core: {
    readonly faults: number;
    readonly schedules: number;
    readonly schedules_per_second: Spread;
  };
  /** In as many threads as there are cores. */
  readonly all_cores: {
    readonly threads: number;
    /** How many schedules have no fault, one, two … */
    readonly by_faults: readonly number[];
    readonly seconds: number;
  };
}

/** What `recourse explore --json` says; `tookMs` is without the start of the process. */
interface Explored {
  readonly schedules: number;
  readonly byFaults: readonly number[];
  readonly tookMs: number;
  readonly failure: { readonly invariant: string } | null;
}

const SAGA = 'book-trip@2';
const OUTPUT_BYTES = 2 ** 26;

/**
 * Explores the trip as a person does on the command line: `rounds` times in one thread, and once
 * in as many as there are cores. Throws an Error when a promise of the engine is broken.
 */
export async function measureExplorer(
  built: string,
  { rounds, faults }: { readonly rounds: number; readonly faults: number },
  say: (line: string) => void,
): Promise<ExplorerFigures> {
  const alone: Explored[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const one = await explored(built, { faults, threads: 1 });
    say(`explorer, one thread: ${Math.round(perSecond(one))} schedules a second`);
    alone.push(one);
  }
  const threads = availableParallelism();
  const whole = await explored(built, { faults, threads });
  say(`explorer, ${threads} threads: ${whole.schedules} schedules in ${whole.tookMs / 1000} s`);
  return {
    saga: SAGA,
    one_core: {
      faults,
      schedules: alone[0]?.schedules ?? 0,
      schedules_per_second: spreadOf(alone.map(perSecond)),
    },
    all_cores: { threads, by_faults: whole.byFaults, seconds: whole.tookMs / 1000 },
  };
}

async function explored(
  built: string,
  { faults, threads }: { readonly faults: number; readonly threads: number },
): Promise<Explored> {
  const options = { faults, threads, walks: 0 };
  const given = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(built, 'src/cli.js'), 'explore', SAGA, ...given, '--no-page', '--json'],
    { maxBuffer: OUTPUT_BYTES },
  );
  const told = JSON.parse(stdout) as Explored;
  if (told.failure !== null) throw new Error(`a promise is broken: ${told.failure.invariant}`);
  return told;
}

function perSecond({ schedules, tookMs }: Explored): number {
  return (schedules * 1000) / tookMs;
}
