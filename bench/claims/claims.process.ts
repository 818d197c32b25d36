import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src/engine/database/database.js';
import { runMigrations } from '../../src/engine/database/migrate.js';
import { idempotently, type GateParts } from '../../src/engine/idempotency/claims.store.js';
import { ClaimsInFlight } from '../../src/engine/idempotency/claims-in-flight.js';
import { RecentAnswers } from '../../src/engine/idempotency/recent-answers.js';
import { createSealer } from '../../src/engine/sealing/seal.js';
import type { Environment } from '../../src/local/start-child.process.js';
import { startWatchdog } from '../../src/local/start-watchdog.process.js';
import { startPostgres } from '../house/servers.process.js';
import { startPart, type Part } from '../house/start-part.process.js';
import { spreadOf, type Spread } from '../result/numbers.js';
import { fillClaims, openFiller } from './fill.store.js';

/** What a claim costs, with so many in the table. */
export interface ClaimsFigures {
  readonly rows: number;
  /** With the indexes' share, by the bytes of the answer as it is sent. */
  readonly bytes_a_row: Readonly<Record<string, number>>;
  readonly claims_per_second: Spread;
  /** Answered from the table, as after another process has answered first. */
  readonly replays_per_second: Spread;
  /** Answered from the memory of the process. */
  readonly recent_per_second: Spread;
  readonly at_once: number;
}

export interface ClaimsWishes {
  readonly built: string;
  readonly checkout: string;
  readonly env: Environment;
  readonly rows: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly say: (line: string) => void;
}

const WINDOW_DAYS = 7;
const AT_ONCE = 20;
/** The answer that the aim speaks of, and a booking that was just accepted. */
const ANSWERS = [237, 741];
/** Version, length of the key's id, id, iv, tag. */
const SEAL_BYTES = 30 + 'bench'.length;

/** Starts a Postgres, fills it, and claims, one process against it. */
export async function measureClaims(wishes: ClaimsWishes): Promise<ClaimsFigures> {
  const watchdog = startWatchdog(join(wishes.built, 'src/local/watchdog.process.js'));
  const folder = mkdtempSync(join(tmpdir(), 'recourse-bench-'));
  chmodSync(folder, 0o711);
  watchdog.removeAtEnd(folder);
  const parts: Part[] = [];
  const { checkout, env } = wishes;
  const url = await startPostgres({
    ...{ folder, checkout, env, countStatements: false },
    keep: async (part) => {
      const started = await startPart(part, watchdog);
      parts.push(started);
      return started;
    },
  });
  try {
    await runMigrations(url);
    return await measureAt(url, wishes);
  } finally {
    for (const part of parts) await part.stop();
    await watchdog.close();
  }
}

async function measureAt(url: string, { rows, rounds, seconds, say }: ClaimsWishes) {
  const filler = await openFiller(url);
  const bytes: Record<string, number> = {};
  for (const answer of ANSWERS) {
    const sealedBytes = answer + SEAL_BYTES;
    const size = await fillClaims(filler, { rows, sealedBytes, days: WINDOW_DAYS });
    bytes[answer] = size.bytes / size.rows;
    say(`claims: ${size.rows} rows of ${answer} bytes take ${bytes[answer].toFixed(0)} each`);
  }
  await filler.end();
  const database = openDatabase({ url, name: 'bench claims', connections: AT_ONCE });
  const recent = () =>
    new RecentAnswers(() => ({ monotonicMs: performance.now(), wallMs: Date.now() }));
  const sealer = createSealer(`bench:${randomBytes(32).toString('base64')}`);
  const inFlight = new ClaimsInFlight();
  const gate = (): GateParts => ({ database, sealer, recent: recent(), inFlight });
  const [fresh, replays, remembered]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < rounds; round += 1) {
    const keys = randomBytes(8).toString('hex');
    const one = gate();
    const claimed = await perSecond(seconds, (n) => claim(one, `${keys} ${n}`));
    fresh.push(claimed.rate);
    const kept = (n: number) => `${keys} ${n % claimed.count}`;
    // Each with a memory of its own, which has nothing.
    replays.push((await perSecond(seconds, (n) => claim(gate(), kept(n)))).rate);
    remembered.push(
      (await perSecond(seconds, () => claim(one, `${keys} ${claimed.count - 1}`))).rate,
    );
    const rates = [fresh, replays, remembered].map((rates) => Math.round(rates[round] ?? 0));
    say(`claims, round ${round + 1}: ${rates.join(', ')} a second (new, replayed, remembered)`);
  }
  await database.end();
  return {
    rows,
    bytes_a_row: bytes,
    claims_per_second: spreadOf(fresh),
    replays_per_second: spreadOf(replays),
    recent_per_second: spreadOf(remembered),
    at_once: AT_ONCE,
  };
}

const BODY = { text: 'x'.repeat(237 - '{"text":""}'.length) };

async function claim(gate: GateParts, key: string): Promise<void> {
  const one = { account: 'acme-travel', key, fingerprint: Buffer.alloc(32, 1) };
  await idempotently(gate, one, () => Promise.resolve({ status: 202, body: BODY }));
}

/** How often it can be done in a second by twenty at once, and how often it was done. */
async function perSecond(seconds: number, work: (n: number) => Promise<void>) {
  const began = performance.now();
  const until = began + seconds * 1_000;
  let count = 0;
  const client = async (): Promise<void> => {
    while (performance.now() < until) await work(count++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
  return { count, rate: (count * 1_000) / (performance.now() - began) };
}
