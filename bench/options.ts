import { parseArgs } from 'node:util';

/** The engine, the saga by hand, the empty workflow, the saga by hand on queues like ours. */
export const CONTESTANTS = ['a', 'b', 'c', 'd'] as const;
export type Contestant = (typeof CONTESTANTS)[number];

/** The load that the engine's promise is about. */
export const USUAL_LOAD = 20;

export interface BenchOptions {
  readonly rounds: number;
  /** Of each measurement. */
  readonly seconds: number;
  readonly only: readonly Contestant[];
  /** How many trips are on their way at once; ascending. */
  readonly loads: readonly number[];
  readonly profile: boolean;
  /** True when all is measured that the published table has: only then it is written. */
  readonly whole: boolean;
}

/** Thrown for wrong usage; its message is one line for a person. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
}

export const USAGE = `npm run bench -- [options]
  --quick          one short round, to see that it works
  --rounds N       how often all is measured in turn (5)
  --seconds N      how long each measurement is (8)
  --only a,b       a: the engine, b: the saga by hand, c: the empty workflow,
                   d: the saga by hand with a queue for each provider (a,b,c,d)
  --at 1,20,50     how many trips are on their way at once (1,20,50)
  --profile        says where the CPU time of a and b goes, in node's processes and in Postgres
Only a run without options, or with more rounds or seconds, writes bench/results.json and the table
in docs/performance.md.`;

const WHOLE = { rounds: 5, seconds: 8, loads: [1, USUAL_LOAD, 50] };
const QUICK = { rounds: 1, seconds: 3, loads: [USUAL_LOAD] };

/** Reads the command line. Throws WrongUsage. */
export function readOptions(args: readonly string[]): BenchOptions {
  const given = parse(args);
  const usual = given.quick ? QUICK : WHOLE;
  const options = {
    rounds: given.rounds === undefined ? usual.rounds : count('--rounds', given.rounds),
    seconds: given.seconds === undefined ? usual.seconds : count('--seconds', given.seconds),
    loads: given.at === undefined ? usual.loads : given.at.split(',').map((n) => count('--at', n)),
    only: given.only === undefined ? usualOnly(given.profile) : contestantsIn(given.only),
    profile: given.profile,
  };
  const whole =
    options.rounds >= WHOLE.rounds &&
    options.seconds >= WHOLE.seconds &&
    given.at === undefined &&
    options.only.length === CONTESTANTS.length &&
    !options.profile;
  return { ...options, loads: options.loads.toSorted((one, other) => one - other), whole };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        quick: { type: 'boolean', default: false },
        rounds: { type: 'string' },
        seconds: { type: 'string' },
        only: { type: 'string' },
        at: { type: 'string' },
        profile: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new WrongUsage(error instanceof Error ? error.message : String(error));
  }
}

function count(name: string, text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new WrongUsage(`${name}: a whole number from 1 to 9999 expected, not ${text}`);
}

function contestantsIn(text: string): readonly Contestant[] {
  const wanted = new Set(text.split(','));
  const strange = [...wanted].find((name) => !CONTESTANTS.some((known) => known === name));
  if (strange !== undefined) {
    throw new WrongUsage(`--only: ${CONTESTANTS.join(', ')} expected, not ${strange}`);
  }
  return CONTESTANTS.filter((name) => wanted.has(name));
}

/** An empty workflow would be taken for a part of the trip by hand. */
function usualOnly(profile: boolean): readonly Contestant[] {
  return profile ? ['a', 'b'] : CONTESTANTS;
}
