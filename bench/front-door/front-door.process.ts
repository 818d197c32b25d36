import type { Environment } from '../../src/local/start-child.process.js';
import { spreadOf, type Spread } from '../result/numbers.js';
import { turnsOf } from '../turns.js';
import { ASKED, Asker, booking, type AskedFor, type Seen } from './ask-for.client.js';
import { crowd, type CrowdFigures } from './crowd.client.js';
import { openDoors, type Doors } from './open-doors.process.js';
import { openClient } from './post.client.js';

/** What one kind of request had, over all rounds; CPU is that of one request. */
export interface AskedFigures {
  readonly name: AskedFor;
  readonly per_second: Spread;
  readonly p50_ms: Spread;
  readonly p99_ms: Spread;
  readonly api_cpu_ms: Spread;
  readonly postgres_cpu_ms: Spread;
}

/** What the front door costs. */
export interface FrontDoorFigures {
  readonly at_once: number;
  readonly asked: readonly AskedFigures[];
  /** Accepted bookings a second to those of the bare route, round by round. */
  readonly accepted_to_bare: Spread;
  readonly crowd: CrowdFigures;
}

export interface FrontDoorWishes {
  readonly built: string;
  readonly checkout: string;
  readonly env: Environment;
  readonly rounds: number;
  readonly seconds: number;
  /** How often a thousand post one key. */
  readonly crowds: number;
  readonly say: (line: string) => void;
}

const AT_ONCE = 50;
const CROWD = 1_000;
const WARM_UP_SECONDS = 2;

/** Starts the processes, asks, and ends them. Throws when an answer is not the right one. */
export async function measureFrontDoor(wishes: FrontDoorWishes): Promise<FrontDoorFigures> {
  const doors = await openDoors(wishes);
  try {
    const seen = await measureInTurn(doors, wishes);
    const rates = (name: AskedFor) => seen(name).map(({ per_second: rate }) => rate);
    const bare = rates('bare');
    return {
      at_once: AT_ONCE,
      asked: ASKED.map((name) => figuresOf(name, seen(name))),
      accepted_to_bare: spreadOf(
        rates('accepted').map((rate, round) => rate / (bare[round] ?? Number.NaN)),
      ),
      crowd: await measureCrowd(doors, wishes.crowds),
    };
  } finally {
    await doors.close();
  }
}

async function measureInTurn(doors: Doors, { rounds, seconds, say }: FrontDoorWishes) {
  const asker = new Asker(doors, AT_ONCE);
  const seen = new Map<AskedFor, Seen[]>();
  try {
    for (const name of ASKED) await asker.ask(name, WARM_UP_SECONDS);
    for (const { round, name } of turnsOf(ASKED, [AT_ONCE], rounds)) {
      const one = await asker.ask(name, seconds);
      seen.set(name, [...(seen.get(name) ?? []), one]);
      const [rate, p99] = [one.per_second.toFixed(0), one.p99_ms.toFixed(1)];
      say(`front door, round ${round + 1}: ${name}, ${rate} a second, p99 ${p99} ms`);
    }
  } finally {
    await asker.close();
  }
  return (name: AskedFor): readonly Seen[] => seen.get(name) ?? [];
}

async function measureCrowd({ api, otherApi, key }: Doors, rounds: number): Promise<CrowdFigures> {
  const urls = [api.url, otherApi.url];
  const clients = urls.map((url) => openClient(url, CROWD / urls.length));
  try {
    const request = (round: number) => booking(key, `everybody ${round}`);
    return await crowd({ clients, rounds, postsEach: CROWD, request });
  } finally {
    await Promise.all(clients.map((client) => client.close()));
  }
}

function figuresOf(name: AskedFor, seen: readonly Seen[]): AskedFigures {
  const spread = (of: (one: Seen) => number) => spreadOf(seen.map(of));
  return {
    name,
    per_second: spread((one) => one.per_second),
    p50_ms: spread((one) => one.p50_ms),
    p99_ms: spread((one) => one.p99_ms),
    api_cpu_ms: spread((one) => one.api_cpu_ms),
    postgres_cpu_ms: spread((one) => one.postgres_cpu_ms),
  };
}
