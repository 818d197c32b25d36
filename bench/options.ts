import { parseArgs } from 'node:util';

/** The engine, the saga by hand, the empty workflow, the saga by hand on queues like ours. */
export const CONTESTANTS = ['a', 'b', 'c', 'd'] as const;
export type Contestant = (typeof CONTESTANTS)[number];

/** What is measured beside them, without servers. */
const EXPLORER = 'explorer';
const CLAIMS = 'claims';
const DOOR = 'door';

/** The load that the engine's promise is about. */
export const USUAL_LOAD = 20;

export interface BenchOptions {
  readonly rounds: number;
  /** Of each measurement. */
  readonly seconds: number;
  readonly only: readonly Contestant[];
  /** How many trips are on their way at once; ascending. */
  readonly loads: readonly number[];
  /** How often the explorer is measured in one thread, and up to how many faults. */
  readonly explorer: { readonly rounds: number; readonly faults: number } | null;
  /** How many claims there are beside those that are measured; null: they are not. */
  readonly claims: { readonly rows: number } | null;
  /** How often a thousand post one key at the front door; null: it is not measured. */
  readonly door: { readonly crowds: number } | null;
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
                   d: the saga by hand with a queue for each provider,
                   explorer: how fast it tries schedules,
                   claims: what a key costs, with a million of them,
                   door: what the API accepts, replays and refuses
                   (a,b,c,d,explorer,claims,door)
  --at 1,20,50     how many trips are on their way at once (1,20,50)
  --profile        says where the CPU time of a and b goes, in node's processes and in Postgres
Only a run without options, or with more rounds or seconds, writes bench/results.json and the table
in docs/performance.md.`;

const WHOLE = {
  rounds: 5,
  seconds: 8,
  loads: [1, USUAL_LOAD, 50],
  explorer: { rounds: 2, faults: 3 },
  claims: { rows: 1_000_000 },
  door: { crowds: 100 },
};
const QUICK = {
  rounds: 1,
  seconds: 3,
  loads: [USUAL_LOAD],
  explorer: { rounds: 1, faults: 2 },
  claims: { rows: 100_000 },
  door: { crowds: 3 },
};

/** Reads the command line. Throws WrongUsage. */
export function readOptions(args: readonly string[]): BenchOptions {
  const given = parse(args);
  const usual = given.quick ? QUICK : WHOLE;
  const options = {
    rounds: given.rounds === undefined ? usual.rounds : count('--rounds', given.rounds),
    seconds: given.seconds === undefined ? usual.seconds : count('--seconds', given.seconds),
    loads: given.at === undefined ? usual.loads : given.at.split(',').map((n) => count('--at', n)),
    ...(given.only === undefined
      ? {
          only: usualOnly(given.profile),
          explorer: given.profile ? null : usual.explorer,
          claims: given.profile ? null : usual.claims,
          door: given.profile ? null : usual.door,
        }
      : measuredIn(given.only, usual)),
    profile: given.profile,
  };
  const whole =
    options.rounds >= WHOLE.rounds &&
    options.seconds >= WHOLE.seconds &&
    given.at === undefined &&
    options.only.length === CONTESTANTS.length &&
    options.explorer !== null &&
    options.claims !== null &&
    options.door !== null &&
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

function measuredIn(
  text: string,
  usual: Pick<BenchOptions, 'explorer' | 'claims' | 'door'>,
): Pick<BenchOptions, 'only' | 'explorer' | 'claims' | 'door'> {
  const wanted = new Set(text.split(','));
  const known: readonly string[] = [...CONTESTANTS, EXPLORER, CLAIMS, DOOR];
  const strange = [...wanted].find((name) => !known.includes(name));
  if (strange !== undefined) {
    throw new WrongUsage(`--only: ${known.join(', ')} expected, not ${strange}`);
  }
  return {
    only: CONTESTANTS.filter((name) => wanted.has(name)),
    explorer: wanted.has(EXPLORER) ? usual.explorer : null,
    claims: wanted.has(CLAIMS) ? usual.claims : null,
    door: wanted.has(DOOR) ? usual.door : null,
  };
}

/** An empty workflow would be taken for a part of the trip by hand. */
function usualOnly(profile: boolean): readonly Contestant[] {
  return profile ? ['a', 'b'] : CONTESTANTS;
}
